//===- Recorder.h - what one rank did and for how long ----------*- C++ -*-===//
//
// A rank has a recorder only when it was asked for (--stats, --trace): without
// one no clock is read. It is written by the rank's own thread during a call and
// read by others between calls.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_RECORDER_H
#define TPRT_CORE_RECORDER_H

#include "tprt/session.h"

#include <chrono>
#include <cstdint>
#include <vector>

namespace tprt {

enum class SpanKind : uint8_t { Entry, Collective, Wait, Gemm, Kernel, Copy };

/// Something that took time; spans of one rank nest, but those beside computation.
struct Span {
  SpanKind kind;
  int32_t row;           ///< of the entries or the operations table; -1: none
  int32_t group = -1;    ///< row of the groups table, of collectives
  int32_t detail = -1;   ///< CollectiveKind, of collectives
  int64_t begin = 0;     ///< in nanoseconds since the recorders began
  int64_t end = 0;       ///< likewise
  int64_t bytes = 0;     ///< sent, of collectives
  bool isBeside = false; ///< a collective beside computation, which a wait of its own ends
};

class Recorder {
public:
  using Clock = std::chrono::steady_clock;

  /// `spans` of them are kept; later ones are only counted.
  Recorder(size_t numEntries, Clock::time_point origin, size_t spans)
      : origin(origin), maxSpans(spans), entries(numEntries) {}

  int64_t now() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - origin).count();
  }

  void endEntry(int entry, int64_t begin) {
    const int64_t end = now();
    RankActivity &activity = entries[size_t(entry)];
    activity.seconds += seconds(end - begin);
    activity.waitSeconds += seconds(waiting);
    activity.copySeconds += seconds(communicating - waiting);
    activity.bytesSent += bytes;
    activity.collectives += collectives;
    activity.hostWaits += hostWaits;
    waiting = communicating = bytes = collectives = hostWaits = 0;
    add({SpanKind::Entry, entry, -1, -1, begin, end, 0});
  }
  /// A wait within a collective.
  void endWait(int32_t op, int64_t begin) {
    const int64_t end = now();
    waiting += end - begin;
    add({SpanKind::Wait, op, -1, -1, begin, end, 0});
  }
  /// The host has waited for the device.
  void countHostWait() { ++hostWaits; }
  /// A collective, the wait for one beside computation, or computation.
  void record(const Span &span) {
    const int64_t took = span.end - span.begin;
    if (span.kind == SpanKind::Collective) {
      communicating += span.isBeside ? 0 : took;
      bytes += span.bytes;
      ++collectives;
    } else if (span.kind == SpanKind::Wait) {
      communicating += took;
      waiting += took;
    }
    add(span);
  }
  /// Whether compute is worth a clock.
  bool tracing() const { return maxSpans > 0; }

  const std::vector<RankActivity> &activity() const { return entries; }
  const std::vector<Span> &spans() const { return kept; }
  int64_t spansLeftOut() const { return leftOut; }

  /// Takes over what the recorder of another process has.
  void restore(std::vector<RankActivity> activity, std::vector<Span> spans, int64_t spansLeftOut) {
    entries = std::move(activity);
    kept = std::move(spans);
    leftOut = spansLeftOut;
  }

private:
  static double seconds(int64_t nanoseconds) { return double(nanoseconds) * 1e-9; }
  void add(const Span &span) {
    if (kept.size() < maxSpans)
      kept.push_back(span);
    else
      ++leftOut;
  }

  const Clock::time_point origin;
  const size_t maxSpans;
  std::vector<RankActivity> entries;
  int64_t waiting = 0, communicating = 0, bytes = 0, collectives = 0,
          hostWaits = 0; ///< in this call
  std::vector<Span> kept;
  int64_t leftOut = 0;
};

} // namespace tprt

#endif // TPRT_CORE_RECORDER_H
