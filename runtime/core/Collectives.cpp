//===- Collectives.cpp - the collective calls of the ABI ------------------===//
//
// Checks arguments, compares ranks where that is asked for, and hands the call
// to the backend.
//
//===----------------------------------------------------------------------===//

#include "Context.h"
#include "DType.h"
#include "Reduce.h"

#include <chrono>
#include <thread>

using namespace tprt;

bool CallHeader::operator==(const CallHeader &other) const {
  return sequence == other.sequence && kind == other.kind && op == other.op &&
         reduction == other.reduction && dtype == other.dtype && outer == other.outer &&
         inner == other.inner && sources == other.sources;
}

const char *tprt::collectiveName(int32_t kind) {
  static constexpr const char *kNames[] = {"all_reduce", "all_gather", "reduce_scatter",
                                           "all_to_all", "permute"};
  return kNames[kind];
}

namespace {

std::string describeHeader(const Program &program, const CallHeader &header) {
  std::string text =
      "collective " + std::to_string(header.sequence) + ", " + collectiveName(header.kind);
  if (header.reduction >= 0)
    text += std::string(" ") + tprt_reduction_name(header.reduction);
  text += " of " + std::to_string(header.outer) + " x " + std::to_string(header.inner) + " " +
          tprt_dtype_name(header.dtype);
  return text + " (" + program.describeOperation(header.op) + ")";
}

CallHeader makeHeader(const CollectiveCall &call, uint64_t sequence, int groupSize) {
  uint64_t hash = 0;
  if (call.sources)
    for (int i = 0; i < groupSize; ++i)
      hash = hash * 1000003 + uint64_t(call.sources[i] + 2);
  return {sequence,   int32_t(call.kind), call.op,    call.reduction,
          call.dtype, call.outer,         call.inner, hash};
}

/// Index of the member that differs from most of the others, ties for the
/// lowest rank's header; -1 when all are equal.
int findDeviating(const std::vector<CallHeader> &headers, int &reference) {
  size_t best = 0;
  for (size_t i = 0; i < headers.size(); ++i) {
    size_t votes = 0;
    for (const CallHeader &other : headers)
      votes += other == headers[i];
    if (votes > best) {
      best = votes;
      reference = int(i);
    }
  }
  for (size_t i = 0; i < headers.size(); ++i)
    if (!(headers[i] == headers[reference]))
      return int(i);
  return -1;
}

tprt_status_t compareRanks(tprt_context &ctx, const CollectiveCall &call, uint64_t sequence,
                           const std::vector<int> &ranks) {
  std::vector<CallHeader> headers(ranks.size());
  CallHeader mine = makeHeader(call, sequence, int(ranks.size()));
  if (tprt_status_t status = ctx.communicator->exchange(call.group, call.op, mine, headers.data()))
    return status;
  int reference = 0;
  int deviating = findDeviating(headers, reference);
  if (deviating < 0)
    return TPRT_OK;
  return ctx.fail(TPRT_MISMATCH, call.op,
                  "collectives differ: rank " + std::to_string(ranks[deviating]) + " is at " +
                      describeHeader(ctx.program, headers[deviating]) + ", rank " +
                      std::to_string(ranks[reference]) + " is at " +
                      describeHeader(ctx.program, headers[reference]));
}

/// Makes ranks arrive in random order: no sleep, a short or a longer one.
void sleepRandomly(tprt_context &ctx) {
  unsigned choice = unsigned(ctx.jitter()) % 4;
  unsigned microseconds = unsigned(ctx.jitter()) % (choice == 3 ? 1000 : 50);
  if (choice)
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
}

tprt_status_t checkAndRun(tprt_context &ctx, const CollectiveCall &call) {
  if (ctx.program.aborted())
    return TPRT_ABORTED;
  const auto &groups = ctx.program.groups();
  if (call.group < 0 || size_t(call.group) >= groups.size())
    return ctx.fail(TPRT_INVALID_ARGUMENT, call.op,
                    "group " + std::to_string(call.group) + " is not in the manifest");
  if (!isDType(call.dtype))
    return ctx.fail(TPRT_INVALID_ARGUMENT, call.op,
                    "dtype " + std::to_string(call.dtype) + " does not exist");
  bool reduces =
      call.kind == CollectiveKind::AllReduce || call.kind == CollectiveKind::ReduceScatter;
  if (reduces && !isReductionDefined(call.reduction, call.dtype))
    return ctx.fail(TPRT_INVALID_ARGUMENT, call.op,
                    "reduction " + std::to_string(call.reduction) + " (" +
                        tprt_reduction_name(call.reduction) + ") is not defined on " +
                        tprt_dtype_name(call.dtype));
  if (call.outer < 0 || call.inner < 0)
    return ctx.fail(TPRT_INVALID_ARGUMENT, call.op,
                    "negative count " + std::to_string(call.outer) + " x " +
                        std::to_string(call.inner));

  const GroupMembership &membership = groups[call.group].membership[ctx.rank];
  const std::vector<int> &ranks = groups[call.group].instances[membership.instance].ranks;
  const int size = int(ranks.size());
  if (call.kind == CollectiveKind::Permute && !call.sources)
    return ctx.fail(TPRT_INVALID_ARGUMENT, call.op, "permute without a table of sources");
  if (call.sources)
    for (int i = 0; i < size; ++i)
      if (call.sources[i] < -1 || call.sources[i] >= size)
        return ctx.fail(TPRT_INVALID_ARGUMENT, call.op,
                        "source " + std::to_string(call.sources[i]) + " is not in a group of " +
                            std::to_string(size));

  const uint64_t sequence = ctx.sequence++;
  if (ctx.program.options().jitter)
    sleepRandomly(ctx);
  if (size > 1 && ctx.program.options().checkCollectives)
    if (tprt_status_t status = compareRanks(ctx, call, sequence, ranks))
      return status;
  const int64_t bytes = call.outer * call.inner * tprt_dtype_size(call.dtype);
  if (bytes == 0)
    return TPRT_OK;
  if (size > 1)
    return ctx.communicator->run(call);
  // Alone: the operand is the result.
  if (call.sources && call.sources[0] < 0)
    ctx.device->fill(call.dst, 0, bytes);
  else if (call.src != call.dst)
    ctx.device->copy(0, call.src, call.dst, bytes);
  return TPRT_OK;
}

/// What the busiest rank of a group of k sends, whatever the algorithm, as the
/// compiler's explanation counts: 2(k-1)/k of the buffer for all-reduce, (k-1)/k
/// of the larger buffer for the others, all of it for permute; rounded up.
int64_t bytesSent(const tprt_context &ctx, const CollectiveCall &call) {
  const GroupPartition &group = ctx.program.groups()[size_t(call.group)];
  const int64_t k =
      int64_t(group.instances[size_t(group.membership[size_t(ctx.rank)].instance)].ranks.size());
  const int64_t bytes = call.outer * call.inner * tprt_dtype_size(call.dtype);
  switch (call.kind) {
  case CollectiveKind::AllReduce:
    return (2 * (k - 1) * bytes + k - 1) / k;
  case CollectiveKind::Permute:
    return bytes;
  default: // outer and inner are those of one of k blocks
    return (k - 1) * bytes;
  }
}

/// Whether the call runs beside computation; alone a rank copies at once.
bool runsBeside(const tprt_context &ctx, const CollectiveCall &call) {
  const auto &groups = ctx.program.groups();
  if (call.stream == 0 || call.group < 0 || size_t(call.group) >= groups.size())
    return false;
  const GroupPartition &group = groups[size_t(call.group)];
  return call.outer * call.inner > 0 &&
         group.instances[size_t(group.membership[size_t(ctx.rank)].instance)].ranks.size() > 1 &&
         ctx.communicator->follow();
}

tprt_status_t runCollective(tprt_context &ctx, const CollectiveCall &call) {
  const ProfiledRange range = profile(ctx, call.op, SpanKind::Collective, int32_t(call.kind));
  return guardCall(ctx, call.op, [&] {
    if (!ctx.recorder)
      return checkAndRun(ctx, call);
    // On the stream of computation, as long as that stands still.
    const bool isBeside = runsBeside(ctx, call);
    const int64_t begun = ctx.device->beginSpan(*ctx.recorder, isBeside);
    const tprt_status_t status = checkAndRun(ctx, call);
    if (status == TPRT_OK) {
      Span span = {SpanKind::Collective, call.op, call.group, int32_t(call.kind), 0, 0,
                   bytesSent(ctx, call)};
      span.isBeside = isBeside;
      ctx.device->endSpan(*ctx.recorder, isBeside, begun, span);
    }
    return status;
  });
}

} // namespace

