//===- Server.h - requests on one stream, answers on another ----*- C++ -*-===//
//
// One request per line, one answer per line, in order; docs/Tools.md describes
// both. A request that is wrong is answered by an error and the next one is
// read; a failure of the program itself ends the server.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_SERVER_H
#define TPRT_CORE_SERVER_H

#include "EmbeddingModel.h"
#include "LanguageModel.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <istream>
#include <optional>
#include <string>

namespace tprt {

struct ServerOptions {
  std::optional<int64_t> count; ///< new tokens where a request does not say
  Sampling sampling;            ///< where a request does not say
};

/// New tokens where neither a request nor an option says: 16 or what fits
/// behind the longest prompt.
int64_t defaultCount(const LanguageModelInfo &info,
                     const std::vector<std::vector<int64_t>> &prompts);

class Server {
public:
  /// `write` gets each answer with its line end.
  Server(LanguageModel &model, const LanguageModelInfo &info, ServerOptions options,
         std::function<void(const std::string &)> write);

  /// Answers until the input ends. Throws `Error` when a call of an entry
  /// fails, after an answer that says so, and what the stream's buffer throws.
  void run(std::istream &in);

private:
  /// `id` becomes that of the request once it is known.
  std::string answer(const std::string &line, nlohmann::ordered_json &id);
  std::string answerJson(const std::string &line, nlohmann::ordered_json &id);

  LanguageModel &model;
  const LanguageModelInfo &info;
  const ServerOptions options;
  const std::function<void(const std::string &)> write;
};

/// Answers requests for embeddings until the input ends; throws as Server::run does.
void serveEmbeddings(EmbeddingModel &model, std::istream &in,
                     const std::function<void(const std::string &)> &write);

/// "0.25,-1" of `count` numbers: the shortest text that is the same number in f32.
std::string numbersText(const float *values, int64_t count);

} // namespace tprt

#endif // TPRT_CORE_SERVER_H
