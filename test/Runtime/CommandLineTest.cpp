//===- CommandLineTest.cpp - linked executables as a user runs them -------===//

#include "Checkpoints.h"
#include "TempDir.h"
#include "ToyModel.h"
#include "tprt/array.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <sstream>
#include <sys/wait.h>

using namespace tprt;
using namespace tprt_test;

namespace {

struct Outcome {
  int code;
  std::string out, err;
};

class Executable : public testing::Test {
protected:
  Executable() {
    CheckpointTensor embed = makeTensor("model.embed.weight", TPRT_F32, {kToyVocab, kToyWidth});
    for (int64_t i = 0; i < kToyVocab * kToyWidth; ++i)
      setFloat(TPRT_F32, embed.data, i, double(i) / 128);
    dir.write("model.safetensors", safetensorsFile({embed}));
  }

  Outcome run(const std::string &program, const std::string &arguments,
              const std::string &environment = "") {
    const std::string command = environment + " " + program + " " + arguments + " > " +
                                dir.file("out") + " 2> " + dir.file("err");
    const int status = std::system(command.c_str());
    EXPECT_TRUE(WIFEXITED(status)) << command;
    return {WEXITSTATUS(status), dir.read("out"), dir.read("err")};
  }
  Outcome toy(const std::string &arguments, const std::string &environment = "") {
    return run(TPRT_TOY_PROGRAM, arguments, environment);
  }
  Outcome weighted(const std::string &arguments, const std::string &environment = "") {
    return toy("--weights " + dir.path() + " " + arguments, environment);
  }

  /// Exactly one error, with this text, and nothing on stdout.
  void expectError(const Outcome &outcome, int code, const std::string &part) {
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err.rfind("error: ", 0), 0u) << outcome.err;
    EXPECT_EQ(outcome.err.find("error:", 1), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  }

  TempDir dir;
};

std::string expectedLine(std::vector<int64_t> prefix, int64_t count) {
  std::string line;
  for (int64_t i = 0, token = -1; i < count && token != 3; ++i) {
    token = toyNext(prefix);
    prefix.push_back(token);
    line += (i ? "," : "") + std::to_string(token);
  }
  return line + "\n";
}

} // namespace

TEST_F(Executable, GeneratesTokens) {
  const Outcome outcome =
      weighted("--tokens 1,2,5 --generate 6 --check-collectives --check-finite --threads 2");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, expectedLine({1, 2, 5}, 6));
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(weighted("--tokens 1 --generate 0").out, "\n");
}

