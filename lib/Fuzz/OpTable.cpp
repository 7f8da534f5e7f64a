//===- OpTable.cpp - The ops that random programs have ---------------------===//

#include "OpTable.h"

#include "dialects/NN/Samples.h"

using namespace mlir::tp;
using namespace mlir::tp::fuzz;

static constexpr OpEntry kUpstream[] = {
    {"float unary", 5, addFloatUnary},
    {"float binary", 8, addFloatBinary},
    {"integer unary", 1, addIntegerUnary},
    {"integer binary", 4, addIntegerBinary},
    {"compare", 3, addCompare},
    {"select", 3, addSelect},
    {"cast", 4, addCast},
    {"named elementwise", 4, addNamedElementwise},
    {"linalg.elementwise", 2, addElementwise},
    {"linalg.map", 1, addMap},

    {"partial function", 1, addPartialFunction},
    {"float function", 2, addFloatFunction},
    {"classify", 1, addClassify},
    {"pair", 2, addPair},
    {"bitcast", 1, addBitcast},

    {"contraction", 9, addContraction},
    {"window", 4, addWindow},
    {"linalg.contract", 3, addContract},
    {"linalg.reduce", 4, addReduce},
    {"reduction", 5, addReduceGeneric},
    {"any maps", 5, addAnyMaps},
    {"scan", 2, addScan},
    {"running reduction", 3, addRunningReduction},
    {"argmax", 2, addArgmax},
    {"composed reduction", 4, addComposedReduction},
    {"linalg.softmax", 1, addSoftmax},
    {"training step", 2, addTrainingStep},

    {"constant", 2, addConstant},
    {"tensor.splat", 1, addSplat},
    {"iota", 1, addIota},
    {"positions", 3, addPositions},
    {"tensor.generate", 1, addGenerate},
    {"linalg.transpose", 3, addTranspose},
    {"linalg.broadcast", 3, addBroadcast},
    {"tensor.collapse_shape", 4, addCollapse},
    {"tensor.expand_shape", 4, addExpand},
    {"tensor.extract_slice", 4, addExtractSlice},
    {"tensor.insert_slice", 3, addInsertSlice},
    {"moving slice", 4, addMovingSlice},
    {"tensor.pad", 3, addPad},
    {"tensor.concat", 3, addConcat},
    {"linalg.copy", 1, addCopy},
    {"gather", 4, addGather},
    {"roll", 3, addRoll},

    {"linalg.pack", 2, addPack},
    {"tensor.reshape", 2, addReshape},
    {"tensor.from_elements", 1, addFromElements},
    {"tensor.gather", 1, addTensorGather},
    {"tensor.scatter", 1, addTensorScatter},

    {"scf.for", 4, addFor, /*nests=*/true},
    {"scf.while", 2, addWhile, /*nests=*/true},
    {"scf.if", 3, addIf, /*nests=*/true},
    {"scf.index_switch", 1, addSwitch, /*nests=*/true},
    {"func.call", 3, addCall, /*nests=*/true},
    {"scatter", 2, addScatter, /*nests=*/true},
    {"scf.forall", 1, addForall, /*nests=*/true},
    {"scf.parallel", 1, addParallel, /*nests=*/true},
    {"top-k", 2, addTopK, /*nests=*/true},
    {"sort", 2, addSort, /*nests=*/true},
    {"tp.barrier", 1, addBarrier},
};

ArrayRef<OpEntry> fuzz::getOpTable() {
  static const SmallVector<OpEntry> table = [] {
    SmallVector<OpEntry> all(kUpstream, std::end(kUpstream));
    llvm::append_range(all, nn::getSamples());
    return all;
  }();
  return table;
}
