//===- ToyModule.cpp - the toy model as a shared object -------------------===//
//
// Two ranks, batch 2; token 3 ends a row.
//
//===----------------------------------------------------------------------===//

#include "ToyModel.h"

namespace {
const tprt_module_t &toy() {
  static const auto model = tprt_test::makeToyModel(2, 2, "[3]");
  return model->module();
}
} // namespace

extern "C" const tprt_module_t tprt_module = toy();
