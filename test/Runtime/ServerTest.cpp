//===- ServerTest.cpp - requests and their answers ------------------------===//

#include "core/Server.h"
#include "ToyModel.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

using namespace tprt;
using namespace tprt_test;
using nlohmann::json;

namespace {

/// The answers to `input`, a line each.
std::vector<std::string> serve(const std::string &input, int64_t batch = 1,
                               const ServerOptions &options = {}, const std::string &eos = "[]") {
  const auto module = makeToyModel(2, batch, eos);
  Session session(module->module());
  LanguageModel model(session);
  std::vector<std::string> answers;
  Server server(model, *session.manifest().languageModel, options, [&](const std::string &text) {
    EXPECT_EQ(text.find('\n'), text.size() - 1);
    answers.push_back(text.substr(0, text.size() - 1));
  });
  std::istringstream in(input);
  server.run(in);
  return answers;
}

std::vector<int64_t> continued(std::vector<int64_t> prefix, int64_t count, int64_t eos = -1) {
  std::vector<int64_t> tokens;
  while (int64_t(tokens.size()) < count && (tokens.empty() || tokens.back() != eos)) {
    tokens.push_back(toyNext(prefix));
    prefix.push_back(tokens.back());
  }
  return tokens;
}

std::string text(const std::vector<int64_t> &tokens) {
  std::string result;
  for (int64_t token : tokens)
    result += (result.empty() ? "" : ",") + std::to_string(token);
  return result;
}

/// The message of the answer to one JSON request.
std::string jsonError(const std::string &request) {
  const std::vector<std::string> answers = serve(request + "\n");
  EXPECT_EQ(answers.size(), 1u) << request;
  const json answer = json::parse(answers.at(0));
  EXPECT_EQ(answer.size(), 1u) << answers[0];
  return answer.value("error", "");
}

std::string plainError(const std::string &request) {
  const std::vector<std::string> answers = serve(request + "\n");
  EXPECT_EQ(answers.size(), 1u) << request;
  EXPECT_EQ(answers.at(0).rfind("error: ", 0), 0u) << answers[0];
  return answers[0].substr(7);
}

} // namespace

TEST(Server, AnswersEachLineInItsForm) {
  const std::vector<std::string> answers =
      serve("1,2,3\n"
            "{\"tokens\": [1, 2, 3], \"max_tokens\": 4}\n"
            " { \"id\": {\"n\": [7]}, \"tokens\": [[5, 5]], \"max_tokens\": 0 }\r\n"
            "1,2,3\r\n"
            "4");
  ASSERT_EQ(answers.size(), 5u);
  // Without a number: what fits, 16 positions in all.
  EXPECT_EQ(answers[0], text(continued({1, 2, 3}, 13)));
  EXPECT_EQ(json::parse(answers[1]),
            json({{"tokens", continued({1, 2, 3}, 4)}, {"finish_reason", "length"}}));
  EXPECT_EQ(json::parse(answers[2]), json({{"id", {{"n", {7}}}},
                                           {"tokens", json::array({json::array()})},
                                           {"finish_reason", {"length"}}}));
  EXPECT_EQ(answers[3], answers[0]); // nothing is left of what came between
  EXPECT_EQ(answers[4], text(continued({4}, 15)));
  EXPECT_TRUE(serve("").empty());
}

TEST(Server, RowsAndEndOfSequence) {
  const int64_t eos = continued({1, 2}, 3)[2];
  const std::string list = "[" + std::to_string(eos) + "]";
  const std::vector<int64_t> first = continued({1, 2}, 6, eos), second = continued({7}, 6, eos);
  ServerOptions options;
  options.count = 6;
  const std::vector<std::string> answers =
      serve("1,2;7\n{\"tokens\": [[1, 2], [7]]}\n7\n{\"tokens\": [1, 2]}\n", 2, options, list);
  ASSERT_EQ(answers.size(), 4u);
  EXPECT_EQ(answers[0], text(first) + ";" + text(second));
  auto reason = [&](const std::vector<int64_t> &row) {
    return row.back() == eos ? "stop" : "length";
  };
  EXPECT_EQ(json::parse(answers[1]), json({{"tokens", {first, second}},
                                           {"finish_reason", {reason(first), reason(second)}}}));
  EXPECT_EQ(answers[2], text(second));
  EXPECT_EQ(json::parse(answers[3]), json({{"tokens", first}, {"finish_reason", "stop"}}));
}

