//===- CommandLine.cpp - options of a linked executable -------------------===//

#include "CommandLine.h"

#include "NearNames.h"
#include "TokenText.h"
#include "tprt/error.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <iomanip>
#include <limits>
#include <map>
#include <sstream>
#include <type_traits>

using namespace tprt;

namespace {
constexpr double kLongestTimeout = 1e6; // seconds
constexpr int kMostThreads = 1024;

/// A number of type T from `least` to `most` and nothing else: CLI11 itself replaces
/// integers outside T by the nearest one. The error has the value as it was given.
template <typename T>
CLI::Validator number(const char *option, T least, T most, const char *unit = "") {
  return CLI::Validator(
      [=](std::string &text) {
        T value;
        const char *end = text.data() + text.size();
        const auto [rest, problem] = std::from_chars(text.data(), end, value);
        if (problem == std::errc() && rest == end && value >= least && value <= most)
          return std::string();
        std::ostringstream range;
        range << std::setprecision(7) << least << " to " << most << unit;
        throw badInput(std::string(option) + " must be " +
                       (std::is_integral_v<T> ? "a whole number" : "a number") + " from " +
                       range.str() + ", found '" + text + "'");
      },
      "");
}

/// Counts from `least` on.
template <typename T> CLI::Validator count(const char *option, T least) {
  return number<T>(option, least, std::numeric_limits<T>::max());
}

/// Where a file or a name must be given.
CLI::Validator some(const char *option) {
  return CLI::Validator(
      [=](std::string &text) {
        if (text.empty())
          throw badInput(std::string(option) + " needs a value");
        return std::string();
      },
      "");
}
} // namespace

