// The library's attention as kernels, whose shapes the launch says.

#include "../../runtime/cuda/kernels/Attention.h"

using namespace tprt;
using f32 = float;

#define BOUNDED extern "C" __attribute__((global, launch_bounds(128)))

#define ATTENTION(type, depth)                                                                     \
  BOUNDED void attention_##depth##_##type(const type *query, const type *key, const type *value,   \
                                          const i64 *positions, type *result, Problem problem) {   \
    attention<type, depth>(problem, query, key, value, positions, result);                         \
  }                                                                                                \
  BOUNDED void attention_parts_##depth##_##type(                                                   \
      const type *query, const type *key, const type *value, const i64 *positions, float *sums,    \
      float *largest, Problem problem, u32 parts) {                                                \
    attentionParts<type, depth>(problem, query, key, value, positions, sums, largest, parts);      \
  }

#define ATTENTIONS(type)                                                                           \
  ATTENTION(type, 16)                                                                              \
  ATTENTION(type, 32)                                                                              \
  ATTENTION(type, 64)                                                                              \
  ATTENTION(type, 80)                                                                              \
  ATTENTION(type, 96)                                                                              \
  ATTENTION(type, 128)                                                                             \
  ATTENTION(type, 256)

ATTENTIONS(f32)
ATTENTIONS(bf16)
ATTENTIONS(f16)

TPRT_GLOBAL void attention_merge(const float *sums, const float *largest, int dtype, void *result,
                                 u32 parts, u64 rows, u32 depth) {
  attentionMerge(sums, largest, Floats{dtype, result}, parts, rows, depth);
}
