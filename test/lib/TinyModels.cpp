//===- TinyModels.cpp - What the importer makes of tiny checkpoints --------===//

#include "TestPrograms.h"

#include "tp/Import/Config.h"
#include "tp/Import/Family.h"
#include "tp/Import/Import.h"
#include "tp/Import/TensorPatterns.h"
#include "tp/Plan/Plan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

#include <fstream>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::test;

namespace fs = llvm::sys::fs;

namespace {
struct TinyModel {
  StringRef name;
  StringRef config; ///< config.json
};
struct BuiltinPlan {
  StringRef name, mesh;
};
} // namespace

/// One layer (two where they are of two kinds), heads and sizes that do not divide.
static constexpr TinyModel kModels[] = {
    {"llama", R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"],
      "hidden_act": "silu", "hidden_size": 6, "intermediate_size": 5, "num_hidden_layers": 1,
      "num_attention_heads": 6, "num_key_value_heads": 3, "head_dim": 2,
      "max_position_embeddings": 8, "rms_norm_eps": 1e-05, "rope_theta": 10000.0,
      "attention_bias": true, "mlp_bias": true, "vocab_size": 7, "tie_word_embeddings": true})"},
    {"gemma", R"({"model_type": "gemma3_text", "architectures": ["Gemma3ForCausalLM"],
      "hidden_activation": "gelu_pytorch_tanh", "hidden_size": 6, "intermediate_size": 5,
      "num_hidden_layers": 2, "num_attention_heads": 3, "num_key_value_heads": 1, "head_dim": 2,
      "max_position_embeddings": 8, "rms_norm_eps": 1e-06, "query_pre_attn_scalar": 24,
      "sliding_window": 3, "sliding_window_pattern": 2, "rope_theta": 1000.0,
      "rope_local_base_freq": 50.0, "vocab_size": 7, "tie_word_embeddings": true})"},
    {"gpt2", R"({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"],
      "activation_function": "gelu_new", "n_embd": 6, "n_head": 3, "n_layer": 1,
      "n_positions": 8, "layer_norm_epsilon": 1e-05, "vocab_size": 7})"},
};
static constexpr BuiltinPlan kPlans[] = {
    {"megatron", "tp=2"}, {"megatron", "tp=3"}, {"megatron-sp", "tp=2"}};

/// A checkpoint of zeros: what the family's table asks for.
static llvm::Error writeTensors(StringRef directory) {
  llvm::Expected<Config> config = Config::read((directory + "/config.json").str());
  if (!config)
    return config.takeError();
  std::string type = config->string("model_type");
  auto entry = llvm::find_if(getFamilies(),
                             [&](const FamilyEntry &known) { return known.modelType == type; });
  std::unique_ptr<Family> family = entry->create();
  ModelFacts facts = family->configure(*config);
  std::map<std::string, TensorInstance> tensors;
  for (const TensorInstance &tensor : instantiate(family->parameters(), facts))
    tensors.emplace(tensor.tensor, tensor);
  llvm::json::Object header;
  int64_t end = 0;
  for (const auto &[name, tensor] : tensors) {
    int64_t begin = end;
    end += 4 * llvm::product_of(tensor.sourceShape);
    header[name] = llvm::json::Object{{"dtype", "F32"},
                                      {"shape", llvm::json::Array(tensor.sourceShape)},
                                      {"data_offsets", llvm::json::Array{begin, end}}};
  }
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(header));
  uint64_t size = text.size();
  std::ofstream file((directory + "/model.safetensors").str(), std::ios::binary);
  // Little-endian, as the machines that run this.
  file.write(reinterpret_cast<const char *>(&size), sizeof(size));
  file << text << std::string(end, '\0');
  return llvm::Error::success();
}

static OwningOpRef<ModuleOp> import(const TinyModel &model, MLIRContext *context) {
  SmallString<128> directory;
  if (fs::createUniqueDirectory("tp-tiny-model", directory))
    llvm::report_fatal_error("no directory for temporary files");
  std::ofstream((directory + "/config.json").str()) << model.config.str();
  ImportOptions options;
  options.directory = directory.str();
  options.maxSeq = 6;
  options.chunk = 3;
  if (llvm::Error error = writeTensors(directory))
    llvm::report_fatal_error(std::move(error));
  llvm::Expected<OwningOpRef<ModuleOp>> module = importModel(options, context);
  fs::remove_directories(directory);
  if (!module)
    llvm::report_fatal_error(module.takeError());
  return std::move(*module);
}

std::vector<TestProgram> test::importTinyModels(MLIRContext *context) {
  std::vector<TestProgram> programs;
  for (const TinyModel &model : kModels) {
    OwningOpRef<ModuleOp> imported = import(model, context);
    for (const BuiltinPlan &plan : kPlans) {
      TestProgram program;
      program.name = (model.name + " " + plan.name + " " + plan.mesh).str();
      program.original = imported->clone();
      program.module = imported->clone();
      if (succeeded(applyRequestedPlan(*program.module, plan.name, plan.mesh)))
        programs.push_back(std::move(program));
    }
  }
  return programs;
}
