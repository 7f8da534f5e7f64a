//===- TensorPatterns.cpp -----------------------------------------------------===//

#include "tp/Import/TensorPatterns.h"

#include "tp/Support/ToolError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>
#include <set>

using namespace mlir;
using namespace mlir::tp;

/// "(K G D) d" with sizes becomes the shapes of the checkpoint and the program.
static void readShape(StringRef text, const ModelFacts &facts, TensorInstance &instance) {
  bool grouped = false;
  for (char c : text) {
    if (c == '(') {
      grouped = true;
      instance.sourceShape.push_back(1);
    } else if (c == ')') {
      grouped = false;
    } else if (c != ' ') {
      assert(facts.sizes.contains(c) && "a family's table uses sizes that it gives");
      int64_t size = facts.sizes.lookup(c);
      instance.shape.push_back(size);
      if (!grouped)
        instance.sourceShape.push_back(size);
      else if (llvm::MulOverflow(instance.sourceShape.back(), size, instance.sourceShape.back()))
        instance.sourceShape.back() = std::numeric_limits<int64_t>::max();
    }
  }
}

static bool isPerLayer(const TensorPattern &pattern) { return pattern.name.contains('*'); }

std::vector<TensorInstance> tp::instantiate(ArrayRef<TensorPattern> patterns,
                                            const ModelFacts &facts) {
  std::vector<TensorInstance> instances;
  auto add = [&](const TensorPattern &pattern, StringRef layer) {
    auto [before, after] = pattern.name.split('*');
    TensorInstance instance{(before + layer + after).str(), pattern.role, {}, {}};
    readShape(pattern.shape, facts, instance);
    instances.push_back(std::move(instance));
  };
  auto first = llvm::find_if(patterns, isPerLayer);
  for (const TensorPattern &pattern : llvm::make_range(patterns.begin(), first))
    add(pattern, "");
  for (int64_t layer = 0; layer < facts.layers; ++layer)
    for (const TensorPattern &pattern : llvm::make_filter_range(patterns, isPerLayer))
      add(pattern, std::to_string(layer));
  for (const TensorPattern &pattern : llvm::make_range(first, patterns.end()))
    if (!isPerLayer(pattern))
      add(pattern, "");
  return instances;
}

/// Whether a pattern with at most one `*` (a number) matches.
static bool matches(StringRef pattern, StringRef name) {
  if (!pattern.contains('*'))
    return pattern == name;
  auto [before, after] = pattern.split('*');
  return name.consume_front(before) && name.consume_back(after) && !name.empty() &&
         llvm::all_of(name, llvm::isDigit);
}

static std::string describeShape(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(shape, os);
  os << ']';
  return text;
}

/// Names a tensor that is missing and, of those that no parameter uses, the nearest.
static llvm::Error missingTensor(const Checkpoint &checkpoint, StringRef name,
                                 const std::set<StringRef> &known) {
  std::vector<std::string> notes;
  SmallVector<StringRef> names;
  for (const auto &[candidate, info] : checkpoint.tensors)
    if (!known.count(candidate))
      names.push_back(candidate);
  if (StringRef nearest = nearestName(name, names); !nearest.empty())
    notes.push_back(("the nearest name is '" + nearest + "'").str());
  return userError(checkpoint.listing + ": tensor '" + name + "' is missing", std::move(notes));
}

llvm::Error tp::checkTensors(const Checkpoint &checkpoint, ArrayRef<TensorInstance> parameters,
                             ArrayRef<StringRef> ignored, StringRef modelType) {
  std::set<StringRef> known;
  for (const TensorInstance &parameter : parameters)
    known.insert(parameter.name);
  for (const TensorInstance &parameter : parameters) {
    auto place = checkpoint.tensors.find(parameter.name);
    if (place == checkpoint.tensors.end())
      return missingTensor(checkpoint, parameter.name, known);
    const TensorInfo &info = place->second;
    auto fault = [&](StringRef what, const Twine &expected, const Twine &found) {
      return userError(info.file + ": tensor '" + parameter.name + "': expected " + what + " " +
                       expected + ", found " + found);
    };
    if (ArrayRef<int64_t>(info.shape) != ArrayRef<int64_t>(parameter.sourceShape))
      return fault("shape", describeShape(parameter.sourceShape), describeShape(info.shape));
    if (!llvm::is_contained({"F32", "F16", "BF16"}, StringRef(info.dtype)))
      return fault("dtype", "F32, F16 or BF16", info.dtype);
  }
  for (const auto &[name, info] : checkpoint.tensors) {
    StringRef tensor = name;
    if (!known.count(tensor) &&
        llvm::none_of(ignored, [&](StringRef pattern) { return matches(pattern, tensor); }))
      return userError(info.file + ": tensor '" + name + "' is no part of a " + modelType +
                       " model with this config.json");
  }
  return llvm::Error::success();
}
