//===- ProcessStop.h - a collective that does not end -----------*- C++ -*-===//

#ifndef TPRT_PROCESSES_PROCESSSTOP_H
#define TPRT_PROCESSES_PROCESSSTOP_H

#include "tprt/status.h"

namespace tprt {

/// Thrown within a collective, whose failure has been recorded.
struct Stopped {
  tprt_status_t status;
};

} // namespace tprt

#endif // TPRT_PROCESSES_PROCESSSTOP_H
