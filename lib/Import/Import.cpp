//===- Import.cpp - From directory to program ------------------------------===//

#include "tp/Import/Import.h"

#include "EmbeddingModel.h"
#include "Json.h"
#include "LanguageModel.h"

#include "dialects/NN/NN.h"
#include "dialects/TP/TP.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "tp/Import/Checkpoint.h"
#include "tp/Import/Config.h"
#include "tp/Import/TensorPatterns.h"
#include "tp/Support/ToolError.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tp;

void tp::registerImportDialects(DialectRegistry &registry) {
  registry.insert<TPDialect, nn::NNDialect, arith::ArithDialect, func::FuncDialect,
                  linalg::LinalgDialect, math::MathDialect, tensor::TensorDialect>();
}

static Type elementType(ImportType type, MLIRContext *context) {
  Builder builder(context);
  switch (type) {
  case ImportType::F32:
    return builder.getF32Type();
  case ImportType::BF16:
    return builder.getBF16Type();
  case ImportType::F16:
    return builder.getF16Type();
  }
  llvm_unreachable("unknown type");
}

/// The family that config.json asks for; an error of `config` otherwise.
static const FamilyEntry *selectFamily(Config &config) {
  std::string modelType = config.string("model_type");
  std::string supported;
  for (const FamilyEntry &entry : getFamilies()) {
    if (entry.modelType == modelType) {
      config.expectElement("architectures", entry.architecture);
      return &entry;
    }
    supported += (supported.empty() ? "" : ", ") + entry.modelType.str();
  }
  config.fail("model_type", "supported are " + supported + ", found '" + modelType + "'");
  return nullptr;
}

static llvm::Error checkSize(StringRef option, int64_t value, int64_t limit, const Twine &why) {
  if (value >= 1 && value <= limit)
    return llvm::Error::success();
  return userError(option + ": expected a number from 1 to " + Twine(limit) + why + ", found " +
                   Twine(value));
}

/// Positions of a sequence: what --max-seq says, else `fallback`.
static llvm::Expected<int64_t> resolveMaxSeq(const ImportOptions &options, const ModelFacts &facts,
                                             int64_t fallback) {
  int64_t maxSeq = options.maxSeq.value_or(std::min(facts.maxPositions, fallback));
  if (llvm::Error error = checkSize("--max-seq", maxSeq, facts.maxPositions,
                                    " (max_position_embeddings of the model)"))
    return std::move(error);
  return maxSeq;
}

/// The sizes of the program that the options ask for, or an error.
static llvm::Error resolveSizes(const ImportOptions &options, const ModelFacts &facts,
                                LanguageModel &model) {
  llvm::Expected<int64_t> maxSeq = resolveMaxSeq(options, facts, 2048);
  if (!maxSeq)
    return maxSeq.takeError();
  model.maxSeq = *maxSeq;
  model.chunk = options.chunk.value_or(std::min<int64_t>(model.maxSeq, 128));
  model.allLogits = options.allLogits;
  return checkSize("--chunk", model.chunk, model.maxSeq, " (the value of --max-seq)");
}

/// tp.source of a parameter.
static DictionaryAttr sourceOf(const TensorInstance &instance, const TensorInfo &info,
                               Type element) {
  MLIRContext *context = element.getContext();
  Builder builder(context);
  NamedAttrList source;
  source.set("tensor", builder.getStringAttr(instance.tensor));
  source.set("shape", builder.getI64ArrayAttr(info.shape));
  if (!instance.view.empty()) {
    source.set("view", builder.getI64ArrayAttr(instance.view));
    source.set("offset", builder.getI64ArrayAttr(instance.offset));
    source.set("size", builder.getI64ArrayAttr(instance.size));
    source.set("permutation", builder.getI64ArrayAttr(instance.permutation));
  }
  std::string dtype = StringRef(info.dtype).lower(), wanted;
  llvm::raw_string_ostream(wanted) << element;
  if (dtype != wanted)
    source.set("dtype", builder.getStringAttr(dtype));
  return source.getDictionary(context);
}

/// A field that changes the result of some family and that this one has not asked
/// for is no part of it. A switch that is off changes nothing.
static void rejectForeignFields(Config &config, StringRef modelType) {
  for (StringRef field : getModelFields())
    if (config.isSet(field) && !config.wasRead(field))
      config.fail(field, "has no meaning for model_type '" + modelType + "'");
}

static llvm::Expected<Config> readConfig(StringRef directory) {
  if (!llvm::sys::fs::exists(directory))
    return userError(directory + ": does not exist");
  if (!llvm::sys::fs::is_directory(directory))
    return userError(directory + ": is not a directory");
  return Config::read(joinPath(directory, "config.json"));
}

/// Takes the prefix off the tensors' names where the checkpoint's have none.
static void leaveOutPrefix(std::vector<TensorInstance> &parameters, StringRef prefix,
                           const Checkpoint &checkpoint) {
  if (prefix.empty() || llvm::any_of(checkpoint.tensors, [&](const auto &entry) {
        return StringRef(entry.first).starts_with(prefix);
      }))
    return;
  for (TensorInstance &parameter : parameters)
    if (StringRef(parameter.tensor).starts_with(prefix))
      parameter.tensor.erase(0, prefix.size());
}

