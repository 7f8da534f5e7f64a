// Functions of the library of kernels as kernels, with all that compiled programs have as
// constants as parameters.

#include "../../runtime/cuda/kernels/Reduce.cu"

TPRT_GLOBAL void reduce(int kind, int dtype, const void *sources, int parts, void *dst, i64 count) {
  tprtk_reduce(kind, dtype, sources, parts, dst, count);
}
