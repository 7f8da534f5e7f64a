//===- CommandLine.h - options of a linked executable -----------*- C++ -*-===//

#ifndef TPRT_CORE_COMMANDLINE_H
#define TPRT_CORE_COMMANDLINE_H

#include "Sampling.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tprt {

struct CommandLine {
  std::optional<std::string> weights;
  std::optional<uint64_t> randomWeights;     ///< seed; goes without `weights`
  std::vector<std::vector<int64_t>> prompts; ///< rows of --tokens
  bool serve = false;
  bool score = false;              ///< probabilities of the prompts instead of new tokens
  bool describe = false;           ///< print what the program is instead of running
  std::optional<int64_t> generate; ///< new tokens per row
  Sampling sampling;
  bool samplingGiven = false; ///< one of its options is there
  std::optional<std::string> logits;
  std::optional<std::string> embedding;
  std::optional<std::string> entry;
  std::vector<std::string> inputs; ///< KEY=VALUE
  std::optional<std::string> output;
  int threads = 0; ///< per rank; 0: as many as the processors allow
  bool checkCollectives = false;
  bool checkFinite = false;
  bool noGraphs = false;
  std::optional<std::string> metrics;
  std::optional<std::string> autotune;
  bool stats = false;
  std::optional<std::string> trace;
  std::optional<int64_t> traceSpans; ///< that a rank keeps
  int virtualRanks = 0;              ///< on one GPU; 0: one each
  std::string launch = "auto";       ///< whether ranks are threads or processes
  double rankTimeout = 3;            ///< seconds; 0: none
  double startTimeout = 60;          ///< seconds
  std::optional<std::string> help;   ///< text to print instead of running
};

/// Throws `Error` with exit code 2.
CommandLine parseCommandLine(int argc, const char *const *argv);

} // namespace tprt

#endif // TPRT_CORE_COMMANDLINE_H
