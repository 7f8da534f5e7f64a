//===- IdleAxes.cpp - Remarks on axes that cut nothing ---------------------===//

#include "tp/Driver/Program.h"

#include "dialects/TP/TP.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::tp;

void tp::remarkIdleAxes(ModuleOp module) {
  MeshOp meshOp = lookupMesh(module);
  if (!meshOp)
    return;
  llvm::StringSet<> used;
  // Shardings are unique: each is looked at once.
  AttrTypeWalker walker;
  walker.addWalk([&](AxisAttr axis) { used.insert(axis.getName().getValue()); });
  module.walk([&](Operation *op) { walker.walk(op->getAttrDictionary()); });
  Mesh mesh = getMesh(meshOp);
  for (auto [name, size] : llvm::zip_equal(mesh.names, mesh.sizes))
    if (size > 1 && !used.contains(name))
      emitRemark(meshOp.getLoc()) << "axis \"" << name << "\" of size " << size
                                  << " cuts no value: the ranks along it compute the same";
}
