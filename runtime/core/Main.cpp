//===- Main.cpp - what a linked executable does ---------------------------===//

#include "../processes/Launch.h"
#include "CommandLine.h"
#include "EmbeddingModel.h"
#include "InputBuffer.h"
#include "LanguageModel.h"
#include "Npy.h"
#include "OutputFile.h"
#include "Server.h"
#include "StatsTable.h"
#include "TokenText.h"
#include "tprt/session.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <istream>
#include <map>
#include <memory>
#include <new>
#include <sys/stat.h>
#include <unistd.h>

using namespace tprt;

namespace {

SessionOptions sessionOptions(const CommandLine &command, const Manifest &manifest, World *world) {
  SessionOptions options;
  options.world = world;
  options.weights = command.weights;
  options.randomSeed = command.randomWeights.value_or(0);
  options.likeModel = command.randomWeights.has_value();
  options.checkCollectives = command.checkCollectives;
  options.checkFinite = command.checkFinite;
  options.graphs = !command.noGraphs;
  options.workers = command.threads;
  options.virtualRanks = command.virtualRanks;
  options.stats = command.stats;
  options.trace = command.trace.has_value();
  options.traceSpans = command.traceSpans.value_or(options.traceSpans);
  options.autotune = command.autotune;
  // Processors that this process may use, and the ranks that use the same.
  const int ranks = world ? world->sharing() : manifest.numRanks();
  if (!options.workers)
    options.workers = defaultWorkers(ranks);
  options.progress = [](const std::string &text) { std::fprintf(stderr, "%s\n", text.c_str()); };
  return options;
}

void requireWeights(const CommandLine &command, const Manifest &manifest) {
  if (command.weights || command.randomWeights)
    return;
  for (const EntryInfo &entry : manifest.entries)
    for (const ValueInfo &value : entry.arguments)
      if (value.kind == ValueKind::Parameter)
        throw badInput("no weights: give the directory of the checkpoint with --weights",
                       {"--random-weights SEED makes random ones, to measure or compare"});
}

nlohmann::ordered_json memoryMetrics(const Session &session) {
  const MemoryUse memory = session.memory();
  return {{"ranks", session.numRanks()},
          {"weight_bytes_per_rank", memory.weights},
          {"state_bytes_per_rank", memory.state},
          {"arena_bytes_per_rank", memory.arena},
          {"workspace_bytes_per_rank", memory.workspace},
          {"peak_bytes_per_rank", memory.peak()},
          {"process_peak_rss_bytes", session.processPeakBytes()},
          {"load_s", session.loadSeconds()}};
}

/// Where a standard stream is closed, an output file must not get its number. What
/// stands there instead cannot be written, so output to it is still an error.
void occupyStandardStreams() {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      (void)!open("/dev/null", O_RDONLY);
}

/// Opens an output before the work begins, so that a path that cannot be
/// written is found at once.
std::unique_ptr<OutputFile> openOutput(const std::optional<std::string> &path) {
  return path ? std::make_unique<OutputFile>(*path) : nullptr;
}

/// What is told about a run when it is over, to files that were opened before
/// it began.
class Reports {
public:
  explicit Reports(const CommandLine &command)
      : wantStats(command.stats), trace(openOutput(command.trace)),
        metrics(openOutput(command.metrics)) {}

  /// `more` are further members of the metrics, `tokens` those of each entry.
  void finish(const Session &session, const nlohmann::ordered_json &more = {},
              const std::map<int, int64_t> &tokens = {}) {
    if (trace)
      writeTraceFile(session);
    if (metrics) {
      nlohmann::ordered_json values = memoryMetrics(session);
      values.update(more.is_null() ? nlohmann::ordered_json::object() : more);
      const std::string text = values.dump(2) + "\n";
      metrics->write(text.data(), text.size());
      metrics->commit();
    }
    if (wantStats)
      std::fputs(statsTable(session, tokens).c_str(), stderr);
  }

private:
  void writeTraceFile(const Session &session) {
    constexpr size_t kPieceBytes = 1 << 20;
    std::string piece;
    const int64_t leftOut = session.writeTrace([&](const std::string &text) {
      piece += text;
      if (piece.size() < kPieceBytes)
        return;
      trace->write(piece.data(), piece.size());
      piece.clear();
    });
    trace->write(piece.data(), piece.size());
    trace->commit();
    if (leftOut)
      std::fprintf(stderr,
                   "note: the trace has not the last %lld spans: --trace-spans keeps more\n",
                   static_cast<long long>(leftOut));
  }

