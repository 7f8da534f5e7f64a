//===- Options.cpp ---------------------------------------------------------===//

#include "Options.h"

#include "tp/Support/ToolError.h"
#include "llvm/ADT/StringExtras.h"
#include <CLI/CLI.hpp>
#include <map>

using namespace mlir;
using namespace mlir::tp;

static constexpr char kUsage[] =
    "tp-import DIR -o FILE [--max-seq N] [--chunk C] [--batch B] [--dtype f32|bf16|f16] "
    "[--all-logits]";

static constexpr char kDescription[] =
    "Reads a Hugging Face checkpoint directory (config.json, model.safetensors or\n"
    "model.safetensors.index.json) and writes the unsharded program, with the entries\n"
    "prefill and decode, or encode of an encoder, as MLIR text. Weights stay in the\n"
    "checkpoint.\n";

/// A wrong command line as an error in our style: no capital (but names stay as
/// they are), no final period.
static llvm::Error usageError(StringRef message) {
  std::string text = message.rtrim(".\n ").str();
  if (text.size() > 1 && llvm::isLower(text[1]))
    text[0] = llvm::toLower(text[0]);
  return userError(text, {std::string("usage: ") + kUsage});
}

llvm::Expected<std::optional<CommandLine>> tp::parseCommandLine(int argc, char **argv) {
  CommandLine commandLine;
  const std::map<std::string, ImportType> types = {
      {"f32", ImportType::F32}, {"bf16", ImportType::BF16}, {"f16", ImportType::F16}};
  std::string dtype = "f32";
  CLI::App app(kDescription, "tp-import");
  app.add_option("DIR", commandLine.import.directory, "checkpoint directory")
      ->required()
      ->type_name("");
  app.add_option("-o,--output", commandLine.output, "output file; - is standard output")
      ->required()
      ->type_name("FILE");
  app.add_option("--max-seq", commandLine.import.maxSeq,
                 "positions of a sequence (default: what the model allows, at most 2048; of an\n"
                 "encoder at most what sentence_bert_config.json says, else 512)")
      ->type_name("N");
  app.add_option("--chunk", commandLine.import.chunk,
                 "tokens that one prefill call takes (default: 128, at most N)")
      ->type_name("C");
  app.add_option("--batch", commandLine.import.batch, "sequences that run at once (default: 1)")
      ->type_name("B");
  app.add_flag("--all-logits", commandLine.import.allLogits,
               "also make the entry score, which gives the logits of every position (for\n"
               "evaluation: perplexity, log-probabilities)");
  app.add_option("--dtype", dtype,
                 "element type of weights, caches and activations: f32, bf16 or f16 (default: f32)")
      ->type_name("TYPE");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp &) {
    llvm::outs() << app.help();
    return std::nullopt;
  } catch (const CLI::ParseError &error) {
    return usageError(error.what());
  }
  auto type = types.find(dtype);
  if (type == types.end())
    return usageError("--dtype: expected f32, bf16 or f16, found '" + dtype + "'");
  commandLine.import.type = type->second;
  return commandLine;
}
