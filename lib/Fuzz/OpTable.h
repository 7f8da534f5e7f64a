//===- OpTable.h - The ops that random programs have -----------*- C++ -*-===//

#ifndef LIB_FUZZ_OPTABLE_H
#define LIB_FUZZ_OPTABLE_H

#include "ProgramBuilder.h"

namespace mlir {
namespace tp {
namespace fuzz {

/// Adds ops to the program and defines their results; false, with no line added,
/// where the values that there are do not fit.
using AddOp = bool (*)(ProgramBuilder &);

struct OpEntry {
  StringRef name;
  /// How often, beside the others.
  unsigned weight;
  AddOp add;
  /// Has regions of tensor ops.
  bool nests = false;
};

ArrayRef<OpEntry> getOpTable();

// One function per entry, by kind of op in one file each.
bool addFloatUnary(ProgramBuilder &b);
bool addFloatBinary(ProgramBuilder &b);
bool addIntegerUnary(ProgramBuilder &b);
bool addIntegerBinary(ProgramBuilder &b);
bool addCompare(ProgramBuilder &b);
bool addSelect(ProgramBuilder &b);
bool addCast(ProgramBuilder &b);
bool addNamedElementwise(ProgramBuilder &b);
bool addElementwise(ProgramBuilder &b);
bool addMap(ProgramBuilder &b);

bool addContraction(ProgramBuilder &b);
bool addWindow(ProgramBuilder &b);
bool addContract(ProgramBuilder &b);
bool addReduce(ProgramBuilder &b);
bool addReduceGeneric(ProgramBuilder &b);
bool addAnyMaps(ProgramBuilder &b);
bool addScan(ProgramBuilder &b);
bool addArgmax(ProgramBuilder &b);
bool addSoftmax(ProgramBuilder &b);

bool addConstant(ProgramBuilder &b);
bool addSplat(ProgramBuilder &b);
bool addIota(ProgramBuilder &b);
bool addPositions(ProgramBuilder &b);
bool addTranspose(ProgramBuilder &b);
bool addBroadcast(ProgramBuilder &b);
bool addCollapse(ProgramBuilder &b);
bool addExpand(ProgramBuilder &b);
bool addExtractSlice(ProgramBuilder &b);
bool addInsertSlice(ProgramBuilder &b);
bool addMovingSlice(ProgramBuilder &b);
bool addPad(ProgramBuilder &b);
bool addConcat(ProgramBuilder &b);
bool addGather(ProgramBuilder &b);
bool addRoll(ProgramBuilder &b);
bool addGenerate(ProgramBuilder &b);
bool addCopy(ProgramBuilder &b);

bool addFor(ProgramBuilder &b);
bool addWhile(ProgramBuilder &b);
bool addIf(ProgramBuilder &b);
bool addSwitch(ProgramBuilder &b);
bool addCall(ProgramBuilder &b);
bool addScatter(ProgramBuilder &b);
bool addTopK(ProgramBuilder &b);

bool addNorm(ProgramBuilder &b);
bool addEmbedding(ProgramBuilder &b);
bool addNNArgmax(ProgramBuilder &b);
bool addRope(ProgramBuilder &b);
bool addAttention(ProgramBuilder &b);
bool addCacheUpdate(ProgramBuilder &b);

} // namespace fuzz
} // namespace tp
} // namespace mlir

#endif // LIB_FUZZ_OPTABLE_H