  const bool wantStats;
  const std::unique_ptr<OutputFile> trace, metrics;
};

void printTokens(const std::string &text) {
  if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout))
    throw runFailure(std::string("standard output cannot be written: ") + std::strerror(errno));
}

void generateTokens(const tprt_module_t &module, const Manifest &manifest,
                    const CommandLine &command, World *world) {
  if (!command.inputs.empty() || command.output)
    throw badInput("--input and --output need --entry");
  if (command.embedding)
    throw badInput("--embedding is for embedding models, this program is a language model");
  if (command.prompts.empty())
    throw badInput("no prompt: give token ids with --tokens");
  const int64_t count =
      command.generate.value_or(defaultCount(*manifest.languageModel, command.prompts));
  LanguageModel::checkPrompts(*manifest.languageModel, command.prompts, count);
  requireWeights(command, manifest);
  const auto logits = openOutput(command.logits);
  Reports reports(command);

  Session session(module, sessionOptions(command, manifest, world));
  LanguageModel model(session);
  // One row is written as it comes, several at the end.
  const bool streams = command.prompts.size() == 1;
  bool first = true;
  GenerateOptions options;
  options.count = count;
  options.logits = logits != nullptr;
  options.sampling = command.sampling;
  options.onToken = [&](int, int64_t token) {
    if (streams)
      printTokens((first ? "" : ",") + std::to_string(token));
    first = false;
  };
  const Generation generation = model.generate(command.prompts, options);
  std::string text;
  if (!streams)
    for (const std::vector<int64_t> &row : generation.tokens)
      text += rowText(row) + "\n";
  printTokens(streams ? "\n" : text);

  if (logits)
    writeNpy(*logits, generation.logits);
  nlohmann::ordered_json speed;
  const double rows = double(command.prompts.size());
  speed["prompt_tokens"] = generation.promptTokens;
  speed["decode_calls"] = generation.decodeCalls;
  speed["prefill_tokens_per_s"] = double(generation.promptTokens) / generation.prefillSeconds;
  speed["decode_tokens_per_s"] =
      generation.decodeCalls ? rows * double(generation.decodeCalls) / generation.decodeSeconds
                             : 0.0;
  reports.finish(session, speed, model.tokenCounts());
}

/// What the model says about the prompts themselves.
void scoreTokens(const tprt_module_t &module, const Manifest &manifest, const CommandLine &command,
                 World *world) {
  if (!manifest.languageModel || command.entry)
    throw badInput("--score needs a language model");
  if (command.generate || command.samplingGiven || command.serve || command.embedding ||
      !command.inputs.empty() || command.output)
    throw badInput("--score goes with --tokens and --logits only, it generates nothing",
                   {"with --serve, a request has \"score\": true"});
  if (command.prompts.empty())
    throw badInput("no prompt: give token ids with --tokens");
  LanguageModel::checkScore(*manifest.languageModel, command.prompts);
  requireWeights(command, manifest);
  const auto logits = openOutput(command.logits);
  Reports reports(command);

  Session session(module, sessionOptions(command, manifest, world));
  LanguageModel model(session);
  const Scores scores = model.score(command.prompts, logits != nullptr);
  std::string text;
  for (const std::vector<double> &row : scores.logProbs) {
    for (size_t i = 0; i < row.size(); ++i) {
      char number[40];
      std::snprintf(number, sizeof number, "%.9g", row[i]);
      text += (i ? "," : "") + std::string(number);
    }
    text += "\n";
  }
  printTokens(text);
  if (logits)
    writeNpy(*logits, scores.logits);
  reports.finish(session, {}, model.tokenCounts());
}

/// Options that an embedding model has no use for.
void requireNoGeneration(const CommandLine &command) {
  if (command.generate || command.samplingGiven || command.logits || command.score)
    throw badInput("--generate, --score, --logits and options of sampling are for language models, "
                   "this program makes embeddings",
                   {"give token ids with --tokens"});
  if (!command.inputs.empty() || command.output)
    throw badInput("--input and --output need --entry");
}

void embedTexts(const tprt_module_t &module, const Manifest &manifest, const CommandLine &command,
                World *world) {
  requireNoGeneration(command);
  if (command.prompts.empty())
    throw badInput("no text: give token ids with --tokens");
  EmbeddingModel::checkTexts(*manifest.embeddingModel, command.prompts);
  if (!manifest.embeddingModel->pooled && !command.embedding)
    throw badInput("the program gives a vector of each token: name a file for them with "
                   "--embedding F.npy");
  requireWeights(command, manifest);
  const auto file = openOutput(command.embedding);
  Reports reports(command);

  Session session(module, sessionOptions(command, manifest, world));
  EmbeddingModel model(session);
  const Array embeddings = model.encode(command.prompts);
  if (file) {
    writeNpy(*file, embeddings);
  } else {
    std::string text;
    const int64_t width = manifest.embeddingModel->width;
    for (int64_t row = 0; row < embeddings.shape[0]; ++row)
      text += numbersText(embeddings.as<float>() + row * width, width) + "\n";
    printTokens(text);
  }
  reports.finish(session, {}, model.tokenCounts());
}

