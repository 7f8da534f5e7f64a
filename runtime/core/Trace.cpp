//===- Trace.cpp - what the ranks did as a file for trace viewers ---------===//

#include "Trace.h"

#include "Communicator.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <tuple>

using namespace tprt;

namespace {

std::string quoted(const std::string &text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string microseconds(int64_t nanoseconds) {
  char text[40];
  std::snprintf(text, sizeof text, "%" PRId64 ".%03d", nanoseconds / 1000, int(nanoseconds % 1000));
  return text;
}

const Operation *operationOf(const Manifest &manifest, const Span &span) {
  return span.row >= 0 && size_t(span.row) < manifest.operations.size()
             ? &manifest.operations[size_t(span.row)]
             : nullptr;
}

std::string nameOf(const Manifest &manifest, const Span &span) {
  if (span.kind == SpanKind::Entry)
    return manifest.entries[size_t(span.row)].name;
  if (span.kind == SpanKind::Wait)
    return "wait";
  return operationName(operationOf(manifest, span), span.kind, span.detail);
}

const char *categoryOf(SpanKind kind) {
  switch (kind) {
  case SpanKind::Entry:
    return "entry";
  case SpanKind::Collective:
    return "collective";
  case SpanKind::Wait:
    return "wait";
  default:
    return "compute";
  }
}

std::string argumentsOf(const Manifest &manifest, const Span &span) {
  if (span.kind == SpanKind::Entry || span.kind == SpanKind::Wait)
    return "";
  std::string text;
  if (span.kind == SpanKind::Collective)
    text = "\"bytes\": " + std::to_string(span.bytes) +
           ", \"group\": " + std::to_string(span.group) + ", ";
  const Operation *operation = operationOf(manifest, span);
  if (operation && operation->flops >= 0)
    text += "\"flops\": " + std::to_string(operation->flops) + ", ";
  if (operation && span.kind != SpanKind::Collective && operation->bytes >= 0)
    text += "\"bytes\": " + std::to_string(operation->bytes) + ", ";
  return ", \"args\": {" + text + "\"reason\": " + quoted(operation ? operation->reason : "") + "}";
}

} // namespace

std::string tprt::operationName(const Operation *operation, SpanKind kind, int32_t detail) {
  const std::string name = kind == SpanKind::Collective ? collectiveName(detail)
                           : kind == SpanKind::Gemm     ? "gemm"
                           : kind == SpanKind::Copy     ? "copy"
                                                        : "kernel";
  return operation && !operation->loc.empty() ? operation->loc + "." + name : name;
}

void tprt::writeTrace(const Manifest &manifest, const std::vector<const Recorder *> &ranks,
                      const std::function<void(const std::string &)> &write) {
  write("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n"
        "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 0, \"tid\": 0, "
        "\"args\": {\"name\": \"ranks\"}}");
  int64_t leftOut = 0;
  auto writeThread = [&](size_t number, const std::string &name, const std::vector<Span> &spans) {
    const std::string thread = std::to_string(number);
    write(",\n{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 0, \"tid\": " + thread +
          ", \"args\": {\"name\": \"" + name + "\"}}");
    for (const Span &span : spans)
      write(",\n{\"ph\": \"X\", \"name\": " + quoted(nameOf(manifest, span)) + ", \"cat\": \"" +
            categoryOf(span.kind) + "\", \"pid\": 0, \"tid\": " + thread + ", \"ts\": " +
            microseconds(span.begin) + ", \"dur\": " + microseconds(span.end - span.begin) +
            argumentsOf(manifest, span) + "}");
  };
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    leftOut += ranks[rank]->spansLeftOut();
    // Spans were added as they ended; viewers like them as they began, the
    // outer one first.
    std::vector<Span> spans = ranks[rank]->spans();
    auto place = [](const Span &span) {
      return std::make_tuple(span.isBeside, span.begin, -span.end, span.kind);
    };
    std::sort(spans.begin(), spans.end(),
              [&](const Span &a, const Span &b) { return place(a) < place(b); });
    const auto beside = std::partition_point(spans.begin(), spans.end(),
                                             [](const Span &span) { return !span.isBeside; });
    const std::string name = "rank " + std::to_string(rank);
    writeThread(rank, name, {spans.begin(), beside});
    if (beside != spans.end())
      writeThread(ranks.size() + rank, name + ", communication", {beside, spans.end()});
  }
  write("\n], \"otherData\": {\"spans_left_out\": " + std::to_string(leftOut) + "}}\n");
}
