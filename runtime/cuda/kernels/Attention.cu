//===- Attention.cu - Attention of a program -------------------------------===//

#include "Attention.h"

using namespace tprt;

/// A type and a depth that there are kernels for.
template <typename Element, u32 Depth> struct Kind {
  using T = Element;
  static constexpr u32 depth = Depth;
};

/// Calls `function` with the Kind of both.
template <typename T, typename Function>
TPRT_INLINE void dispatchDepth(i64 depth, Function function) {
  switch (depth) {
  case 16:
    return function(Kind<T, 16>());
  case 32:
    return function(Kind<T, 32>());
  case 64:
    return function(Kind<T, 64>());
  case 80:
    return function(Kind<T, 80>());
  case 96:
    return function(Kind<T, 96>());
  case 128:
    return function(Kind<T, 128>());
  case 256:
    return function(Kind<T, 256>());
  }
}
template <typename Function> TPRT_INLINE void dispatch(int dtype, i64 depth, Function function) {
  switch (dtype) {
  case TPRT_F32:
    return dispatchDepth<float>(depth, function);
  case TPRT_F16:
    return dispatchDepth<f16>(depth, function);
  case TPRT_BF16:
    return dispatchDepth<bf16>(depth, function);
  }
}

TPRT_LIBRARY void tprtk_attention(int dtype, const void *query, const void *key, const void *value,
                                  const void *positions, void *result, i64 batch, i64 steps,
                                  i64 heads, i64 group, i64 depth, i64 capacity, float scale,
                                  i64 window, int bidirectional, i64 step_offset) {
  const Problem problem = {u32(batch), u32(steps),         u32(heads),  u32(group), capacity, scale,
                           window,     bidirectional != 0, step_offset, 0,          capacity};
  dispatch(dtype, depth, [=](auto kind) __attribute__((always_inline)) {
    using T = typename decltype(kind)::T;
    attention<T, decltype(kind)::depth>(problem, (const T *)query, (const T *)key, (const T *)value,
                                        (const i64 *)positions, (T *)result);
  });
}

TPRT_LIBRARY void tprtk_attention_parts(int dtype, const void *query, const void *key,
                                        const void *value, const void *positions, void *sums,
                                        void *largest, i64 batch, i64 steps, i64 heads, i64 group,
                                        i64 depth, i64 capacity, float scale, i64 window,
                                        int bidirectional, i64 parts, i64 step_offset,
                                        i64 position_offset, i64 extent) {
  const Problem problem = {u32(batch),  u32(steps),      u32(heads), u32(group),
                           capacity,    scale,           window,     bidirectional != 0,
                           step_offset, position_offset, extent};
  dispatch(dtype, depth, [=](auto kind) __attribute__((always_inline)) {
    using T = typename decltype(kind)::T;
    attentionParts<T, decltype(kind)::depth>(problem, (const T *)query, (const T *)key,
                                             (const T *)value, (const i64 *)positions,
                                             (float *)sums, (float *)largest, u32(parts));
  });
}

TPRT_LIBRARY void tprtk_attention_merge(int dtype, const void *sums, const void *largest,
                                        void *result, i64 parts, i64 rows, i64 depth) {
  attentionMerge((const float *)sums, (const float *)largest, Floats{dtype, result}, u32(parts),
                 rows, u32(depth));
}