TEST(Server, RequestsChooseTheirSampling) {
  ServerOptions options;
  options.count = 8;
  options.sampling.temperature = 3;
  options.sampling.seed = 4;
  const std::vector<std::string> answers =
      serve("1\n{\"tokens\": [1]}\n{\"tokens\": [1], \"seed\": 5}\n"
            "{\"tokens\": [1], \"temperature\": 0}\n{\"tokens\": [1], \"top_k\": 1}\n"
            "{\"tokens\": [1], \"top_p\": 1e-9}\n{\"tokens\": [1], \"seed\": 4, "
            "\"temperature\": 3.0, \"top_p\": 1, \"top_k\": 0}\n1\n",
            1, options);
  ASSERT_EQ(answers.size(), 8u);
  auto tokens = [&](size_t i) {
    return text(json::parse(answers[i])["tokens"].get<std::vector<int64_t>>());
  };
  const std::string greedy = text(continued({1}, 8));
  EXPECT_NE(answers[0], greedy);
  EXPECT_EQ(tokens(1), answers[0]);
  EXPECT_NE(tokens(2), answers[0]);
  for (size_t i : {3, 4, 5})
    EXPECT_EQ(tokens(i), greedy) << i;
  EXPECT_EQ(tokens(6), answers[0]);
  EXPECT_EQ(answers[7], answers[0]);
}

TEST(Server, ScoresTokens) {
  const auto module = makeToyModel(2, 2, "[]", true);
  Session session(module->module());
  LanguageModel model(session);
  std::vector<json> answers;
  Server server(model, *session.manifest().languageModel, {},
                [&](const std::string &text) { answers.push_back(json::parse(text)); });
  std::istringstream in("{\"tokens\": [1, 2, 3], \"score\": true, \"id\": 8}\n"
                        "{\"tokens\": [[5], [1, 2, 3]], \"score\": true}\n"
                        "{\"tokens\": [1], \"score\": true, \"seed\": 1}\n"
                        "{\"tokens\": [1], \"score\": 1}\n"
                        "{\"tokens\": [1, 2], \"score\": false, \"max_tokens\": 1}\n");
  server.run(in);
  ASSERT_EQ(answers.size(), 5u);
  const auto scores = model.score({{1, 2, 3}}, false).logProbs;
  EXPECT_EQ(answers[0], json({{"id", 8}, {"logprobs", scores[0]}}));
  EXPECT_EQ(answers[1], json({{"logprobs", {json::array(), scores[0]}}}));
  EXPECT_EQ(answers[2]["error"], "\"seed\" does not go with \"score\"");
  EXPECT_EQ(answers[3]["error"], "\"score\" must be true or false, found number");
  EXPECT_EQ(answers[4]["tokens"].size(), 1u);
  EXPECT_EQ(jsonError("{\"tokens\": [1], \"score\": true}"),
            "the program gives no logits of all positions");
}

