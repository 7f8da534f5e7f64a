//===- WritePlan.cpp - The shardings of a module as a plan -----------------===//

#include "tp/Plan/Passes.h"
#include "tp/Plan/Plan.h"
#include "tp/Plan/PlanValues.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/ToolOutputFile.h"

namespace mlir::tp {
#define GEN_PASS_DEF_WRITEPLANPASS
#include "tp/Plan/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {
struct WrittenSharding {
  std::string key;
  std::string sharding;
  int64_t priority;
  Location loc;
  bool isAmbiguous = false;
};
} // namespace

/// Whether a value is one of the entry that tp-add-sampling adds for some targets, which
/// plans for all targets do not know.
static bool isOfSampling(const PlanValue &value, ModuleOp module) {
  auto facts = module->getAttrOfType<DictionaryAttr>("tp.language_model");
  auto sample = facts ? facts.getAs<StringAttr>("sample") : StringAttr();
  auto function = dyn_cast<func::FuncOp>(value.places.front().op);
  return sample && function && function.getNameAttr() == sample;
}

/// Every named value once, in the order of the IR.
static std::vector<WrittenSharding> collectShardings(ModuleOp module, const Mesh &mesh) {
  std::vector<WrittenSharding> written;
  llvm::StringMap<size_t> byKey;
  for (const PlanValue &value : collectPlanValues(module)) {
    const ValuePlace &place = value.places.front();
    ShardingAttr attr = place.getSharding();
    auto tensor = dyn_cast<RankedTensorType>(place.getType());
    if (!attr || !tensor || isOfSampling(value, module))
      continue;
    std::string text = toString(getSharding(attr, mesh, tensor.getRank()).closed(), mesh);
    auto [entry, isNew] = byKey.try_emplace(value.name(), written.size());
    if (isNew)
      written.push_back({value.name().str(), text, place.getPriority(), place.getLoc()});
    else if (written[entry->second].sharding != text ||
             written[entry->second].priority != place.getPriority())
      written[entry->second].isAmbiguous = true;
  }
  return written;
}

LogicalResult tp::writePlan(ModuleOp module, llvm::raw_ostream &os) {
  MeshOp meshOp = lookupMesh(module);
  if (!meshOp)
    return emitError(module.getLoc()) << "a plan needs a tp.mesh in the module";
  Mesh mesh = getMesh(meshOp);
  std::vector<WrittenSharding> written = collectShardings(module, mesh);
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("version", 1);
    json.attributeObject("mesh", [&] {
      for (auto [name, size] : llvm::zip(mesh.names, mesh.sizes))
        json.attribute(name, size);
    });
    json.attributeObject("shard", [&] {
      for (const WrittenSharding &entry : written) {
        if (!entry.isAmbiguous)
          json.attribute(entry.key, entry.sharding);
        else
          emitWarning(entry.loc) << "several values are called \"" << entry.key
                                 << "\" and have different shardings, the written plan leaves "
                                    "them out";
      }
    });
    auto isLater = [](const WrittenSharding &entry) {
      return !entry.isAmbiguous && entry.priority != 0;
    };
    if (llvm::any_of(written, isLater))
      json.attributeObject("priority", [&] {
        for (const WrittenSharding &entry : llvm::make_filter_range(written, isLater))
          json.attribute(entry.key, entry.priority);
      });
  });
  os << '\n';
  return success();
}

namespace {
struct WritePlanPass : tp::impl::WritePlanPassBase<WritePlanPass> {
  using WritePlanPassBase::WritePlanPassBase;

  void runOnOperation() override {
    std::string message;
    std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(output, &message);
    if (!file) {
      emitError(NameLoc::get(StringAttr::get(&getContext(), output))) << message;
      return signalPassFailure();
    }
    if (failed(writePlan(getOperation(), file->os())))
      return signalPassFailure();
    file->keep();
  }
};
} // namespace
