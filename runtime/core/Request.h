//===- Request.h - a request in JSON ----------------------------*- C++ -*-===//

#ifndef TPRT_CORE_REQUEST_H
#define TPRT_CORE_REQUEST_H

#include "Sampling.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tprt {

struct Request {
  std::vector<std::vector<int64_t>> rows;
  bool nested = false; ///< rows were given as a list of lists
  bool score = false;  ///< the tokens' probabilities instead of new tokens
  std::optional<int64_t> count;
  std::optional<double> temperature, topP;
  std::optional<int64_t> topK;
  std::optional<uint64_t> seed;
};

/// What a request may ask for.
enum class RequestKind { Generation, Embedding };

/// A line of JSON before its members are looked at.
struct RequestObject {
  nlohmann::ordered_json root;
  std::string twice; ///< name of a member that is given more than once; the last one counts

  /// What the answer repeats; null where there is none, or more than one.
  nlohmann::ordered_json id() const;
};

/// Throws `Error` (exit code 2) when `text` is no JSON or nested deeper than any
/// request.
RequestObject parseRequestObject(const std::string &text);

/// Reads {"tokens": [..] or [[..], ..], "max_tokens": N, "temperature": T,
/// "top_k": K, "top_p": P, "seed": S, "score": B, "id": ...}, all but the first
/// optional. Throws `Error` (exit code 2): no JSON object, a member that is not
/// known, given twice, of another type or out of its range, or one that says
/// how to generate beside "score". For embeddings there are only "tokens" and "id".
Request readRequest(const RequestObject &object, RequestKind kind = RequestKind::Generation);

/// `sampling` with what the request says, checked.
void applyRequest(const Request &request, Sampling &sampling);

} // namespace tprt

#endif // TPRT_CORE_REQUEST_H
