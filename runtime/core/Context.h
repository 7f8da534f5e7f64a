//===- Context.h - one rank's view of the running program -------*- C++ -*-===//
//
// The definition behind the opaque tprt_context_t of the ABI.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_CONTEXT_H
#define TPRT_CORE_CONTEXT_H

#include "Communicator.h"
#include "Device.h"
#include "Faults.h"
#include "Profiler.h"
#include "Program.h"
#include "Recorder.h"
#include "Trace.h"
#include "Workers.h"
#include "tprt/error.h"

#include <memory>
#include <new>
#include <random>
#include <vector>

struct tprt_context {
  tprt_context(tprt::Program &program, int rank)
      : program(program), rank(rank), coordinates(tprt::meshCoordinates(program.mesh(), rank)),
        workers(program.options().workers, program.spinNanoseconds(), &place),
        jitter(program.options().jitterSeed * 1000003 + uint64_t(rank)) {}

  /// Records a failure of this rank.
  tprt_status_t fail(tprt_status_t status, int32_t op, const std::string &reason,
                     const std::vector<std::string> &notes = {}) {
    return program.fail(rank, status, op, reason, notes);
  }

  tprt::Program &program;
  const int rank;
  const std::vector<int64_t> coordinates;
  tprt::Device *device = &tprt::HostDevice::get(); ///< where its buffers lie
  void *arena = nullptr;
  tprt::KernelPlace place{nullptr}; ///< of the kernel that runs
  tprt::Workers workers;
  std::unique_ptr<tprt::Communicator> communicator;
  tprt::Recorder *recorder = nullptr;                           ///< null unless time is measured
  const tprt::Profiler *const profiler = tprt::Profiler::get(); ///< null unless one runs it
  uint64_t sequence = 0; ///< collectives begun, as compared by --check-collectives
  std::minstd_rand jitter;
};

namespace tprt {

/// Runs the body of an ABI call: no exception may reach compiled code, which
/// could not unwind it.
template <typename Body> tprt_status_t guardCall(tprt_context &ctx, int32_t op, Body &&body) {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return ctx.fail(TPRT_OUT_OF_MEMORY, op, "out of memory");
  } catch (const Error &error) {
    return ctx.fail(error.status(), op, error.what(), error.notes());
  } catch (const std::exception &exception) {
    return ctx.fail(TPRT_INTERNAL, op, exception.what());
  }
}

/// The operation as a range of the profiler's.
inline ProfiledRange profile(const tprt_context &ctx, int32_t op, SpanKind kind,
                             int32_t detail = -1) {
  return ProfiledRange(ctx.profiler,
                       [&] { return operationName(ctx.program.findOperation(op), kind, detail); });
}

/// The same with its time, where computation is measured, and as a range of the profiler's.
template <typename Body>
tprt_status_t guardTimed(tprt_context &ctx, int32_t stream, int32_t op, SpanKind kind,
                         Body &&body) {
  const ProfiledRange range = profile(ctx, op, kind);
  if (!ctx.recorder || !ctx.recorder->tracing())
    return guardCall(ctx, op, body);
  return guardCall(ctx, op, [&] {
    const int64_t begun = ctx.device->beginSpan(*ctx.recorder, stream);
    const tprt_status_t status = body();
    ctx.device->endSpan(*ctx.recorder, stream, begun, {kind, op});
    return status;
  });
}

} // namespace tprt

#endif // TPRT_CORE_CONTEXT_H
