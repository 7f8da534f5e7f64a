//===- Trace.h - what the ranks did as a file for trace viewers -*- C++ -*-===//

#ifndef TPRT_CORE_TRACE_H
#define TPRT_CORE_TRACE_H

#include "Recorder.h"
#include "tprt/manifest.h"

#include <functional>
#include <string>

namespace tprt {

/// "model.layers.3.mlp.down_proj.all_reduce": where the program has an operation, which may be
/// null, and what it is; `detail` as Span has it.
std::string operationName(const Operation *operation, SpanKind kind, int32_t detail = -1);

/// Writes the spans of all ranks in the Trace Event Format of Chromium
/// (https://ui.perfetto.dev reads it): one process, a thread per rank, complete
/// events ("ph": "X") in microseconds. `write` gets the JSON in pieces.
void writeTrace(const Manifest &manifest, const std::vector<const Recorder *> &ranks,
                const std::function<void(const std::string &)> &write);

} // namespace tprt

#endif // TPRT_CORE_TRACE_H
