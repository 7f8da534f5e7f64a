//===- Request.cpp - a request in JSON ------------------------------------===//

#include "Request.h"

#include "JsonProblem.h"
#include "tprt/error.h"

#include <cassert>
#include <functional>
#include <map>
#include <set>

using namespace tprt;
using nlohmann::ordered_json;

namespace {

std::string quoted(const std::string &name) { return "\"" + name + "\""; }

[[noreturn]] void wrongType(const std::string &name, const char *expected,
                            const ordered_json &found) {
  throw badInput(quoted(name) + " must be " + expected + ", found " + found.type_name());
}

int64_t readInteger(const ordered_json &value, const std::string &name) {
  if (!value.is_number_integer())
    wrongType(name, "an integer", value);
  if (value.is_number_unsigned() && value.get<uint64_t>() > uint64_t(INT64_MAX))
    throw badInput(quoted(name) + ": " + value.dump() + " is too large");
  return value.get<int64_t>();
}

int64_t readCount(const ordered_json &value, const std::string &name) {
  const int64_t number = readInteger(value, name);
  if (number < 0)
    throw badInput(quoted(name) + " must not be negative, found " + std::to_string(number));
  return number;
}

double readNumber(const ordered_json &value, const std::string &name) {
  if (!value.is_number())
    wrongType(name, "a number", value);
  return value.get<double>();
}

std::vector<int64_t> readRow(const ordered_json &value) {
  if (!value.is_array())
    wrongType("tokens", "a list of token ids, or a list of such lists", value);
  std::vector<int64_t> row;
  for (const ordered_json &token : value)
    row.push_back(readInteger(token, "tokens"));
  return row;
}

void readRows(const ordered_json &value, Request &request) {
  request.nested = value.is_array() && !value.empty() && value[0].is_array();
  if (!request.nested) {
    request.rows = {readRow(value)};
    return;
  }
  for (const ordered_json &row : value)
    request.rows.push_back(readRow(row));
}

} // namespace

nlohmann::ordered_json RequestObject::id() const {
  return root.is_object() && root.contains("id") && twice != "id" ? root["id"] : ordered_json();
}

RequestObject tprt::parseRequestObject(const std::string &text) {
  RequestObject result;
  std::set<std::string> names;
  auto event = [&](int depth, ordered_json::parse_event_t kind, ordered_json &parsed) {
    // A request has lists of lists; deeper values are only built to be refused.
    if (depth > 8)
      throw badInput("the request is nested too deeply");
    if (kind == ordered_json::parse_event_t::key && depth == 1 &&
        !names.insert(parsed.get<std::string>()).second && result.twice != "id")
      result.twice = parsed.get<std::string>();
    return true;
  };
  try {
    result.root = ordered_json::parse(text, event);
  } catch (const ordered_json::exception &exception) {
    throw badInput("the request is no JSON: " + jsonProblem(exception));
  }
  return result;
}

Request tprt::readRequest(const RequestObject &object, RequestKind kind) {
  const ordered_json &root = object.root;
  assert(root.is_object() && "a line that begins with {");
  if (!object.twice.empty())
    throw badInput(quoted(object.twice) + " is given twice");
  Request request;
  std::map<std::string, std::function<void(const ordered_json &)>> members = {
      {"tokens", [&](const ordered_json &value) { readRows(value, request); }},
      {"max_tokens",
       [&](const ordered_json &value) { request.count = readCount(value, "max_tokens"); }},
      {"temperature",
       [&](const ordered_json &value) { request.temperature = readNumber(value, "temperature"); }},
      {"top_k", [&](const ordered_json &value) { request.topK = readCount(value, "top_k"); }},
      {"top_p", [&](const ordered_json &value) { request.topP = readNumber(value, "top_p"); }},
      {"seed",
       [&](const ordered_json &value) {
         if (!value.is_number_unsigned())
           wrongType("seed", "an integer that is not negative", value);
         request.seed = value.get<uint64_t>();
       }},
      {"score",
       [&](const ordered_json &value) {
         if (!value.is_boolean())
           wrongType("score", "true or false", value);
         request.score = value.get<bool>();
       }},
      {"id", [](const ordered_json &) {}}, // of any type
  };
  if (kind == RequestKind::Embedding)
    members = {*members.find("id"), *members.find("tokens")};
  for (const auto &[name, value] : root.items()) {
    const auto it = members.find(name);
    if (it == members.end()) {
      std::string known;
      for (const auto &member : members)
        known += (known.empty() ? "" : ", ") + member.first;
      throw badInput("unknown member " + quoted(name) + " (members: " + known + ")");
    }
    it->second(value);
  }
  if (!root.contains("tokens"))
    throw badInput("the request has no \"tokens\"");
  if (request.score)
    for (const auto &[name, value] : root.items())
      if (name != "tokens" && name != "score" && name != "id")
        throw badInput(quoted(name) + " does not go with \"score\"");
  return request;
}

void tprt::applyRequest(const Request &request, Sampling &sampling) {
  sampling.temperature = request.temperature.value_or(sampling.temperature);
  sampling.topK = request.topK.value_or(sampling.topK);
  sampling.topP = request.topP.value_or(sampling.topP);
  sampling.seed = request.seed.value_or(sampling.seed);
  sampling.check("", '_');
}
