//===- Value.cpp - Why a value has its sharding ----------------------------===//

#include "tp/Explain/Explain.h"

#include "mlir/IR/Diagnostics.h"
#include "tp/Plan/PlanValues.h"
#include "tp/Support/LocationText.h"

using namespace mlir;
using namespace mlir::tp;

static std::string describe(const ValuePlace &place, StringRef name) {
  if (place.kind == ValuePlace::Kind::OpResult)
    return name.str();
  auto function = cast<func::FuncOp>(place.op);
  StringRef kind = place.kind == ValuePlace::Kind::Argument ? ".arg" : ".result";
  std::string text = (function.getName() + kind + Twine(place.number)).str();
  return text == name ? text : (name + " (" + text + ")").str();
}

LogicalResult tp::explainValue(ModuleOp module, StringRef name, llvm::raw_ostream &os) {
  std::vector<PlanValue> values = collectPlanValues(module);
  bool found = false;
  MeshOp mesh = lookupMesh(module);
  for (const PlanValue &value : values) {
    if (!llvm::is_contained(value.names, name))
      continue;
    found = true;
    for (const ValuePlace &place : value.places) {
      auto tensor = dyn_cast<RankedTensorType>(place.getType());
      ShardingAttr sharding = place.getSharding();
      StringAttr why = place.getWhy();
      os << describe(place, name) << ": ";
      if (!tensor)
        os << place.getType() << ", the same on every rank";
      else if (why)
        os << why.getValue();
      else if (sharding && mesh)
        os << toString(getSharding(sharding, getMesh(mesh), tensor.getRank()), getMesh(mesh));
      else
        os << "no sharding";
      if (std::string loc = getLocationText(place.getLoc()); !loc.empty())
        os << " (at " << loc << ")";
      os << '\n';
    }
  }
  if (found)
    return success();
  return emitUnknownName(NameLoc::get(StringAttr::get(module.getContext(), "--explain")), name,
                         values);
}
