//===- UnevenBlocks.cpp - Remarks on blocks of different sizes -------------===//
//
// Uneven blocks cost memory and time (buffers are padded to the largest block),
// so the user is told. One remark speaks for all values of the same size that are
// cut in the same way: a model has hundreds of them.
//
//===----------------------------------------------------------------------===//

#include "tp/Driver/Program.h"

#include "dialects/TP/TP.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::tp;

namespace {
/// All values with one uneven dimension size and way to cut it.
struct UnevenGroup {
  Location loc;
  std::string value; ///< the first one, by name
  unsigned dim;
  int64_t size;
  DimSharding cuts;
  int64_t others = 0;
};

class Collector {
public:
  explicit Collector(const Mesh &mesh) : mesh(mesh) {}

  /// In the order of the program.
  std::vector<UnevenGroup> groups;

  void add(Location loc, const Twine &value, Type type, Attribute attr) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    auto shardingAttr = dyn_cast_or_null<ShardingAttr>(attr);
    if (!tensor || !tensor.hasStaticShape() || !shardingAttr)
      return;
    Sharding sharding = getSharding(shardingAttr, mesh, tensor.getRank());
    for (auto [i, dim] : llvm::enumerate(sharding.dims)) {
      int64_t size = tensor.getDimSize(i);
      if (dim.isEven(size))
        continue;
      Sharding one(1);
      one.dims[0] = dim;
      std::string key = (Twine(size) + toString(one.closed(), mesh)).str();
      auto [known, isNew] = byKey.try_emplace(key, groups.size());
      if (isNew)
        groups.push_back({loc, value.str(), static_cast<unsigned>(i), size, dim});
      else
        ++groups[known->second].others;
    }
  }

private:
  const Mesh &mesh;
  llvm::StringMap<size_t> byKey;
};
} // namespace

static void collect(func::FuncOp function, Collector &collector) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto name = function.getArgAttrOfType<StringAttr>(i, kNameAttr);
    std::string number = (function.getName() + ".arg" + Twine(i)).str();
    collector.add(function.getArgument(i).getLoc(), name ? name.getValue() : StringRef(number),
                  function.getArgumentTypes()[i], function.getArgAttr(i, kShardingAttr));
  }
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    collector.add(function.getLoc(), function.getName() + ".result" + Twine(i),
                  function.getResultTypes()[i], function.getResultAttr(i, kShardingAttr));
  function.walk([&](Operation *op) {
    auto shardings = op->getAttrOfType<ArrayAttr>(kShardingAttr);
    if (!shardings || shardings.size() != op->getNumResults())
      return;
    for (auto [result, sharding] : llvm::zip(op->getResults(), shardings))
      collector.add(op->getLoc(), "'" + op->getName().getStringRef() + "'", result.getType(),
                    sharding);
  });
}

/// `axes "dp", "tp" of sizes 2, 4`.
static std::string describeAxes(const DimSharding &dim, const Mesh &mesh) {
  std::string names, sizes;
  for (const Cut &cut : dim.cuts) {
    StringRef comma = names.empty() ? "" : ", ";
    names += (comma + "\"" + mesh.names[cut.part.axis] + "\"").str();
    sizes += (comma + Twine(cut.part.size)).str();
  }
  bool one = dim.cuts.size() == 1;
  return (one ? "axis " : "axes ") + names + (one ? " of size " : " of sizes ") + sizes;
}

void tp::remarkUnevenBlocks(ModuleOp module) {
  MeshOp meshOp = lookupMesh(module);
  if (!meshOp)
    return;
  Mesh mesh = getMesh(meshOp);
  auto count = [](int64_t elements) {
    return std::to_string(elements) + (elements == 1 ? " element" : " elements");
  };
  Collector collector(mesh);
  for (auto function : module.getOps<func::FuncOp>())
    collect(function, collector);
  for (const UnevenGroup &group : collector.groups) {
    InFlightDiagnostic diag = emitRemark(group.loc)
                              << "dimension " << group.dim << " of " << group.value << " has "
                              << count(group.size) << ", which " << describeAxes(group.cuts, mesh)
                              << " cannot cut evenly";
    if (group.others)
      diag << " (" << group.others << " more like this)";
    diag.attachNote() << "blocks are padded to " << count(group.cuts.localSize(group.size));
  }
}