/// What the program is, for other programs.
std::string describe(const Manifest &manifest) {
  nlohmann::ordered_json mesh = nlohmann::ordered_json::object(), entries = mesh, result = mesh;
  for (const MeshAxis &axis : manifest.mesh)
    mesh[axis.name] = axis.size;
  auto describeValue = [](const ValueInfo &value) {
    return nlohmann::ordered_json{{"name", value.name},
                                  {"dtype", tprt_dtype_name(value.dtype)},
                                  {"shape", value.globalShape},
                                  {"sharding", value.sharding}};
  };
  for (const EntryInfo &entry : manifest.entries) {
    nlohmann::ordered_json inputs = nlohmann::ordered_json::array(), results = inputs;
    for (const ValueInfo &value : entry.arguments)
      if (value.kind == ValueKind::Input)
        inputs.push_back(describeValue(value));
    for (const ValueInfo &value : entry.results)
      if (value.state < 0)
        results.push_back(describeValue(value));
    entries[entry.name] = {{"inputs", inputs}, {"results", results}};
  }
  result["ranks"] = manifest.numRanks();
  result["mesh"] = mesh;
  result["entries"] = entries;
  if (const auto &model = manifest.languageModel)
    result["language_model"] = {{"batch", model->batch},    {"chunk", model->chunk},
                                {"max_seq", model->maxSeq}, {"vocab", model->vocab},
                                {"eos", model->eos},        {"score", model->score >= 0}};
  if (const auto &model = manifest.embeddingModel)
    result["embedding_model"] = {{"batch", model->batch},
                                 {"seq", model->seq},
                                 {"vocab", model->vocab},
                                 {"width", model->width},
                                 {"pooled", model->pooled}};
  return result.dump(2) + "\n";
}

void serveRequests(const tprt_module_t &module, const Manifest &manifest,
                   const CommandLine &command, World *world) {
  if ((!manifest.languageModel && !manifest.embeddingModel) || command.entry)
    throw badInput("--serve needs a language model or an embedding model");
  if (!command.prompts.empty() || command.logits || command.embedding || !command.inputs.empty() ||
      command.output)
    throw badInput("--tokens, --logits, --embedding, --input and --output do not go with --serve");
  if (manifest.embeddingModel)
    requireNoGeneration(command);
  requireWeights(command, manifest);
  Reports reports(command);

  Session session(module, sessionOptions(command, manifest, world));
  InputBuffer buffer(STDIN_FILENO, "standard input");
  std::istream in(&buffer);
  if (manifest.embeddingModel) {
    EmbeddingModel model(session);
    serveEmbeddings(model, in, printTokens);
    return reports.finish(session, {}, model.tokenCounts());
  }
  LanguageModel model(session);
  Server server(model, *manifest.languageModel, {command.generate, command.sampling}, printTokens);
  server.run(in);
  reports.finish(session, {}, model.tokenCounts());
}

/// The entry that --entry names, or the only one.
int chooseEntry(const Manifest &manifest, const CommandLine &command) {
  std::string names;
  for (const EntryInfo &entry : manifest.entries)
    names += (names.empty() ? "'" : ", '") + entry.name + "'";
  if (command.entry) {
    const int index = manifest.findEntry(*command.entry);
    if (index < 0)
      throw badInput("no entry '" + *command.entry + "'", {"entries: " + names});
    return index;
  }
  if (manifest.entries.size() != 1)
    throw badInput("choose an entry with --entry", {"entries: " + names});
  return 0;
}

void setInputs(Session &session, int entry, const std::vector<std::string> &inputs) {
  const EntryInfo &info = session.manifest().entries[entry];
  std::vector<bool> given(info.arguments.size());
  for (const std::string &input : inputs) {
    const size_t at = input.find('=');
    if (at == std::string::npos)
      throw badInput("--input " + input + ": expected NAME=VALUE");
    const int argument = session.findArgument(entry, input.substr(0, at));
    const ValueInfo &value = info.arguments[argument];
    const std::string text = input.substr(at + 1);
    session.setInput(entry, argument,
                     readInput(text, value.dtype, value.globalShape, "--input " + input),
                     "--input " + input);
    given[argument] = true;
  }
  for (size_t i = 0; i < given.size(); ++i)
    if (info.arguments[i].kind == ValueKind::Input && !given[i])
      throw badInput("input '" + info.arguments[i].name + "' of entry '" + info.name +
                         "' is not given",
                     {"give it by --input " + info.arguments[i].name + "=FILE.npy"});
}

