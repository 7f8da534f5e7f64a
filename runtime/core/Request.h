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
  nlohmann::ordered_json id; ///< repeated in the answer; null where not given
};

/// What a request may ask for.
enum class RequestKind { Generation, Embedding };

/// Reads {"tokens": [..] or [[..], ..], "max_tokens": N, "temperature": T,
/// "top_k": K, "top_p": P, "seed": S, "score": B, "id": ...}, all but the first
/// optional. Throws `Error` (exit code 2): no JSON object, a member that is not
/// known, given twice, of another type or out of its range, or one that says
/// how to generate beside "score". For embeddings there are only "tokens" and "id".
Request parseRequest(const std::string &text, RequestKind kind = RequestKind::Generation);

/// `sampling` with what the request says, checked.
void applyRequest(const Request &request, Sampling &sampling);

} // namespace tprt

#endif // TPRT_CORE_REQUEST_H
