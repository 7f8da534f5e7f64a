//===- Manifest.cpp - reading and checking the manifest -------------------===//

#include "tprt/manifest.h"

#include "CountText.h"
#include "DType.h"
#include "JsonProblem.h"
#include "tprt/error.h"

#include <nlohmann/json.hpp>

#include <map>

using namespace tprt;
using nlohmann::json;

int64_t tprt::elementCount(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

std::string tprt::shapeText(const std::vector<int64_t> &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

int64_t ValueInfo::localBytes() const { return elementCount(localShape) * tprt_dtype_size(dtype); }

int Manifest::numRanks() const {
  int64_t count = 1;
  for (const MeshAxis &axis : mesh)
    count *= axis.size;
  return int(count);
}

int Manifest::findEntry(const std::string &name) const {
  for (size_t i = 0; i < entries.size(); ++i)
    if (entries[i].name == name)
      return int(i);
  return -1;
}

namespace {

// Ranks of one program and elements of one value: far above any real program,
// low enough that no product overflows.
constexpr int64_t kMaxRanks = 1 << 16;
constexpr int64_t kMaxElements = int64_t(1) << 48;

[[noreturn]] void invalid(const std::string &message) { throw badInput("manifest: " + message); }

const json &member(const json &object, const char *key, const std::string &where) {
  auto it = object.find(key);
  if (it == object.end())
    invalid(where + " has no \"" + key + "\"");
  return *it;
}

std::vector<int64_t> parseShape(const json &value, const std::string &where) {
  auto shape = value.get<std::vector<int64_t>>();
  int64_t count = 1;
  for (int64_t size : shape) {
    if (size < 0 || (size > 0 && count > kMaxElements / size))
      invalid(where + ": shape " + shapeText(shape) + " is not possible");
    count *= size;
  }
  return shape;
}

int32_t parseKind(const std::string &name, const std::string &where) {
  for (int32_t kind = TPRT_SUM; kind <= TPRT_MINNUM; ++kind)
    if (name == tprt_reduction_name(kind))
      return kind;
  invalid(where + ": unknown reduction '" + name + "'");
}

int32_t parseDTypeName(const json &value, const std::string &where) {
  int32_t dtype = parseDType(value.get<std::string>());
  if (dtype < 0)
    invalid(where + ": unknown dtype '" + value.get<std::string>() + "'");
  return dtype;
}

AxisPart parseAxisPart(const json &value, const Manifest &manifest, const std::string &where) {
  AxisPart part;
  part.axis = member(value, "axis", where).get<int>();
  if (part.axis < 0 || size_t(part.axis) >= manifest.mesh.size())
    invalid(where + ": axis " + std::to_string(part.axis) + " is not in the mesh");
  int64_t axisSize = manifest.mesh[part.axis].size;
  part.pre = value.value("pre", int64_t(1));
  part.size = value.value("size", axisSize);
  if (part.pre < 1 || part.size < 1 || part.pre > axisSize || part.size > axisSize ||
      axisSize % (part.pre * part.size))
    invalid(where + ": part :(" + std::to_string(part.pre) + ")" + std::to_string(part.size) +
            " does not divide axis '" + manifest.mesh[part.axis].name + "' of size " +
            std::to_string(axisSize));
  return part;
}

ParameterSource parseSource(const json &value, const ValueInfo &info, const std::string &where) {
  ParameterSource source;
  source.tensor = member(value, "tensor", where).get<std::string>();
  source.shape = parseShape(member(value, "shape", where), where);
  source.view = value.contains("view") ? parseShape(value["view"], where) : source.shape;
  if (elementCount(source.view) != elementCount(source.shape))
    invalid(where + ": source " + shapeText(source.shape) + " cannot be seen as " +
            shapeText(source.view));
  size_t rank = source.view.size();
  source.offset = value.value("offset", std::vector<int64_t>(rank, 0));
  source.size = value.value("size", source.view);
  source.permutation = value.value("permutation", std::vector<int64_t>());
  if (source.permutation.empty())
    for (size_t i = 0; i < rank; ++i)
      source.permutation.push_back(int64_t(i));
  if (value.contains("dtype"))
    source.dtype = parseDTypeName(value["dtype"], where);

  if (source.offset.size() != rank || source.size.size() != rank ||
      source.permutation.size() != rank)
    invalid(where + ": source has ranks that differ");
  std::vector<bool> seen(rank);
  for (size_t i = 0; i < rank; ++i) {
    if (source.offset[i] < 0 || source.size[i] < 0 ||
        source.offset[i] > source.view[i] - source.size[i])
      invalid(where + ": source slice is outside " + shapeText(source.view));
    int64_t from = source.permutation[i];
    if (from < 0 || size_t(from) >= rank || seen[from])
      invalid(where + ": source permutation is none");
    seen[from] = true;
  }
  if (elementCount(source.size) != elementCount(info.globalShape))
    invalid(where + ": source " + shapeText(source.size) + " cannot be reshaped to " +
            shapeText(info.globalShape));
  return source;
}

void parseBlocks(const json &value, ValueInfo &info, int numRanks, const std::string &where) {
  if (!value.is_array() || value.size() != size_t(numRanks))
    invalid(where + ": blocks are not given for " + countText(numRanks, "rank"));
  for (const json &rankBlock : value) {
    std::vector<Range> block;
    for (const json &range : rankBlock)
      block.push_back({range.at(0).get<int64_t>(), range.at(1).get<int64_t>()});
    if (block.size() != info.globalShape.size())
      invalid(where + ": a block has the wrong rank");
    for (size_t i = 0; i < block.size(); ++i)
      if (block[i].offset < 0 || block[i].size < 0 || block[i].size > info.localShape[i] ||
          block[i].offset > info.globalShape[i] - block[i].size)
        invalid(where + ": block [" + std::to_string(block[i].offset) + ", " +
                std::to_string(block[i].size) + "] of dimension " + std::to_string(i) +
                " is outside " + shapeText(info.globalShape) + " or larger than " +
                shapeText(info.localShape));
    info.blocks.push_back(std::move(block));
  }
}

ValueInfo parseValue(const json &value, const Manifest &manifest, bool isResult,
                     const std::string &entry) {
  ValueInfo info;
  info.name = member(value, "name", "a value of entry '" + entry + "'").get<std::string>();
  std::string where = "entry '" + entry + "', value '" + info.name + "'";
  if (isResult) {
    info.kind = ValueKind::Result;
    info.state = value.value("state", -1);
  } else {
    std::string kind = member(value, "kind", where).get<std::string>();
    if (kind == "parameter")
      info.kind = ValueKind::Parameter;
    else if (kind == "state")
      info.kind = ValueKind::State;
    else if (kind == "input")
      info.kind = ValueKind::Input;
    else
      invalid(where + ": unknown kind '" + kind + "'");
  }
  info.dtype = parseDTypeName(member(value, "dtype", where), where);
  info.globalShape = parseShape(member(value, "global_shape", where), where);
  info.localShape = parseShape(member(value, "local_shape", where), where);
  if (info.globalShape.size() != info.localShape.size())
    invalid(where + ": global_shape and local_shape have ranks that differ");
  info.sharding = value.value("sharding", "[]");
  if (value.contains("partial"))
    for (const json &part : value["partial"])
      info.partial.push_back({parseAxisPart(part, manifest, where),
                              parseKind(member(part, "kind", where).get<std::string>(), where)});
  for (const PartialPart &part : info.partial)
    if (part.kind != info.partial.front().kind)
      invalid(where + ": partial with two kinds");
  parseBlocks(member(value, "blocks", where), info, manifest.numRanks(), where);
  if (info.kind == ValueKind::Parameter && value.contains("source"))
    info.source = parseSource(value["source"], info, where);
  return info;
}

EntryInfo parseEntry(const json &value, const Manifest &manifest) {
  EntryInfo entry;
  entry.name = member(value, "name", "an entry").get<std::string>();
  std::string where = "entry '" + entry.name + "'";
  entry.arenaBytes = value.value("arena_bytes", int64_t(0));
  if (entry.arenaBytes < 0)
    invalid(where + ": arena_bytes is negative");
  entry.symmetricBytes = value.value("symmetric_bytes", int64_t(0));
  if (entry.symmetricBytes < 0 || entry.symmetricBytes > entry.arenaBytes)
    invalid(where + ": symmetric_bytes are not of the arena");
  for (const json &argument : member(value, "arguments", where))
    entry.arguments.push_back(parseValue(argument, manifest, false, entry.name));
  for (const json &result : member(value, "results", where)) {
    ValueInfo info = parseValue(result, manifest, true, entry.name);
    if (info.state >= 0 && (size_t(info.state) >= entry.arguments.size() ||
                            entry.arguments[info.state].kind != ValueKind::State))
      invalid(where + ", value '" + info.name + "': argument " + std::to_string(info.state) +
              " is no state");
    entry.results.push_back(std::move(info));
  }
  return entry;
}

/// The entry that member `key` of `value` names.
int entryIndex(const json &value, const char *key, const std::string &where,
               const Manifest &manifest) {
  const std::string name = member(value, key, where).get<std::string>();
  const int index = manifest.findEntry(name);
  if (index < 0)
    invalid(where + ": no entry '" + name + "'");
  return index;
}

EmbeddingModelInfo parseEmbeddingModel(const json &value, const Manifest &manifest) {
  EmbeddingModelInfo model;
  const std::string where = "embedding_model";
  model.encode = entryIndex(value, "encode", where, manifest);
  model.batch = value.value("batch", int64_t(1));
  model.seq = member(value, "seq", where).get<int64_t>();
  model.vocab = member(value, "vocab", where).get<int64_t>();
  model.width = member(value, "width", where).get<int64_t>();
  model.pooled = member(value, "pooled", where).get<bool>();
  if (model.batch < 1 || model.seq < 1 || model.vocab < 1 || model.width < 1)
    invalid("embedding_model: batch, seq, vocab and width must be positive");
  return model;
}

LanguageModelInfo parseLanguageModel(const json &value, const Manifest &manifest) {
  LanguageModelInfo model;
  const std::string where = "language_model";
  model.prefill = entryIndex(value, "prefill", where, manifest);
  model.decode = entryIndex(value, "decode", where, manifest);
  if (value.contains("score") && !value["score"].is_null())
    model.score = entryIndex(value, "score", where, manifest);
  if (value.contains("sample") && !value["sample"].is_null())
    model.sample = entryIndex(value, "sample", where, manifest);
  model.batch = value.value("batch", int64_t(1));
  model.chunk = member(value, "chunk", where).get<int64_t>();
  model.maxSeq = member(value, "max_seq", where).get<int64_t>();
  model.vocab = member(value, "vocab", where).get<int64_t>();
  if (model.batch < 1 || model.chunk < 1 || model.maxSeq < 1 || model.vocab < 1)
    invalid("language_model: batch, chunk, max_seq and vocab must be positive");
  if (value.contains("bos") && !value["bos"].is_null())
    model.bos = value["bos"].get<int64_t>();
  if (value.contains("eos") && !value["eos"].is_null()) {
    if (value["eos"].is_array())
      model.eos = value["eos"].get<std::vector<int64_t>>();
    else
      model.eos = {value["eos"].get<int64_t>()};
  }
  return model;
}

/// Parameters and states are one buffer per name, so they must look the same
/// in every entry.
void checkSharedValues(const Manifest &manifest) {
  std::map<std::string, const ValueInfo *> first;
  for (const EntryInfo &entry : manifest.entries)
    for (const ValueInfo &value : entry.arguments) {
      if (value.kind == ValueKind::Input)
        continue;
      auto [it, inserted] = first.emplace(value.name, &value);
      const ValueInfo &other = *it->second;
      if (!inserted && (other.kind != value.kind || other.dtype != value.dtype ||
                        other.globalShape != value.globalShape ||
                        other.localShape != value.localShape || other.blocks != value.blocks))
        invalid("value '" + value.name + "' differs between entries");
    }
}

ProductInfo parseProduct(const json &product) {
  auto number = [&](const char *name) { return member(product, name, "a product").get<int64_t>(); };
  ProductInfo info;
  info.dtype = parseDTypeName(member(product, "dtype", "a product"), "a product");
  info.resultDType = parseDTypeName(member(product, "result_dtype", "a product"), "a product");
  info.transA = member(product, "trans_a", "a product").get<bool>();
  info.transB = member(product, "trans_b", "a product").get<bool>();
  info.m = number("m");
  info.n = number("n");
  info.k = number("k");
  info.batch = number("batch");
  info.lda = number("lda");
  info.ldb = number("ldb");
  info.ldc = number("ldc");
  info.ldd = number("ldd");
  info.strideA = number("stride_a");
  info.strideB = number("stride_b");
  info.strideC = number("stride_c");
  info.strideD = number("stride_d");
  info.strideBias = product.value("stride_bias", int64_t(0));
  info.hasC = product.value("c", false);
  info.hasBias = product.value("bias", false);
  info.activation = product.value("activation", int32_t(0));
  return info;
}

Manifest parseRoot(const json &root) {
  Manifest manifest;
  int version = member(root, "version", "it").get<int>();
  if (version != 1)
    invalid("version " + std::to_string(version) + " is not supported, expected 1");
  const std::string target = root.value("target", "cpu");
  if (target != "cpu" && target != "cuda")
    invalid("target '" + target + "' is neither cpu nor cuda");
  manifest.target = target == "cuda" ? Target::CUDA : Target::CPU;
  manifest.kernels = root.value("kernels", std::vector<std::string>());
  manifest.tf32 = root.value("tf32", false);
  if (root.contains("products"))
    for (const json &product : root["products"])
      manifest.products.push_back(parseProduct(product));
  int64_t ranks = 1;
  for (const json &axis : member(root, "mesh", "it")) {
    MeshAxis meshAxis{member(axis, "name", "a mesh axis").get<std::string>(),
                      member(axis, "size", "a mesh axis").get<int64_t>()};
    if (meshAxis.size < 1 || meshAxis.size > kMaxRanks || (ranks *= meshAxis.size) > kMaxRanks)
      invalid("mesh axis '" + meshAxis.name + "' has size " + std::to_string(meshAxis.size));
    manifest.mesh.push_back(std::move(meshAxis));
  }
  if (root.contains("groups"))
    for (const json &group : root["groups"]) {
      std::vector<AxisPart> parts;
      for (const json &part : member(group, "axes", "a group"))
        parts.push_back(parseAxisPart(part, manifest, "a group"));
      manifest.groups.push_back(std::move(parts));
    }
  if (root.contains("operations"))
    for (const json &operation : root["operations"])
      manifest.operations.push_back(
          {operation.value("name", ""), operation.value("loc", ""), operation.value("reason", ""),
           operation.value("flops", int64_t(-1)), operation.value("bytes", int64_t(-1))});
  for (const json &entry : member(root, "entries", "it"))
    manifest.entries.push_back(parseEntry(entry, manifest));
  if (root.contains("language_model") && !root["language_model"].is_null())
    manifest.languageModel = parseLanguageModel(root["language_model"], manifest);
  if (root.contains("embedding_model") && !root["embedding_model"].is_null())
    manifest.embeddingModel = parseEmbeddingModel(root["embedding_model"], manifest);
  if (manifest.languageModel && manifest.embeddingModel)
    invalid("it is a language_model and an embedding_model at once");
  checkSharedValues(manifest);
  return manifest;
}

} // namespace

Manifest tprt::parseManifest(const std::string &text) {
  try {
    return parseRoot(json::parse(text));
  } catch (const json::exception &exception) {
    invalid(jsonProblem(exception));
  }
}
