//===- Server.cpp - requests on one stream, answers on another ------------===//

#include "Server.h"

#include "Request.h"
#include "TokenText.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

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
std::string errorAnswer(const std::string &line, const std::string &message,
                        const ordered_json &id = {}) {
  if (isJson(line)) {
    ordered_json answer;
    if (!id.is_null())
      answer["id"] = id;
    answer["error"] = message;
    return dump(answer);
  }
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

std::string Server::answerJson(const std::string &line, ordered_json &id) {
  const RequestObject object = parseRequestObject(line);
  id = object.id();
  const Request request = readRequest(object);
  ordered_json result;
  if (!id.is_null())
    result["id"] = id;
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

std::string Server::answer(const std::string &line, ordered_json &id) {
  if (isJson(line))
    return answerJson(line, id);
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

/// Answers each line of `in`; an error is its line's answer. `answer` sets `id` to
/// that of the request once it is known.
static void
serveLines(std::istream &in,
           const std::function<std::string(const std::string &line, ordered_json &id)> &answer,
           const std::function<void(const std::string &)> &write) {
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
    ordered_json id;
    try {
      write(answer(line, id) + "\n");
    } catch (const Error &error) {
      write(errorAnswer(line, error.what(), id) + "\n");
      if (error.exitCode() != kExitBadInput)
        throw;
    }
  }
}

void Server::run(std::istream &in) {
  serveLines(
      in, [&](const std::string &line, ordered_json &id) { return answer(line, id); }, write);
}

std::string tprt::numbersText(const float *values, int64_t count) {
  std::string text;
  for (int64_t i = 0; i < count; ++i) {
    char number[32];
    std::snprintf(number, sizeof number, "%.9g", double(values[i]));
    text += (i ? "," : "") + std::string(number);
  }
  return text;
}

/// Row `row` of what EmbeddingModel::encode gave for a text of `tokens` tokens.
static ordered_json embeddingJson(const EmbeddingModelInfo &info, const Array &embeddings,
                                  size_t row, size_t tokens) {
  auto vectorAt = [&](int64_t place) {
    const float *values = embeddings.as<float>() + place * info.width;
    return std::vector<float>(values, values + info.width);
  };
  if (info.pooled)
    return vectorAt(int64_t(row));
  ordered_json list = ordered_json::array();
  for (size_t i = 0; i < tokens; ++i)
    list.push_back(vectorAt(int64_t(row) * embeddings.shape[1] + int64_t(i)));
  return list;
}

static std::string answerEmbeddings(EmbeddingModel &model, const std::string &line,
                                    ordered_json &id) {
  const EmbeddingModelInfo &info = model.information();
  if (!isJson(line)) {
    if (!info.pooled)
      throw badInput("the program gives a vector of each token; ask in JSON");
    const TokenRows rows = parseRows(line, "");
    const Array embeddings = model.encode(rows);
    std::string text;
    for (size_t row = 0; row < rows.size(); ++row)
      text += (row ? ";" : "") +
              numbersText(embeddings.as<float>() + int64_t(row) * info.width, info.width);
    return text;
  }
  const RequestObject object = parseRequestObject(line);
  id = object.id();
  const Request request = readRequest(object, RequestKind::Embedding);
  ordered_json result;
  if (!id.is_null())
    result["id"] = id;
  const Array embeddings = model.encode(request.rows);
  ordered_json list = ordered_json::array();
  for (size_t row = 0; row < request.rows.size(); ++row)
    list.push_back(embeddingJson(info, embeddings, row, request.rows[row].size()));
  result["embedding"] = request.nested ? list : list[0];
  return dump(result);
}

void tprt::serveEmbeddings(EmbeddingModel &model, std::istream &in,
                           const std::function<void(const std::string &)> &write) {
  serveLines(
      in,
      [&](const std::string &line, ordered_json &id) { return answerEmbeddings(model, line, id); },
      write);
}
