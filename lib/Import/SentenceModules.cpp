//===- SentenceModules.cpp - What follows an encoder -----------------------===//

#include "SentenceModules.h"

#include "Json.h"
#include "tp/Import/Config.h"
#include "tp/Support/ToolError.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace mlir::tp;

static llvm::Error readPooling(const std::string &path, int64_t width, SentenceModules &modules) {
  llvm::Expected<Config> config = Config::read(path);
  if (!config)
    return config.takeError();
  if (int64_t found = config->size("word_embedding_dimension", width); found != width)
    config->fail("word_embedding_dimension", "must be the hidden size of the model, " +
                                                 llvm::Twine(width) + ", found " +
                                                 llvm::Twine(found));
  bool mean = config->boolean("pooling_mode_mean_tokens", false);
  bool first = config->boolean("pooling_mode_cls_token", false);
  for (llvm::StringRef other :
       {"max_tokens", "mean_sqrt_len_tokens", "weightedmean_tokens", "lasttoken"})
    config->expect(("pooling_mode_" + other).str(), false);
  // It is about prompts in front of the text, which the caller's tokens have or not.
  config->expect("include_prompt", true);
  config->expectAllRead();
  if (mean == first)
    config->fail("pooling_mode_mean_tokens",
                 "one of it and pooling_mode_cls_token must be true, found " +
                     llvm::Twine(mean ? "both" : "none"));
  modules.pooling = mean ? Pooling::Mean : Pooling::First;
  return config->takeError();
}

/// The name and the directory of a module, or an error.
static llvm::Expected<std::pair<std::string, std::string>>
readModule(const llvm::json::Value &value, llvm::StringRef file) {
  const llvm::json::Object *object = value.getAsObject();
  std::optional<llvm::StringRef> type = object ? object->getString("type") : std::nullopt;
  std::optional<llvm::StringRef> path = object ? object->getString("path") : std::nullopt;
  if (!type || !path)
    return userError(file + ": expected a module with type and path, found " + describe(value));
  return std::pair(type->rsplit('.').second.empty() ? type->str() : type->rsplit('.').second.str(),
                   path->str());
}

static llvm::Error readModules(llvm::StringRef directory, const std::string &file, int64_t width,
                               SentenceModules &modules) {
  llvm::Expected<std::string> text = readTextFile(file);
  if (!text)
    return text.takeError();
  llvm::Expected<llvm::json::Array> list = parseJsonArray(*text, file);
  if (!list)
    return list.takeError();
  std::string order;
  for (const llvm::json::Value &value : *list) {
    auto module = readModule(value, file);
    if (!module)
      return module.takeError();
    const auto &[type, path] = *module;
    order += (order.empty() ? "" : ", ") + type;
    if (type == "Transformer" && !path.empty())
      return userError(file + ": the Transformer must be in this directory, found path '" + path +
                       "'");
    if (type == "Pooling")
      if (llvm::Error error =
              readPooling(joinPath(joinPath(directory, path), "config.json"), width, modules))
        return error;
    modules.normalize |= type == "Normalize";
  }
  if (order != "Transformer, Pooling" && order != "Transformer, Pooling, Normalize")
    return userError(file +
                     ": supported modules are Transformer, Pooling and then Normalize or "
                     "nothing, found " +
                     (order.empty() ? "none" : order));
  return llvm::Error::success();
}

llvm::Expected<SentenceModules> tp::readSentenceModules(llvm::StringRef directory, int64_t width) {
  SentenceModules modules;
  std::string file = joinPath(directory, "modules.json");
  if (!llvm::sys::fs::exists(file))
    return modules;
  if (llvm::Error error = readModules(directory, file, width, modules))
    return std::move(error);
  std::string lengths = joinPath(directory, "sentence_bert_config.json");
  if (!llvm::sys::fs::exists(lengths))
    return modules;
  llvm::Expected<Config> config = Config::read(lengths);
  if (!config)
    return config.takeError();
  if (config->has("max_seq_length"))
    modules.maxSeq = config->size("max_seq_length");
  // Who makes tokens of a text has to do it, as tp.embed does.
  config->boolean("do_lower_case", false);
  config->expect("mask_prompt", false);
  config->expectAllRead();
  if (llvm::Error error = config->takeError())
    return std::move(error);
  return modules;
}