TEST_F(Executable, WritesLogitsAndMetrics) {
  const Outcome outcome = weighted("--tokens 6,6,0,1,9 --generate 2 --logits " + dir.file("l.npy") +
                                   " --metrics " + dir.file("m.json"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Array logits = readNpy(dir.file("l.npy"));
  EXPECT_EQ(logits.shape, (std::vector<int64_t>{2, kToyVocab}));
  for (int64_t v = 0; v < kToyVocab; ++v)
    EXPECT_EQ(logits.as<float>()[v],
              float(toyScore({6, 6, 0, 1, 9}, v)) + float(v * kToyWidth) / 128);
  const std::string metrics = dir.read("m.json");
  for (const char *key :
       {"\"weight_bytes_per_rank\": 72", "\"state_bytes_per_rank\": 128",
        "\"arena_bytes_per_rank\": 256", "\"peak_bytes_per_rank\"", "\"process_peak_rss_bytes\"",
        "\"prefill_tokens_per_s\"", "\"decode_tokens_per_s\"", "\"load_s\""})
    EXPECT_NE(metrics.find(key), std::string::npos) << metrics;
}

/// A file that is shorter than it said a moment ago.
TEST_F(Executable, WeightsThatCannotBeRead) {
  expectError(weighted("--tokens 1", "LD_PRELOAD=" TPRT_FAILING_CALLS " FAILS=pread"), 2,
              "model.safetensors: the header cannot be read");
}

TEST_F(Executable, Samples) {
  const std::string prompt = "--tokens 1,2 --generate 9 ";
  const Outcome first = weighted(prompt + "--temperature 3 --seed 5");
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(weighted(prompt + "--seed 5 --temperature 3").out, first.out);
  EXPECT_NE(weighted(prompt + "--temperature 3 --seed 6").out, first.out);
  for (const char *greedy :
       {"", "--temperature 0 --top-k 7 --top-p 0.5 --seed 9", "--temperature 3 --top-k 1",
        "--temperature 3 --top-p 1e-9", "--temperature 1e-9"})
    EXPECT_EQ(weighted(prompt + greedy).out, expectedLine({1, 2}, 9)) << greedy;
}

TEST_F(Executable, RandomWeights) {
  const std::string logits = dir.file("logits.npy");
  auto run = [&](const std::string &seed) {
    const Outcome outcome =
        toy("--tokens 1,2 --generate 1 --random-weights " + seed + " --logits " + logits);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return dir.read("logits.npy");
  };
  const std::string first = run("7");
  EXPECT_EQ(first, run("7"));
  EXPECT_NE(first, run("8"));
}

TEST_F(Executable, HelpAndUsageErrors) {
  const Outcome help = toy("--help");
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.out.find("--check-collectives"), std::string::npos);
  EXPECT_EQ(help.err, "");
  expectError(weighted("--tokens 1 --tokenz 2"), 2, "unknown option or argument '--tokenz'");
  EXPECT_NE(weighted("--tokens 1 --tokenz 2").err.find("note: near name: '--tokens'"),
            std::string::npos);
  expectError(weighted("stray --tokens 1"), 2, "'stray'");
  // The number of an option is in its range, and is shown as it was given.
  for (const char *value : {"x", "-1", "1.5", "9223372036854775808", "''"})
    for (const char *option : {"--generate", "--top-k"})
      expectError(weighted(std::string("--tokens 1 ") + option + " " + value), 2,
                  std::string("error: ") + option +
                      " must be a whole number from 0 to 9223372036854775807, found '" +
                      (*value == '\'' ? "" : value) + "'\n");
  for (const char *value : {"0", "1025", "x", "4294967297"})
    expectError(weighted(std::string("--tokens 1 --threads ") + value), 2,
                std::string("error: --threads must be a whole number from 1 to 1024, found '") +
                    value + "'\n");
  for (const char *value : {"0", "-1", "99999999999", "many"})
    expectError(weighted(std::string("--tokens 1 --virtual-ranks ") + value), 2,
                std::string("error: --virtual-ranks must be a whole number from 1 to 2147483647, "
                            "found '") +
                    value + "'\n");
  for (const char *value : {"x", "-1", "18446744073709551616"})
    for (const char *option : {"--random-weights", "--seed"})
      expectError(toy(std::string("--tokens 1 ") + option + " " + value), 2,
                  std::string("error: ") + option +
                      " must be a whole number from 0 to 18446744073709551615, found '" + value +
                      "'\n");
  for (const char *value : {"x", "-1", "nan", "1e300", "1000001"})
    expectError(weighted(std::string("--tokens 1 --rank-timeout ") + value), 2,
                std::string("error: --rank-timeout must be a number from 0 to 1000000 seconds, "
                            "found '") +
                    value + "'\n");
  expectError(weighted("--tokens 1 --start-timeout 0"), 2,
              "error: --start-timeout must be a number from 0.001 to 1000000 seconds, found '0'\n");
  expectError(weighted("--tokens 1 --trace t --trace-spans 0"), 2,
              "error: --trace-spans must be a whole number from 1 to 9223372036854775807, found "
              "'0'\n");
  // A file has a name.
  for (const char *option : {"--weights", "--logits", "--embedding", "--entry", "--output",
                             "--trace", "--autotune", "--metrics"})
    expectError(toy(std::string("--tokens 1 ") + option + " ''"), 2,
                std::string("error: ") + option + " needs a value\n");
  expectError(weighted("--tokens"), 2, "--tokens");
  expectError(weighted("--tokens 1 --temperature -0.5"), 2, "--temperature must be");
  expectError(weighted("--tokens 1 --temperature nan"), 2, "--temperature must be");
  expectError(weighted("--tokens 1 --top-p 0"), 2, "--top-p must be");
  EXPECT_EQ(weighted("--tokens 1 --generate 1 --seed 18446744073709551615").code, 0);
  expectError(weighted("--entry decode --temperature 1"), 2, "do not go with --entry");
  expectError(weighted("--tokens 1 --embedding x.npy"), 2,
              "--embedding is for embedding models, this program is a language model");
  expectError(weighted(""), 2, "no prompt: give token ids with --tokens");
  expectError(toy("--tokens 1"), 2,
              "no weights: give the directory of the checkpoint with --weights");
  expectError(weighted("--tokens 1 --random-weights 1"), 2,
              "--weights and --random-weights do not go together");
  expectError(weighted("--tokens 1 --entry decode"), 2,
              "--tokens, --logits, --embedding and options of sampling do not go with --entry");
  expectError(weighted("--tokens 1 --input a=b"), 2, "need --entry");
  expectError(weighted("--tokens 1 --trace-spans 4"), 2, "--trace-spans needs --trace");
}

TEST_F(Executable, TraceOfTheFirstSpans) {
  const Outcome outcome =
      weighted("--tokens 1,2 --generate 3 --trace-spans 4 --trace " + dir.file("t.json"));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string trace = dir.read("t.json");
  size_t spans = 0;
  for (size_t at = 0; (at = trace.find("\"ph\": \"X\"", at)) != std::string::npos; ++at)
    ++spans;
  EXPECT_EQ(spans, 2u * 4u);
  EXPECT_TRUE(outcome.err.rfind("note: the trace has not the last ", 0) == 0 &&
              outcome.err.find(" spans: --trace-spans keeps more\n") != std::string::npos)
      << outcome.err;
}

TEST_F(Executable, StatisticsAndTrace) {
  const Outcome outcome =
      weighted("--tokens 1,2 --generate 3 --stats --trace " + dir.file("t.json"));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, expectedLine({1, 2}, 3));
  for (const char *part : {"phase ", "decode ", "utilisation", "memory of a rank", "embed "})
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  EXPECT_EQ(dir.read("t.json").rfind("{\"displayTimeUnit\"", 0), 0u);
  EXPECT_EQ(weighted("--tokens 1,2 --generate 3").err, "");

  expectError(weighted("--tokens 1 --trace " + dir.file("no/t.json")), 2, "no/t.json: cannot be");
  dir.write("requests", "1\n2\n");
  const Outcome served = weighted("--serve --generate 2 --stats < " + dir.file("requests"));
  EXPECT_EQ(served.code, 0);
  EXPECT_NE(served.err.find("utilisation"), std::string::npos);
  const Outcome failed =
      weighted("--tokens 2,2 --generate 8 --stats --trace " + dir.file("f.json"), "TOY_FAIL=1");
  EXPECT_EQ(failed.code, 3);
  EXPECT_FALSE(std::filesystem::exists(dir.file("f.json")));
}

