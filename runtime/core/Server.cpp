//===- Server.cpp - requests on one stream, answers on another ------------===//

#include "Server.h"

#include "Request.h"
#include "TokenText.h"

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace tprt;
using nlohmann::ordered_json;

namespace {

// Far above any prompt, low enough that a stream without line ends cannot
// fill the memory.
constexpr size_t kMaxLineBytes = size_t(16) << 20;

enum class Line { Read, TooLong, End };

/// Reads to the next line end or the end of the input, which ends a last line
/// too. Of a line that is too long its beginning is kept.
Line readLine(std::istream &in, std::string &line) {
  using Traits = std::char_traits<char>;
  line.clear();
  bool tooLong = false, any = false;
  for (;;) {
    const Traits::int_type next = in.rdbuf()->sbumpc();
    if (Traits::eq_int_type(next, Traits::eof())) {
      if (!any)
        return Line::End;
      break;
    }
    any = true;
    if (next == '\n')
      break;
    tooLong |= line.size() == kMaxLineBytes;
    if (!tooLong)
      line.push_back(Traits::to_char_type(next));
  }
  if (!line.empty() && line.back() == '\r')
    line.pop_back();
  return tooLong ? Line::TooLong : Line::Read;
}

bool isJson(const std::string &line) {
  const size_t first = line.find_first_not_of(" \t");
  return first != std::string::npos && line[first] == '{';
}

std::string dump(const ordered_json &value) {
  // Bytes of a request that are no text are replaced, not repeated.
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// The answer to a line that failed, in the form of the line.
std::string errorAnswer(const std::string &line, const std::string &message) {
  if (isJson(line))
    return dump({{"error", message}});
  std::string text = message;
  std::replace_if(text.begin(), text.end(), [](unsigned char c) { return c < ' '; }, '?');
  return "error: " + text;
}

} // namespace

int64_t tprt::defaultCount(const LanguageModelInfo &info,
                           const std::vector<std::vector<int64_t>> &prompts) {
  int64_t room = info.maxSeq;
  for (const std::vector<int64_t> &prompt : prompts)
    room = std::min(room, info.maxSeq - int64_t(prompt.size()));
  return std::clamp<int64_t>(room, 0, 16);
}

Server::Server(LanguageModel &model, const LanguageModelInfo &info, ServerOptions options,
               std::function<void(const std::string &)> write)
    : model(model), info(info), options(std::move(options)), write(std::move(write)) {}

std::string Server::answerJson(const std::string &line) {
  const Request request = parseRequest(line);
  ordered_json result;
  if (!request.id.is_null())
    result["id"] = request.id;
  if (request.score) {
    const Scores scores = model.score(request.rows, false);
    result["logprobs"] =
        request.nested ? ordered_json(scores.logProbs) : ordered_json(scores.logProbs[0]);
    return dump(result);
  }
  GenerateOptions how;
  how.sampling = options.sampling;
  applyRequest(request, how.sampling);
  how.count = request.count   ? *request.count
              : options.count ? *options.count
                              : defaultCount(info, request.rows);
  const Generation generation = model.generate(request.rows, how);
  ordered_json reasons = ordered_json::array();
  for (const std::vector<int64_t> &row : generation.tokens)
    reasons.push_back(model.endsSequence(row) ? "stop" : "length");
  const bool nested = request.nested;
  result["tokens"] = nested ? ordered_json(generation.tokens) : ordered_json(generation.tokens[0]);
  result["finish_reason"] = nested ? reasons : reasons[0];
  return dump(result);
}

std::string Server::answer(const std::string &line) {
  if (isJson(line))
    return answerJson(line);
  const TokenRows rows = parseRows(line, "");
  GenerateOptions how;
  how.sampling = options.sampling;
  how.count = options.count ? *options.count : defaultCount(info, rows);
  std::string text;
  const Generation generation = model.generate(rows, how);
  for (size_t row = 0; row < rows.size(); ++row)
    text += (row ? ";" : "") + rowText(generation.tokens[row]);
  return text;
}

void Server::run(std::istream &in) {
  std::string line;
  for (;;) {
    const Line kind = readLine(in, line);
    if (kind == Line::End)
      return;
    if (kind == Line::TooLong) {
      write(errorAnswer(line,
                        "the request is longer than " + std::to_string(kMaxLineBytes) + " bytes") +
            "\n");
      continue;
    }
    try {
      write(answer(line) + "\n");
    } catch (const Error &error) {
      write(errorAnswer(line, error.what()) + "\n");
      if (error.exitCode() != kExitBadInput)
        throw;
    }
  }
}
