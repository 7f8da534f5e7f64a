//===- Calls.cpp - the other calls of the ABI -----------------------------===//

#include "Context.h"

using namespace tprt;

int64_t tprt_coordinate(tprt_context_t *ctx, int32_t axis) {
  return axis < 0 || size_t(axis) >= ctx->coordinates.size() ? 0 : ctx->coordinates[axis];
}

void *tprt_arena(tprt_context_t *ctx) { return ctx->arena; }

void *tprt_status(tprt_context_t *ctx) { return ctx->device->statusWords(); }

namespace {

tprt_status_t runLoop(tprt_context *ctx, int32_t op, tprt_kernel_fn fn, const void *args, int64_t n,
                      int64_t grain) {
  void *arguments = const_cast<void *>(args);
  const int workers = ctx->workers.count();
  if (workers == 1) {
    fn(arguments, 0, n);
    return TPRT_OK;
  }
  // Several chunks per worker even out a busy machine.
  constexpr int64_t kChunksPerWorker = 4;
  grain = grain < 1 ? 1 : grain;
  int64_t chunk = n / (workers * kChunksPerWorker);
  chunk = (chunk + grain - 1) / grain * grain;
  return guardCall(*ctx, op, [&]() -> tprt_status_t { // threads may not start
    ctx->workers.run(fn, arguments, n, chunk < grain ? grain : chunk);
    return TPRT_OK;
  });
}

} // namespace

tprt_status_t tprt_parallel_for(tprt_context_t *ctx, int32_t stream, int32_t op, tprt_kernel_fn fn,
                                const void *args, int64_t n, int64_t grain) {
  if (n <= 0)
    return TPRT_OK;
  ctx->place.store(ctx->program.placeOf(op), std::memory_order_relaxed);
  if (!ctx->profiler && (!ctx->recorder || !ctx->recorder->tracing()))
    return runLoop(ctx, op, fn, args, n, grain);
  return guardTimed(*ctx, stream, op, SpanKind::Kernel,
                    [&] { return runLoop(ctx, op, fn, args, n, grain); });
}

tprt_status_t tprt_check_index(tprt_context_t *ctx, int32_t op, int64_t value, int64_t lower,
                               int64_t upper) {
  if (value >= lower && value < upper)
    return TPRT_OK;
  // The reason says what the value is.
  const std::string what = ctx->program.reasonOf(op);
  const std::string rule =
      upper == INT64_MAX ? "below " + std::to_string(lower)
                         : "outside [" + std::to_string(lower) + ", " + std::to_string(upper) + ")";
  return ctx->fail(TPRT_OUT_OF_RANGE, op,
                   (what.empty() ? "index " : what + " is ") + std::to_string(value) +
                       (what.empty() ? " is " : ", ") + rule);
}

tprt_status_t tprt_launch(tprt_context_t *ctx, int32_t stream, int32_t op, int32_t kernel,
                          int64_t blocks, int32_t threads, int32_t shared_bytes, const void *args,
                          int32_t count) {
  return guardTimed(*ctx, stream, op, SpanKind::Kernel, [&]() -> tprt_status_t {
    ctx->device->launch(stream, kernel, blocks, threads, shared_bytes, args, count);
    return TPRT_OK;
  });
}

tprt_status_t tprt_copy(tprt_context_t *ctx, int32_t stream, int32_t op, const void *src, void *dst,
                        int64_t bytes) {
  return guardTimed(*ctx, stream, op, SpanKind::Copy, [&]() -> tprt_status_t {
    ctx->device->copy(stream, src, dst, bytes);
    return TPRT_OK;
  });
}

tprt_status_t tprt_read(tprt_context_t *ctx, int32_t op, const void *src, void *dst,
                        int64_t bytes) {
  return guardCall(*ctx, op, [&]() -> tprt_status_t {
    ctx->device->read(dst, src, bytes);
    return ctx->program.aborted() ? TPRT_ABORTED : TPRT_OK;
  });
}