void callEntry(const tprt_module_t &module, const Manifest &manifest, const CommandLine &command,
               World *world) {
  if (!command.prompts.empty() || command.logits || command.embedding || command.samplingGiven) {
    const std::string options = "--tokens, --logits, --embedding and options of sampling";
    if (!manifest.languageModel && !manifest.embeddingModel)
      throw badInput(options + " are for language models and embedding models, which this program "
                               "is not",
                     {"run an entry: --entry NAME --input ARGUMENT=FILE.npy"});
    throw badInput(options + " do not go with --entry");
  }
  const int entry = chooseEntry(manifest, command);
  requireWeights(command, manifest);
  if (command.output && mkdir(command.output->c_str(), 0777) && errno != EEXIST)
    throw badInput(*command.output + ": cannot be made: " + std::strerror(errno));
  Reports reports(command);

  Session session(module, sessionOptions(command, manifest, world));
  setInputs(session, entry, command.inputs);
  session.call(entry);
  const EntryInfo &info = session.manifest().entries[entry];
  int states = 0;
  for (size_t i = 0; i < info.results.size(); ++i) {
    const Array result = session.result(entry, int(i)); // checks replicas
    if (command.output)
      writeNpy(*command.output + "/result" + std::to_string(i) + ".npy", result);
  }
  for (size_t i = 0; i < info.arguments.size(); ++i) {
    if (info.arguments[i].kind != ValueKind::State)
      continue;
    const Array state = session.argument(entry, int(i));
    if (command.output)
      writeNpy(*command.output + "/state" + std::to_string(states) + ".npy", state);
    ++states;
  }
  if (!command.output)
    std::fprintf(stderr, "note: done; results are written with --output DIR\n");
  reports.finish(session);
}

/// What the process of another rank than 0 does.
void followRankZero(const tprt_module_t &module, const Manifest &manifest,
                    const CommandLine &command, World &world) {
  requireWeights(command, manifest);
  Session session(module, sessionOptions(command, manifest, &world));
  session.follow();
}

void runProgram(const tprt_module_t &module, const Manifest &manifest, const CommandLine &command,
                World *world) {
  if (world)
    world->checkProgram(manifest.numRanks());
  if (world && world->rank() > 0)
    followRankZero(module, manifest, command, *world);
  else if (command.score && !manifest.embeddingModel)
    scoreTokens(module, manifest, command, world);
  else if (command.serve)
    serveRequests(module, manifest, command, world);
  else if (manifest.languageModel && !command.entry)
    generateTokens(module, manifest, command, world);
  else if (manifest.embeddingModel && !command.entry)
    embedTexts(module, manifest, command, world);
  else
    callEntry(module, manifest, command, world);
}

/// Runs `body`; its exception as an error.
template <typename Body> std::optional<Error> errorOf(Body &&body) {
  try {
    body();
  } catch (const Error &error) {
    return error;
  } catch (const std::bad_alloc &) {
    return runFailure("out of memory");
  } catch (const std::exception &exception) {
    return runFailure(exception.what());
  }
  return std::nullopt;
}

} // namespace

int tprt_main(int argc, char **argv, const tprt_module_t *module) {
  occupyStandardStreams();
  installFaultHandler();
  signal(SIGXFSZ, SIG_IGN); // a limit of file sizes is an error of the write
  CommandLine command;
  Manifest manifest;
  std::unique_ptr<World> world;
  bool done = false;
  std::optional<Error> error = errorOf([&] {
    command = parseCommandLine(argc, argv);
    manifest = parseManifest(module->manifest);
    done = command.help || command.describe;
    if (done && isFirstProcess())
      printTokens(command.help ? *command.help : describe(manifest));
    if (!done)
      world =
          startWorld(command.launch, module->manifest, {command.rankTimeout, command.startTimeout});
  });
  if (error)
    return endAlone(*error);
  if (done)
    return kExitDone;
  error = errorOf([&] { runProgram(*module, manifest, command, world.get()); });
  if (world)
    return world->end(error ? &*error : nullptr);
  return error ? reportError(*error) : kExitDone;
}
