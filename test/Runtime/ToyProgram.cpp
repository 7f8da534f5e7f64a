//===- ToyProgram.cpp - the toy model as a linked executable --------------===//
//
// Two ranks, batch 1; token 3 ends a row. TOY_FAIL makes rank 1 fail in its
// second decode call.
//
//===----------------------------------------------------------------------===//

#include "ToyModel.h"

#include <atomic>
#include <cstdlib>

namespace {

const tprt_module_t &toy() {
  static const auto model = tprt_test::makeToyModel(2, 1, "[3]", /*score=*/true);
  return model->module();
}

tprt_status_t failingDecode(tprt_context_t *ctx, void *const *buffers) {
  static std::atomic<int> calls{0};
  if (std::getenv("TOY_FAIL") && tprt_coordinate(ctx, 0) == 1 && ++calls == 2)
    return tprt_check_index(ctx, 0, 99, 0, 10);
  return toy().entries[1].fn(ctx, buffers);
}

const tprt_entry_t entries[] = {
    {"prefill", toy().entries[0].fn}, {"decode", failingDecode}, {"score", toy().entries[2].fn}};

} // namespace

extern "C" const tprt_module_t tprt_module = {TPRT_ABI_VERSION, 3, entries,
                                              toy().manifest,   0, nullptr};