TEST(Server, BadRequestsAreAnsweredAndTheServerGoesOn) {
  EXPECT_EQ(plainError(""), "'' is no token id");
  EXPECT_EQ(plainError("1,x"), "'x' is no token id");
  EXPECT_EQ(plainError("[1]"), "'[1]' is no token id");
  EXPECT_EQ(plainError("11"), "token id 11 is out of range, the vocabulary has 11");
  EXPECT_EQ(plainError("-1"), "token id -1 is out of range, the vocabulary has 11");
  EXPECT_EQ(plainError("1;2"), "the program was compiled for 1 row of tokens, found 2");
  EXPECT_EQ(plainError("1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"),
            "prompt of 17 tokens and 0 to generate exceed the program's 16");
  EXPECT_EQ(plainError(std::string("1\0,2", 4)), "'1?' is no token id");
  EXPECT_EQ(plainError(std::string(17 << 20, '1')), "the request is longer than 16777216 bytes");

  EXPECT_EQ(jsonError("{").rfind("the request is no JSON: parse error at line 1, column 2: ", 0),
            0u);
  EXPECT_EQ(jsonError("{}"), "the request has no \"tokens\"");
  EXPECT_NE(jsonError("{\"tokens\": [1]} 2").find("no JSON"), std::string::npos);
  EXPECT_NE(jsonError("{\"tokens\": [1e999]}").find("no JSON"), std::string::npos);
  EXPECT_NE(jsonError("{\"tokens\xff\": [1]}").find("no JSON"), std::string::npos);
  EXPECT_EQ(jsonError("{\"tokens\": 1}"),
            "\"tokens\" must be a list of token ids, or a list of such lists, found number");
  EXPECT_EQ(jsonError("{\"tokens\": [1.5]}"), "\"tokens\" must be an integer, found number");
  EXPECT_EQ(jsonError("{\"tokens\": [[1], 2]}"),
            "\"tokens\" must be a list of token ids, or a list of such lists, found number");
  EXPECT_EQ(jsonError("{\"tokens\": [18446744073709551615]}"),
            "\"tokens\": 18446744073709551615 is too large");
  EXPECT_EQ(jsonError("{\"tokens\": []}"), "the prompt has no tokens");
  EXPECT_EQ(jsonError("{\"tokens\": [12]}"), "token id 12 is out of range, the vocabulary has 11");
  EXPECT_EQ(jsonError("{\"tokens\": [[1], [2]]}"),
            "the program was compiled for 1 row of tokens, found 2");
  EXPECT_EQ(jsonError("{\"tokens\": [1], \"max_tokens\": 16}"),
            "prompt of 1 tokens and 16 to generate exceed the program's 16");
  EXPECT_EQ(jsonError("{\"tokens\": [1], \"max_tokens\": 9223372036854775807}"),
            "prompt of 1 tokens and 9223372036854775807 to generate exceed the program's 16");
  EXPECT_EQ(jsonError("{\"tokens\": [1], \"max_tokens\": -1}"),
            "\"max_tokens\" must not be negative, found -1");
  EXPECT_EQ(jsonError("{\"tokens\": [1], \"max_tokens\": null}"),
            "\"max_tokens\" must be an integer, found null");
  EXPECT_EQ(jsonError("{\"tokens\": [1], \"temperature\": -1}"),
            "temperature must be a finite number that is not negative, found -1");
  EXPECT_EQ(jsonError("{\"tokens\": [1], \"temperature\": \"hot\"}"),
            "\"temperature\" must be a number, found string");
  EXPECT_EQ(jsonError("{\"tokens\": [1], \"top_p\": 0}"),
            "top_p must be above 0 and at most 1, found 0");
  EXPECT_EQ(jsonError("{\"tokens\": [1], \"top_k\": -1}"),
            "\"top_k\" must not be negative, found -1");
  EXPECT_EQ(jsonError("{\"tokens\": [1], \"seed\": -1}"),
            "\"seed\" must be an integer that is not negative, found number");
  EXPECT_EQ(jsonError("{\"tokens\": [1], \"tokens\": [2]}"), "\"tokens\" is given twice");
  EXPECT_EQ(jsonError("{\"tokens\": [1], \"token\": [2]}").find("unknown member \"token\""), 0u);
  EXPECT_EQ(jsonError("{\"tokens\": [1], \"to\\u0000ken\": 1}").find("unknown member \"to?ken\" ("),
            0u);
  EXPECT_EQ(jsonError("{\"tokens\": " + std::string(100000, '[')),
            "the request is nested too deeply");

  // The answer to a wrong request has its id, wherever that stands, but for one that is no JSON.
  for (const char *wrong :
       {R"({"id": [3], "tokens": 1})", R"({"tokens": [12], "id": [3]})", R"({"id": [3]})",
        R"({"tokens": [1], "tokens": [1], "id": [3]})", R"({"tokens": [1], "x": 1, "id": [3]})",
        R"({"tokens": [1], "top_k": -1, "id": [3]})"}) {
    const json answer = json::parse(serve(std::string(wrong) + "\n").at(0));
    EXPECT_EQ(answer.value("id", json()), json({3})) << wrong;
    EXPECT_EQ(answer.size(), 2u) << wrong;
    EXPECT_NE(answer.value("error", ""), "") << wrong;
  }
  EXPECT_EQ(jsonError("{\"tokens\": [1], \"id\": 1, \"id\": 2}"), "\"id\" is given twice");
  EXPECT_EQ(jsonError("{\"id\": null}"), "the request has no \"tokens\"");

  const std::vector<std::string> answers = serve("x\n{]\n\n1\n");
  ASSERT_EQ(answers.size(), 4u);
  EXPECT_EQ(answers[3], text(continued({1}, 15)));
}
