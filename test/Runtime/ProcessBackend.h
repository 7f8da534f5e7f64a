//===- ProcessBackend.h - the conformance suite on processes ----*- C++ -*-===//

#ifndef TPRT_TEST_RUNTIME_PROCESSBACKEND_H
#define TPRT_TEST_RUNTIME_PROCESSBACKEND_H

#include "core/World.h"

namespace tprt_test {

/// The processes that run the tests.
tprt::World &theWorld();

} // namespace tprt_test

#endif // TPRT_TEST_RUNTIME_PROCESSBACKEND_H
