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

namespace {

/// Reads a layout letter by letter; see TensorPattern.
class LayoutReader {
public:
  LayoutReader(const TensorPattern &pattern, const ModelFacts &facts, TensorInstance &instance)
      : pattern(pattern), facts(facts), instance(instance) {}

  void read() {
    for (char c : pattern.layout)
      readSymbol(c);
    bool isWhole = pattern.shape.empty() && !pattern.layout.contains('[');
    SmallVector<int64_t> places =
        orderOf(pattern.shape.empty() ? StringRef(letters) : pattern.shape);
    if (isWhole) {
      instance.view.clear();
      instance.offset.clear();
      instance.size.clear();
    } else {
      instance.permutation = places;
    }
  }

private:
  int64_t sizeOf(char c) const {
    if (llvm::isDigit(c))
      return c - '0';
    assert(facts.sizes.contains(c) && "a family's table uses sizes that it gives");
    return facts.sizes.lookup(c);
  }

  void readSymbol(char c) {
    switch (c) {
    case ' ':
      return;
    case '(':
      isGrouped = true;
      instance.sourceShape.push_back(1);
      return;
    case ')':
      isGrouped = false;
      return;
    case '[':
      isConcatenation = true;
      total = 0;
      return;
    case ']':
      isConcatenation = false;
      return addDimension(total, start, sizeOf(taken), taken);
    case '*':
      isTaken = true;
      return;
    default:
      if (!isConcatenation)
        return addDimension(sizeOf(c), 0, sizeOf(c), c);
      if (isTaken) {
        start = total;
        taken = c;
        isTaken = false;
      }
      total += sizeOf(c);
    }
  }

  void addDimension(int64_t whole, int64_t offset, int64_t size, char letter) {
    if (!isGrouped)
      instance.sourceShape.push_back(whole);
    else if (llvm::MulOverflow(instance.sourceShape.back(), whole, instance.sourceShape.back()))
      instance.sourceShape.back() = std::numeric_limits<int64_t>::max();
    instance.view.push_back(whole);
    instance.offset.push_back(offset);
    instance.size.push_back(size);
    letters.push_back(letter);
  }

  /// Gives the program's shape and the places of its letters in the view, parts
  /// of size 1 in front. A letter that the layout lacks is a dimension of 1.
  SmallVector<int64_t> orderOf(StringRef order) {
    SmallVector<int64_t> places;
    for (auto [place, letter] : llvm::enumerate(letters))
      if (llvm::isDigit(letter))
        places.push_back(place);
    for (char letter : order) {
      if (letter == ' ' || llvm::isDigit(letter))
        continue;
      instance.shape.push_back(sizeOf(letter));
      if (size_t place = letters.find(letter); place != std::string::npos)
        places.push_back(place);
      else
        assert(sizeOf(letter) == 1 && "only a dimension of 1 can be added");
    }
    assert(places.size() == letters.size() && "the order must name every letter");
    return places;
  }

  const TensorPattern &pattern;
  const ModelFacts &facts;
  TensorInstance &instance;
  std::string letters; ///< Of the dimensions of the view.
  bool isGrouped = false, isConcatenation = false, isTaken = false;
  int64_t total = 0, start = 0;
  char taken = '1';
};

} // namespace

static bool isPerLayer(const TensorPattern &pattern) {
  return StringRef(pattern.name).contains('*');
}

std::vector<TensorInstance> tp::instantiate(ArrayRef<TensorPattern> patterns,
                                            const ModelFacts &facts) {
  std::vector<TensorInstance> instances;
  auto add = [&](const TensorPattern &pattern, StringRef layer) {
    auto inLayer = [&](StringRef name) {
      auto [before, after] = name.split('*');
      return (before + layer + after).str();
    };
    TensorInstance instance;
    instance.name = inLayer(pattern.name);
    instance.role = pattern.role;
    instance.tensor = pattern.tensor.empty() ? instance.name : inLayer(pattern.tensor);
    LayoutReader(pattern, facts, instance).read();
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
    known.insert(parameter.tensor);
  for (const TensorInstance &parameter : parameters) {
    auto place = checkpoint.tensors.find(parameter.tensor);
    if (place == checkpoint.tensors.end())
      return missingTensor(checkpoint, parameter.tensor, known);
    const TensorInfo &info = place->second;
    auto fault = [&](StringRef what, const Twine &expected, const Twine &found) {
      return userError(info.file + ": tensor '" + parameter.tensor + "': expected " + what + " " +
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