CommandLine tprt::parseCommandLine(int argc, const char *const *argv) {
  CommandLine result;
  std::vector<std::string> rows;
  CLI::App app("Runs a compiled model on all ranks of its mesh.");
  app.set_help_flag("--help,-h", "Print this text and exit");
  app.allow_extras();
  app.add_option("--weights", result.weights, "Directory with the checkpoint (safetensors)")
      ->check(some("--weights"));
  app.add_option("--random-weights", result.randomWeights,
                 "Random weights that this number starts, instead of a checkpoint; equal numbers "
                 "give equal weights on any number of ranks")
      ->type_name("SEED")
      ->check(count<uint64_t>("--random-weights", 0));
  app.add_option("--tokens", rows,
                 "Prompt as comma-separated token ids; one row per option, or rows "
                 "separated by ';'")
      ->allow_extra_args(false)
      ->take_all();
  app.add_flag("--serve", result.serve,
               "Answer one request per line of standard input (token ids or JSON) until it ends");
  app.add_flag("--score", result.score,
               "Print the logarithm of the probability of each token of --tokens after the "
               "first, instead of generating (needs tp-import --all-logits)");
  app.add_flag("--describe", result.describe,
               "Print mesh, entries and sizes of the program as JSON and exit");
  app.add_option("--generate", result.generate,
                 "Number of tokens to generate (default: 16, or what fits)")
      ->check(count<int64_t>("--generate", 0));
  app.add_option("--temperature", result.sampling.temperature,
                 "Divide the logits by T and choose at random; 0 takes the largest (default: 0)")
      ->type_name("T");
  app.add_option("--top-k", result.sampling.topK,
                 "Choose among the K most likely tokens; 0: among all (default: 0)")
      ->type_name("K")
      ->check(count<int64_t>("--top-k", 0));
  app.add_option("--top-p", result.sampling.topP,
                 "Choose among the fewest tokens that have probability P together (default: 1)")
      ->type_name("P");
  app.add_option("--seed", result.sampling.seed,
                 "Start of the random numbers; equal seeds give equal tokens (default: 0)")
      ->type_name("S")
      ->check(count<uint64_t>("--seed", 0));
  app.add_option("--logits", result.logits,
                 "Write the logits that gave each new token to this .npy file")
      ->check(some("--logits"));
  app.add_option("--embedding", result.embedding,
                 "Write the embeddings of the texts in --tokens to this .npy file, instead of "
                 "printing them (embedding models)")
      ->check(some("--embedding"));
  app.add_option("--entry", result.entry, "Entry to call once, instead of generating tokens")
      ->check(some("--entry"));
  app.add_option("--input", result.inputs,
                 "Input of the entry: NAME=FILE.npy, or NAME=NUMBER for a scalar")
      ->allow_extra_args(false)
      ->take_all();
  app.add_option("--output", result.output, "Directory for resultN.npy and stateN.npy")
      ->check(some("--output"));
  app.add_option("--threads", result.threads,
                 "Threads per rank (default: processors / ranks on this host)")
      ->check(number("--threads", 1, kMostThreads));
  app.add_option("--virtual-ranks", result.virtualRanks,
                 "Of programs for GPUs: put all ranks, which must be N, on one GPU")
      ->type_name("N")
      ->check(count<int>("--virtual-ranks", 1));
  app.add_option(
         "--launch", result.launch,
         "Ranks are threads of this process, or processes that meet where MASTER_ADDR and "
         "MASTER_PORT say (tcp) or that MPI connects; auto: processes where torchrun, mpirun "
         "or srun has started several (default: auto)")
      ->check(CLI::IsMember({"auto", "threads", "tcp", "mpi"}));
  app.add_option("--rank-timeout", result.rankTimeout,
                 "Of processes: one that is silent for S seconds is lost, 0: never (default: 3)")
      ->type_name("S")
      ->check(number("--rank-timeout", 0.0, kLongestTimeout, " seconds"));
  app.add_option("--start-timeout", result.startTimeout,
                 "Of processes: seconds in which all must find each other (default: 60)")
      ->type_name("S")
      ->check(number("--start-timeout", 0.001, kLongestTimeout, " seconds"));
  app.add_flag("--check-collectives", result.checkCollectives,
               "Compare all ranks before each collective");
  app.add_flag("--check-finite", result.checkFinite, "Fail when a result holds inf or NaN");
  app.add_flag(
      "--no-graphs", result.noGraphs,
      "On GPUs: launch the kernels of every call one by one, instead of as a graph from an "
      "entry's second call on");
  app.add_flag("--stats", result.stats,
               "Print time, communication and memory of each rank to standard error at the end");
  app.add_option("--trace", result.trace,
                 "Write what each rank did to this JSON file (for ui.perfetto.dev)")
      ->check(some("--trace"));
  app.add_option("--trace-spans", result.traceSpans,
                 "Of what a rank did, keep the first N spans for --trace (default: 1048576)")
      ->type_name("N")
      ->check(count<int64_t>("--trace-spans", 1));
  app.add_option("--autotune", result.autotune,
                 "On GPUs: take the fastest algorithm of each matrix product from this file, and "
                 "measure and add those that it lacks")
      ->check(some("--autotune"));
  app.add_option("--metrics", result.metrics, "Write memory and speed to this JSON file")
      ->check(some("--metrics"));
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp &) {
    result.help = app.help();
    return result;
  } catch (const CLI::ParseError &error) {
    throw badInput(error.what(), {"--help lists the options"});
  }
  const std::vector<std::string> extras = app.remaining();
  if (!extras.empty()) {
    std::vector<std::string> names;
    for (const CLI::Option *option : app.get_options())
      names.push_back(option->get_name());
    std::vector<std::string> notes = nearNotes(extras[0], names);
    notes.push_back("--help lists the options");
    throw badInput("unknown option or argument '" + extras[0] + "'", notes);
  }
  if (result.traceSpans && !result.trace)
    throw badInput("--trace-spans needs --trace");
  if (result.weights && result.randomWeights)
    throw badInput("--weights and --random-weights do not go together");
  std::map<std::string, std::string> outputs; // file -> option
  for (const auto &[option, file] :
       {std::pair("--logits", result.logits), std::pair("--embedding", result.embedding),
        std::pair("--metrics", result.metrics), std::pair("--trace", result.trace)})
    if (file && !outputs.emplace(*file, option).second)
      throw badInput(outputs[*file] + " and " + option + " name the same file, '" + *file + "'");
  result.sampling.check("--", '-');
  result.samplingGiven = app.count("--temperature") + app.count("--top-k") + app.count("--top-p") +
                         app.count("--seed");
  for (const std::string &text : rows)
    for (std::vector<int64_t> &row : parseRows(text, "--tokens: "))
      result.prompts.push_back(std::move(row));
  return result;
}
