//===- OpTable.h - The ops that random programs have -----------*- C++ -*-===//

#ifndef LIB_FUZZ_OPTABLE_H
#define LIB_FUZZ_OPTABLE_H

#include "tp/Fuzz/ProgramBuilder.h"

namespace mlir {
namespace tp {
namespace fuzz {

/// Of upstream's dialects, and the samples of ours.
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

bool addPartialFunction(ProgramBuilder &b);
bool addFloatFunction(ProgramBuilder &b);
bool addClassify(ProgramBuilder &b);
bool addPair(ProgramBuilder &b);
bool addBitcast(ProgramBuilder &b);

bool addContraction(ProgramBuilder &b);
bool addWindow(ProgramBuilder &b);
bool addContract(ProgramBuilder &b);
bool addReduce(ProgramBuilder &b);
bool addReduceGeneric(ProgramBuilder &b);
bool addAnyMaps(ProgramBuilder &b);
bool addScan(ProgramBuilder &b);
bool addRunningReduction(ProgramBuilder &b);
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
bool addBarrier(ProgramBuilder &b);

bool addPack(ProgramBuilder &b);
bool addReshape(ProgramBuilder &b);
bool addFromElements(ProgramBuilder &b);
bool addTensorGather(ProgramBuilder &b);
bool addTensorScatter(ProgramBuilder &b);

bool addTrainingStep(ProgramBuilder &b);

bool addFor(ProgramBuilder &b);
bool addWhile(ProgramBuilder &b);
bool addIf(ProgramBuilder &b);
bool addSwitch(ProgramBuilder &b);
bool addCall(ProgramBuilder &b);
bool addScatter(ProgramBuilder &b);
bool addForall(ProgramBuilder &b);
bool addParallel(ProgramBuilder &b);

bool addArgmax(ProgramBuilder &b);
bool addTopK(ProgramBuilder &b);
bool addSort(ProgramBuilder &b);

bool addComposedReduction(ProgramBuilder &b);

} // namespace fuzz
} // namespace tp
} // namespace mlir

#endif // LIB_FUZZ_OPTABLE_H