tprt_status_t tprt_all_reduce(tprt_context_t *ctx, int32_t stream, int32_t op, int32_t group,
                              int32_t kind, int32_t dtype, const void *src, void *dst,
                              int64_t count) {
  return runCollective(*ctx, {CollectiveKind::AllReduce, op, group, kind, dtype, src, dst, 1, count,
                              nullptr, stream});
}

tprt_status_t tprt_all_gather(tprt_context_t *ctx, int32_t stream, int32_t op, int32_t group,
                              int32_t dtype, const void *src, void *dst, int64_t outer,
                              int64_t inner) {
  return runCollective(*ctx, {CollectiveKind::AllGather, op, group, -1, dtype, src, dst, outer,
                              inner, nullptr, stream});
}

tprt_status_t tprt_reduce_scatter(tprt_context_t *ctx, int32_t stream, int32_t op, int32_t group,
                                  int32_t kind, int32_t dtype, const void *src, void *dst,
                                  int64_t outer, int64_t inner) {
  return runCollective(*ctx, {CollectiveKind::ReduceScatter, op, group, kind, dtype, src, dst,
                              outer, inner, nullptr, stream});
}

tprt_status_t tprt_all_to_all(tprt_context_t *ctx, int32_t stream, int32_t op, int32_t group,
                              int32_t dtype, const void *src, void *dst, int64_t count) {
  return runCollective(
      *ctx, {CollectiveKind::AllToAll, op, group, -1, dtype, src, dst, 1, count, nullptr, stream});
}

tprt_status_t tprt_permute(tprt_context_t *ctx, int32_t stream, int32_t op, int32_t group,
                           int32_t dtype, const void *src, void *dst, int64_t count,
                           const void *sources) {
  return runCollective(*ctx, {CollectiveKind::Permute, op, group, -1, dtype, src, dst, 1, count,
                              static_cast<const int32_t *>(sources), stream});
}

tprt_status_t tprt_wait(tprt_context_t *ctx, int32_t op, int32_t stream) {
  return guardCall(*ctx, op, [&]() -> tprt_status_t {
    const int64_t begun = ctx->recorder ? ctx->device->beginSpan(*ctx->recorder, 0) : 0;
    ctx->communicator->awaitStream(stream);
    if (ctx->recorder)
      ctx->device->endSpan(*ctx->recorder, 0, begun, {SpanKind::Wait, op});
    return ctx->program.aborted() ? TPRT_ABORTED : TPRT_OK;
  });
}