TEST_F(Executable, ScoresAndDescribes) {
  const Outcome outcome = weighted("--score --tokens 6,6,0,1,9 --logits " + dir.file("l.npy"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Array logits = readNpy(dir.file("l.npy"));
  EXPECT_EQ(logits.shape, (std::vector<int64_t>{5, kToyVocab}));
  const std::vector<int64_t> row = {6, 6, 0, 1, 9};
  std::istringstream numbers(outcome.out);
  for (size_t i = 0; i < 5; ++i) {
    double sum = 0;
    for (int64_t v = 0; v < kToyVocab; ++v) {
      const float logit = logits.as<float>()[int64_t(i) * kToyVocab + v];
      EXPECT_EQ(logit, float(toyScore({row.begin(), row.begin() + int64_t(i) + 1}, v)) +
                           float(v * kToyWidth) / 128);
      sum += std::exp(double(logit));
    }
    if (i == 4)
      break;
    double found;
    numbers >> found;
    EXPECT_EQ(numbers.get(), i == 3 ? '\n' : ',');
    EXPECT_NEAR(found,
                std::log(std::exp(logits.as<float>()[int64_t(i) * kToyVocab + row[i + 1]]) / sum),
                1e-6);
  }
  EXPECT_EQ(weighted("--score --tokens 1").out, "\n");
  expectError(weighted("--score"), 2, "no prompt: give token ids with --tokens");
  expectError(weighted("--score --tokens 1 --generate 2"), 2,
              "--score goes with --tokens and --logits only, it generates nothing\nnote: with "
              "--serve, a request has \"score\": true");
  expectError(weighted("--score --serve < /dev/null"), 2, "it generates nothing");
  expectError(weighted("--score --tokens 1 --seed 2"), 2, "it generates nothing");
  expectError(run(TPRT_MATMUL_PROGRAM, "--score --tokens 1"), 2, "--score needs a language model");

  const Outcome described = toy("--describe");
  EXPECT_EQ(described.code, 0);
  for (const char *part : {"\"ranks\": 2", "\"max_seq\": 16", "\"score\": true", "\"n_valid\""})
    EXPECT_NE(described.out.find(part), std::string::npos) << described.out;
  const Outcome matmul = run(TPRT_MATMUL_PROGRAM, "--describe");
  EXPECT_EQ(matmul.code, 0);
  EXPECT_EQ(matmul.out.find("language_model"), std::string::npos);
}

TEST_F(Executable, Serves) {
  const std::string line = expectedLine({1, 2}, 4);
  dir.write("requests", "1,2\nx\n{\"tokens\": [1, 2]}\n{}\n1,2");
  const std::string requests = " < " + dir.file("requests");
  const Outcome outcome = weighted("--serve --generate 4" + requests);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out, line + "error: 'x' is no token id\n{\"tokens\":[" +
                             line.substr(0, line.size() - 1) +
                             "],\"finish_reason\":\"length\"}\n"
                             "{\"error\":\"the request has no \\\"tokens\\\"\"}\n" +
                             line);
  EXPECT_EQ(weighted("--serve < /dev/null").code, 0);
  expectError(weighted("--serve --tokens 1" + requests), 2,
              "--tokens, --logits, --embedding, --input and --output do not go with --serve");
  expectError(weighted("--serve --logits x" + requests), 2, "do not go with --serve");
  expectError(weighted("--serve --entry decode" + requests), 2, "needs a language model");
  expectError(run(TPRT_MATMUL_PROGRAM, "--serve" + requests), 2,
              "--serve needs a language model or an embedding model");
  expectError(toy("--serve" + requests), 2, "no weights");

  // A rank that fails ends the server: its request is answered, the rest not.
  const Outcome failed = weighted("--serve --generate 4" + requests, "TOY_FAIL=1");
  EXPECT_EQ(failed.code, 3);
  const std::string message =
      "error: rank 1 failed in op0 at model.mlir:1:1: index 99 is outside [0, 10)\n";
  EXPECT_EQ(failed.out, message);
  EXPECT_EQ(failed.err, message);
}

TEST_F(Executable, BadPrompts) {
  expectError(weighted("--tokens 1,11"), 2, "token id 11 is out of range, the vocabulary has 11");
  expectError(weighted("--tokens=-1"), 2, "token id -1 is out of range");
  expectError(weighted("--tokens 1,,2"), 2, "'' is no token id");
  expectError(weighted("--tokens 1,x"), 2, "'x' is no token id");
  expectError(weighted("--tokens 99999999999999999999"), 2, "is no token id");
  expectError(weighted("--tokens '1;2'"), 2, "compiled for 1 row of tokens, found 2");
  expectError(weighted("--tokens 1 --tokens 2"), 2, "compiled for 1 row of tokens, found 2");
  expectError(weighted("--tokens 1,2 --generate 15"), 2,
              "prompt of 2 tokens and 15 to generate exceed the program's 16");
}

TEST_F(Executable, BadWeights) {
  expectError(toy("--tokens 1 --weights " + dir.file("none")), 2, "none: no such directory");
  dir.write("model.safetensors",
            safetensorsFile({makeTensor("model.embed.weight", TPRT_F32, {kToyVocab, 2})}));
  expectError(weighted("--tokens 1"), 2, "expected [11, 3], found [11, 2]");
  dir.write("model.safetensors", safetensorsFile({makeTensor("embed.weight", TPRT_F32, {2})}));
  const Outcome outcome = weighted("--tokens 1");
  expectError(outcome, 2, "no tensor 'model.embed.weight'");
  EXPECT_NE(outcome.err.find("note: near name: 'embed.weight'"), std::string::npos);
}

TEST_F(Executable, OutputsThatCannotBeWritten) {
  expectError(weighted("--tokens 1 --logits " + dir.file("no/l.npy")), 2, "no/l.npy: cannot be");
  expectError(weighted("--tokens 1 --metrics " + dir.path()), 2, "is a directory");
  expectError(weighted("--tokens 1 --logits x --trace x"), 2,
              "--logits and --trace name the same file, 'x'");
  // No output file takes the place of a closed standard stream.
  const std::string closed = std::string(TPRT_TOY_PROGRAM) + " --weights " + dir.path() +
                             " --tokens 1 --generate 2 --metrics " + dir.file("m") + " >&- 2> " +
                             dir.file("err");
  EXPECT_EQ(WEXITSTATUS(std::system(closed.c_str())), 3);
  EXPECT_NE(dir.read("err").find("error: standard output cannot be written"), std::string::npos);
  Outcome outcome = weighted("--tokens 1 --generate 2 --logits /dev/full");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("error: /dev/full: writing failed"), std::string::npos) << outcome.err;
  outcome = {};
  outcome.code =
      WEXITSTATUS(std::system((std::string(TPRT_TOY_PROGRAM) + " --weights " + dir.path() +
                               " --tokens 1 > /dev/full 2> " + dir.file("err"))
                                  .c_str()));
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(dir.read("err").find("error: standard output cannot be written"), std::string::npos);
}

