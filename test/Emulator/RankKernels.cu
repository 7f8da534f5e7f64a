//===- RankKernels.cu - reductions over ranks on one device -----------------===//
//
// As the compiler makes them of the library (RankReductions.cpp), for the runtime's
// conformance suite.
//
//===----------------------------------------------------------------------===//

#include "../../runtime/cuda/kernels/Reduce.cu"

#define KERNEL(kind, kindNumber, dtype, dtypeNumber, parts, parameters, ...)                       \
  TPRT_GLOBAL void tp_reduce_##kind##_##dtype##_##parts parameters {                               \
    const void *sources[] = {__VA_ARGS__};                                                         \
    tprtk_reduce(kindNumber, dtypeNumber, sources, parts, to, count);                              \
  }
#define TO void *to, i64 count
#define A const void *a, const void *b
#define B A, const void *c
#define C B, const void *d
#define D C, const void *e, const void *f
#define E D, const void *g, const void *h
#define FOR_EACH_SIZE(...)                                                                         \
  KERNEL(__VA_ARGS__, 2, (A, TO), a, b)                                                            \
  KERNEL(__VA_ARGS__, 3, (B, TO), a, b, c)                                                         \
  KERNEL(__VA_ARGS__, 4, (C, TO), a, b, c, d)                                                      \
  KERNEL(__VA_ARGS__, 6, (D, TO), a, b, c, d, e, f)                                                \
  KERNEL(__VA_ARGS__, 8, (E, TO), a, b, c, d, e, f, g, h)

#define RANK_REDUCTION(kind, kindNumber, dtype, dtypeNumber)                                       \
  FOR_EACH_SIZE(kind, kindNumber, dtype, dtypeNumber)
#include "RankKernels.def"
