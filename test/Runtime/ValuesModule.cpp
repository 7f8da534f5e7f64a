//===- ValuesModule.cpp - values of every kind as a shared object ---------===//
//
// Three ranks. `copy` returns its inputs: bf16 and f32 cut over the ranks, i1 and
// index whole. `pick` adds its input to the state `sum` on every rank, after rank 1
// has checked that it is below 10 and while the others are in a collective.
//
//===----------------------------------------------------------------------===//

#include "TestModule.h"

#include <cstring>

using namespace tprt_test;

namespace {

// Arguments: short [5] (2 a rank), wide [5, 2] (2 x 2 a rank), bits [3], n; results the same.
tprt_status_t copy(tprt_context_t *, void *const *buffers) {
  const size_t bytes[] = {2 * 2, 2 * 2 * 4, 3, 8};
  for (int i = 0; i < 4; ++i)
    std::memcpy(buffers[4 + i], buffers[i], bytes[i]);
  return TPRT_OK;
}

// Arguments: scale (a parameter), sum (a state), i; results: scale * i, the new sum.
tprt_status_t pick(tprt_context_t *ctx, void *const *buffers) {
  const double *scale = static_cast<const double *>(buffers[0]);
  int64_t *sum = static_cast<int64_t *>(buffers[1]);
  const int64_t i = *static_cast<const int64_t *>(buffers[2]);
  if (tprt_coordinate(ctx, 0) == 1)
    if (tprt_status_t status = tprt_check_index(ctx, 0, i, 0, 10))
      return status;
  int64_t all[3];
  if (tprt_status_t status = tprt_all_gather(ctx, 0, 0, 0, TPRT_I64, &i, all, 1, 1))
    return status;
  *sum += (all[0] + all[1] + all[2]) / 3;
  *static_cast<double *>(buffers[3]) = *scale * double(i);
  return TPRT_OK;
}

const tprt_module_t &values() {
  static const TestModule module({3},
                                 {{"copy",
                                   copy,
                                   {{"short", "input", "bf16", {5}, {{0}}, ""},
                                    {"wide", "input", "f32", {5, 2}, {{0}, {}}, ""},
                                    {"bits", "input", "i1", {3}, {}, ""},
                                    {"n", "input", "index", {}, {}, ""}},
                                   {{"copy.result0", "", "bf16", {5}, {{0}}, ""},
                                    {"copy.result1", "", "f32", {5, 2}, {{0}, {}}, ""},
                                    {"copy.result2", "", "i1", {3}, {}, ""},
                                    {"copy.result3", "", "index", {}, {}, ""}}},
                                  {"pick",
                                   pick,
                                   {{"scale", "parameter", "f64", {}, {}, ""},
                                    {"sum", "state", "i64", {}, {}, ""},
                                    {"i", "input", "i64", {}, {}, ""}},
                                   {{"pick.result0", "", "f64", {}, {}, ""},
                                    {"pick.result1", "", "i64", {}, {}, R"("state": 1)"}}}},
                                 R"([{"axes": [{"axis": 0}]}])");
  return module.module();
}

} // namespace

extern "C" const tprt_module_t tprt_module = values();