TEST_F(Executable, InputThatCannotBeRead) {
  expectError(weighted("--serve < " + dir.path()), 3,
              "standard input cannot be read: Is a directory");
  dir.write("requests", "1,2");
  const Outcome outcome = weighted("--serve --generate 2 < " + dir.file("requests"));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, expectedLine({1, 2}, 2));
}

TEST_F(Executable, RankThatFailsEndsTheProgram) {
  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome =
      weighted("--tokens 2,2 --generate 8 --logits " + dir.file("l.npy"), "TOY_FAIL=1");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.err,
            "error: rank 1 failed in op0 at model.mlir:1:1: index 99 is outside [0, 10)\n");
  EXPECT_FALSE(std::filesystem::exists(dir.file("l.npy")));
  for (const auto &entry : std::filesystem::directory_iterator(dir.path()))
    EXPECT_EQ(entry.path().string().find(".tmp"), std::string::npos) << entry.path();
}

TEST_F(Executable, CallsOneEntry) {
  Array x(TPRT_F32, {64, 64}), w(TPRT_F32, {64, 64});
  for (int64_t i = 0; i < 64; ++i) {
    x.as<float>()[i * 65] = 2; // twice the identity
    for (int64_t j = 0; j < 64; ++j)
      w.as<float>()[i * 64 + j] = float(i * 100 + j);
  }
  writeNpy(dir.file("x.npy"), x);
  writeNpy(dir.file("w.npy"), w);
  const std::string inputs = "--input x=" + dir.file("x.npy") + " --input 1=" + dir.file("w.npy");
  const std::string output = " --output " + dir.file("out.d");
  const Outcome outcome = run(TPRT_MATMUL_PROGRAM, inputs + output);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Array y = readNpy(dir.file("out.d/result0.npy"));
  for (int64_t i = 0; i < 64 * 64; ++i)
    EXPECT_EQ(y.as<float>()[i], 2 * w.as<float>()[i]);
  EXPECT_EQ(readNpy(dir.file("out.d/state0.npy")).as<int32_t>()[0], 1);

  expectError(run(TPRT_MATMUL_PROGRAM, inputs + " --entry f"), 2, "no entry 'f'");
  expectError(run(TPRT_MATMUL_PROGRAM, "--input 0=" + dir.file("x.npy")), 2,
              "input 'w' of entry 'multiply' is not given");
  expectError(
      run(TPRT_MATMUL_PROGRAM, "--tokens 1"), 2,
      "options of sampling are for language models and embedding models, which this program "
      "is not\nnote: run an entry: --entry NAME --input ARGUMENT=FILE.npy");
  expectError(weighted("--output " + dir.file("x.d") + " --input a=1"), 2, "need --entry");
  expectError(run(TPRT_MATMUL_PROGRAM, inputs + " --output " + dir.file("none/x.d")), 2,
              "none/x.d: cannot be made: No such file or directory");
  EXPECT_EQ(run(TPRT_MATMUL_PROGRAM, inputs).err,
            "note: done; results are written with --output DIR\n");
  expectError(run(TPRT_MATMUL_PROGRAM, "--input x"), 2, "expected NAME=VALUE");
  expectError(run(TPRT_MATMUL_PROGRAM, "--input x=3"), 2, "expected a .npy file");
  expectError(run(TPRT_MATMUL_PROGRAM, inputs + " --output " + dir.file("x.npy")), 2, "x.npy");

  // Without the library: one error that says what to install.
  expectError(run(TPRT_MATMUL_PROGRAM, inputs, "TPRT_DNNL=/none/libdnnl.so"), 3,
              "oneDNN is not found (tried /none/libdnnl.so); install the Debian package libdnnl2 "
              "or set TPRT_DNNL to the file");
  expectError(run(TPRT_MATMUL_PROGRAM, inputs, "TPRT_DNNL=libm.so.6"), 3,
              "libm.so.6 has no function dnnl_sgemm, so it is not oneDNN");
  expectError(run(TPRT_MATMUL_PROGRAM, inputs, "TPRT_DNNL=" TPRT_FAILING_CALLS), 3,
              "oneDNN refused a product of 64 x 32 x 64");
}