/// Parameters and states of the program, each parameter found in the checkpoint.
static llvm::Error collectValues(StringRef directory, const FamilyEntry &entry, ModelFacts facts,
                                 ImportedProgram &model) {
  llvm::Expected<Checkpoint> checkpoint = Checkpoint::open(directory);
  if (!checkpoint)
    return checkpoint.takeError();
  // A layer has one tensor at least, so one layer more than tensors is enough to find one missing.
  facts.layers = std::min<int64_t>(facts.layers, checkpoint->tensors.size() + 1);
  std::vector<TensorInstance> parameters = instantiate(model.family.parameters(), facts);
  leaveOutPrefix(parameters, model.family.optionalPrefix(), *checkpoint);
  if (llvm::Error error =
          checkTensors(*checkpoint, parameters, model.family.ignored(), entry.modelType))
    return error;
  auto toValue = [&](const TensorInstance &instance, DictionaryAttr source) {
    auto type = RankedTensorType::get(instance.shape, model.element);
    return ProgramValue{instance.name, instance.role.str(), type, source};
  };
  for (const TensorInstance &parameter : parameters) {
    const TensorInfo &info = checkpoint->tensors.at(parameter.tensor);
    model.parameters.push_back(toValue(parameter, sourceOf(parameter, info, model.element)));
  }
  for (const TensorInstance &state : instantiate(model.family.states(), facts))
    model.states.push_back(toValue(state, DictionaryAttr()));
  return llvm::Error::success();
}

using Module = OwningOpRef<ModuleOp>;

static llvm::Expected<Module> importDecoder(const ImportOptions &options, const FamilyEntry &entry,
                                            ModelFacts facts, const ImportedProgram &program,
                                            MLIRContext *context) {
  LanguageModel model(program);
  model.bos = facts.bos.empty() ? -1 : facts.bos.front();
  model.eos = facts.eos;
  if (llvm::Error error = resolveSizes(options, facts, model))
    return std::move(error);
  facts.sizes['T'] = llvm::alignTo(model.maxSeq, model.chunk);
  if (llvm::Error error = collectValues(options.directory, entry, facts, model))
    return std::move(error);
  return buildLanguageModel(model, context);
}

static llvm::Expected<Module> importEncoder(const ImportOptions &options, const FamilyEntry &entry,
                                            ModelFacts facts, const ImportedProgram &program,
                                            MLIRContext *context) {
  for (auto [option, given] :
       {std::pair("--chunk", options.chunk.has_value()), {"--all-logits", options.allLogits}})
    if (given)
      return userError(Twine(option) + ": is for language models, '" + entry.modelType +
                       "' is an encoder");
  int64_t width = facts.sizes.lookup('d');
  llvm::Expected<SentenceModules> modules = readSentenceModules(options.directory, width);
  if (!modules)
    return modules.takeError();
  // sentence-transformers takes the longer length, and fails with a text that has it.
  if (!options.maxSeq && modules->maxSeq.value_or(0) > facts.maxPositions)
    emitRemark(UnknownLoc::get(context))
        << options.directory << ": max_seq_length of sentence_bert_config.json is "
        << *modules->maxSeq << ", but the model has " << facts.maxPositions
        << " positions (max_position_embeddings); the program takes texts of " << facts.maxPositions
        << " tokens";
  llvm::Expected<int64_t> seq = resolveMaxSeq(options, facts, modules->maxSeq.value_or(512));
  if (!seq)
    return seq.takeError();
  facts.sizes['S'] = *seq;
  facts.sizes['R'] = facts.maxPositions - *seq;
  EmbeddingModel model(program, *modules, *seq, width);
  if (llvm::Error error = collectValues(options.directory, entry, facts, model))
    return std::move(error);
  return buildEmbeddingModel(model, context);
}

llvm::Expected<Module> tp::importModel(const ImportOptions &options, MLIRContext *context) {
  context->loadAllAvailableDialects();
  llvm::Expected<Config> config = readConfig(options.directory);
  if (!config)
    return config.takeError();
  const FamilyEntry *entry = selectFamily(*config);
  if (llvm::Error error = config->takeError())
    return std::move(error);
  std::unique_ptr<Family> family = entry->create();
  ModelFacts facts = family->configure(*config);
  rejectForeignFields(*config, entry->modelType);
  if (llvm::Error error = config->takeError())
    return std::move(error);

  ImportedProgram program(*family, elementType(options.type, context));
  program.vocab = facts.sizes.lookup('V');
  program.batch = options.batch;
  if (llvm::Error error = checkSize("--batch", program.batch, 65536, ""))
    return std::move(error);
  facts.sizes['B'] = program.batch;
  auto import = family->isEncoder() ? importEncoder : importDecoder;
  llvm::Expected<Module> module = import(options, *entry, std::move(facts), program, context);
  if (!module)
    return module.takeError();
  assert(succeeded(verify(**module)) && "an imported program is valid");
  return module;
}

std::string tp::printModel(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, OpPrintingFlags().enableDebugInfo().printNameLocAsPrefix());
  os << '\n';
  return text;
}
