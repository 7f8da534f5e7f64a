//===- RandomPlan.cpp - Mesh and plan of a random program ------------------===//

#include "tp/Fuzz/ProgramBuilder.h"
#include "llvm/Support/JSON.h"

using namespace mlir::tp;
using namespace mlir::tp::fuzz;

std::string PlanText::toJson() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream os(stream, 2);
  os.object([&] {
    os.attribute("version", 1);
    os.attributeObject("mesh", [&] {
      for (const auto &[axis, size] : mesh)
        os.attribute(axis, size);
    });
    os.attributeObject("shard", [&] {
      for (const auto &[key, sharding] : shard)
        os.attribute(key, sharding);
    });
    if (!priority.empty())
      os.attributeObject("priority", [&] {
        for (const auto &[key, number] : priority)
          os.attribute(key, number);
      });
    if (!alike.empty())
      os.attributeArray("alike", [&] {
        for (const std::vector<std::string> &keys : alike)
          os.array([&] {
            for (const std::string &key : keys)
              os.value(key);
          });
      });
    if (!barrier.empty())
      os.attributeObject("barrier", [&] {
        for (const auto &[key, direction] : barrier)
          os.attribute(key, direction);
      });
  });
  return text + "\n";
}

void ProgramBuilder::makeMesh() {
  using Sizes = SmallVector<int64_t, 3>;
  const Sizes meshes[] = {{2},    {3},    {4},    {5},    {6},       {7},      {8},    {1},
                          {2, 2}, {2, 3}, {3, 2}, {2, 4}, {4, 2},    {2, 2},   {2, 3}, {1, 2},
                          {2, 1}, {2},    {3},    {4},    {2, 2, 2}, {1, 2, 2}};
  const char *names[] = {"a", "b", "c"};
  for (auto [name, size] : llvm::zip(names, meshes[pick(0, std::size(meshes) - 1)])) {
    program.plan.mesh.push_back({name, size});
    // An axis in two parts, of which values may use one.
    bool splits = size % 2 == 0 && size > 2 && oneIn(3);
    if (!splits) {
      parts.push_back(name);
      continue;
    }
    int64_t major = oneIn(2) ? size / 2 : 2;
    parts.push_back(cat(name, ":(1)", major));
    parts.push_back(cat(name, ":(", major, ")", size / major));
  }
  hasMesh = oneIn(3);
}

std::string ProgramBuilder::meshText() const {
  std::string text;
  for (const auto &[name, size] : program.plan.mesh)
    text += cat(text.empty() ? "\"" : ", \"", name, "\"=", size);
  return text;
}

std::string ProgramBuilder::sharding(ArrayRef<int64_t> shape, bool mayBePartial, Element type) {
  std::vector<std::string> dims(shape.size());
  std::string partial;
  std::vector<std::string> order = parts;
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[i - 1 - pick(0, i - 1)]);
  StringRef kind = of<StringRef>({"sum", "max", "min"});
  for (const std::string &part : order) {
    int64_t use = pick(-1, static_cast<int64_t>(shape.size()));
    if (use >= 0 && use < static_cast<int64_t>(shape.size()))
      dims[use] += cat(dims[use].empty() ? "" : ", ", part, oneIn(8) ? cat("*", pick(2, 3)) : "");
    else if (use >= 0 && mayBePartial && type != Element::I1 && oneIn(3))
      partial += cat(" ", kind, "(", part, ")");
  }
  for (std::string &dim : dims) {
    bool isOpen = oneIn(4);
    if (dim.empty())
      dim = isOpen ? "?" : "_";
    else
      dim = cat("(", dim, isOpen ? ", ?)" : ")");
  }
  return cat("[", join(dims), "]", partial);
}

void ProgramBuilder::plan(const std::string &key, ArrayRef<int64_t> shape, Element type, int64_t n,
                          bool mayBePartial) {
  named.push_back({key, Shape(shape), false, false});
  if (!oneIn(n))
    return;
  std::string text = sharding(shape, mayBePartial, type);
  named.back().isPlanned = true;
  named.back().isPartial = StringRef(text).contains("](") || StringRef(text).contains("] ");
  program.plan.shard.push_back({key, text});
  if (oneIn(8))
    program.plan.priority.push_back({key, pick(0, 2)});
}

void ProgramBuilder::addGroupsAndBarriers() {
  // A group has one shape and at most one sharding; each value is in one at most.
  while (!named.empty() && oneIn(6)) {
    Named first = named[pick(0, named.size() - 1)];
    std::vector<std::string> keys;
    bool isPlanned = false;
    for (Named &value : named) {
      bool fits = value.shape == first.shape && !value.isPartial && !(value.isPlanned && isPlanned);
      if (!fits || keys.size() >= 3)
        continue;
      keys.push_back(value.key);
      isPlanned |= value.isPlanned;
    }
    if (keys.size() < 2)
      continue;
    llvm::erase_if(named, [&](const Named &value) { return llvm::is_contained(keys, value.key); });
    program.plan.alike.push_back(keys);
  }
  while (!named.empty() && oneIn(8)) {
    size_t at = pick(0, named.size() - 1);
    program.plan.barrier.push_back(
        {named[at].key, of<StringRef>({"forward", "backward", "both"}).str()});
    named.erase(named.begin() + at);
  }
}
