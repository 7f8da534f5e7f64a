//===- Evaluator.h - Programs on symbols -----------------------*- C++ -*-===//

#ifndef LIB_CHECK_EVALUATOR_H
#define LIB_CHECK_EVALUATOR_H

#include "BodyIndices.h"
#include "Relations.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tp/Check/Check.h"
#include <unordered_map>

namespace mlir {
namespace tp {
namespace check {

/// Why a value is related to nothing.
struct Failure {
  Operation *op;
  std::string why;
  unsigned depth = 0; ///< of loops
};

/// What is known of a value: a relation (tensors), a scalar, or why nothing is.
struct Known {
  std::shared_ptr<const Failure> failure;
  std::optional<Relation> relation;
  Scalar scalar;
};

/// A dimension of an operand at a sum of positions of several loops.
struct Window {
  unsigned dim;                                       ///< local
  SmallVector<std::pair<unsigned, int64_t>, 2> terms; ///< loop, factor; by loop
  SmallVector<int64_t> offsets;                       ///< one for all ranks, or one each
};

/// A dimension of an operand at an index that the body computes, or the position of a
/// loop plus a scalar.
struct LookUp {
  unsigned dim; ///< local
  Value index;
  unsigned loop = 0;
  Scalar first;
};

/// Along a loop an operand is a broadcast with padding: where the map has padding.
struct Repeat {
  unsigned loop;
  RankMapId map;
};

/// One operand of a loop nest (a linalg op, or an elementwise op on tensors).
struct LoopOperand {
  Relation relation;
  /// Per local dimension the loop that runs over it; -1: always its first element.
  SmallVector<int, 4> loops;
  SmallVector<Window, 0> windows; ///< of dimensions without a loop
  SmallVector<LookUp, 0> lookUps; ///< of dimensions without a loop
  SmallVector<Repeat, 0> repeats;
  /// What stands for its element in the body.
  SmallVector<Value, 1> elements;
  Type type;
  bool isInit = false;
};

struct LoopNest {
  Operation *op;
  SmallVector<int64_t> sizes; ///< local
  llvm::SmallBitVector isReduction;
  SmallVector<LoopOperand, 0> operands;
  SmallVector<Operation *> body;
  SmallVector<Value> yields;
  /// Per result, per local dimension, its loop.
  SmallVector<SmallVector<int, 4>> results;
  /// Where the body selects by rank or position, only what the condition holds for is
  /// followed: along these loops the rest is padding, on these ranks all is.
  bool leavesOut = false;
  SmallVector<Repeat, 0> omitted;
  llvm::SmallBitVector omittedRanks;
};

/// Evaluates the ops of one function. The terms of the source are those of a program
/// on one rank: each value is the same on all ranks.
class Evaluator {
public:
  /// `rounded` is the type to which parts of sums over ranks may be rounded, or null.
  Evaluator(Relations &algebra, bool isSource, Type rounded = {})
      : algebra(algebra), isSource(isSource), rounded(rounded) {}

  void define(Value value, Relation relation) {
    Known known;
    known.relation = std::move(relation);
    values[value] = std::move(known);
  }
  void define(Value value, Scalar scalar) {
    Known known;
    known.scalar = std::move(scalar);
    values[value] = std::move(known);
  }
  void defineUndefined(Value value);
  /// `to` is what `from` is.
  void pass(Value from, Value to) {
    Known known = values[from];
    values[to] = std::move(known);
  }
  const Known &get(Value value) { return values[value]; }

  void run(Block &block);

private:
  void evaluate(Operation *op);
  /// Each returns false, with `why`, where the op's results are beyond it.
  bool evaluateKind(Operation *op);
  bool evaluateScalar(Operation *op);
  bool evaluateConstant(Operation *op);
  bool evaluateCollective(Operation *op);
  bool evaluateCollective(Operation *op, Value operand, Value result, ArrayRef<AxisPart> parts,
                          ArrayRef<unsigned> digits);
  bool evaluateTensorOp(Operation *op);
  bool evaluateExtractSlice(Operation *op);
  bool sliceAtRunTime(Operation *op);
  bool extractElement(Operation *op);
  bool evaluateInsertSlice(Operation *op);
  bool insertPiece(Operation *op, llvm::function_ref<bool(unsigned)> isWhole);
  bool evaluateLinalg(Operation *op);
  std::optional<LoopNest> buildNest(Operation *op, ArrayRef<AffineMap> indexing,
                                    BodyIndices &indices, bool leavesOut);
  /// Leaves out what a condition does not hold for; false where that is no rank or position.
  bool leaveOut(LoopNest &nest, Value condition, BodyIndices &indices);
  /// Relates dimension `dim` of an operand to the loops that index it.
  bool readAt(LoopNest &nest, LoopOperand &operand, unsigned dim, const BodyIndex &index,
              BodyIndices &indices);
  /// Makes operands of the elements that a body takes from tensors around it.
  bool addReads(LoopNest &nest, Block &block, BodyIndices &indices);
  bool holdsOnElements(const LoopNest &nest, Value condition, BodyIndices &indices);
  /// Makes what a body looks up in a whole value an operand of its own.
  bool lookUpFirst(const LoopNest &nest, Block &block, LoopOperand &read);
  /// A body that selects (`isChoice`) among operands by rank and position.
  bool evaluateChoice(const LoopNest &nest, BodyIndices &indices, bool takesNumbers);
  bool evaluateChoiceOrLoops(LoopNest &nest, BodyIndices &indices);
  bool evaluateElementwise(Operation *op);
  bool areOfSource(ValueRange list);
  /// A running reduction, and the combination of parts of one.
  bool evaluateScan(const LoopNest &nest);
  bool evaluateSpans(const LoopNest &nest);
  /// Uses the nest up.
  bool evaluateLoops(LoopNest &nest);
  /// What ranks hold of each result. Uses the nest up.
  std::optional<SmallVector<Relation>> relateLoops(LoopNest &nest);
  /// Rounding before a sum over ranks, and what widens the sum, where that was asked for.
  bool evaluateRounding(LoopNest &nest);
  /// A value that a loop carries: what is assumed of it at the begin of an iteration.
  struct Carried {
    bool isTensor = false;
    Relation relation;
    TermId initial = 0;
  };
  bool evaluateFor(Operation *op);
  bool evaluateWhile(Operation *op);
  bool evaluateBranches(Operation *op);
  bool commitCarried(Relation &relation);
  std::optional<Carried> beginCarried(Value value);
  std::optional<TermId> endCarried(Value value, Carried &carried, bool &again);
  void defineCarried(Value value, Carried &carried, unsigned number);
  void defineLoopResult(Value value, const Carried &carried, Key key, unsigned number);
  std::optional<RankMapId> meet(RankMapId a, RankMapId b);
  bool join(Relation &into, const Relation &other, Type element);
  /// Of a value that a loop carries for nobody nothing is known.
  void leaveOpen(Operation *op, Value value);
  /// Why one of the values is not known, or null.
  std::shared_ptr<const Failure> findFailure(ValueRange list) const;
  /// Makes the op's results unknown where one of `inner` is; whether one was.
  bool spreadFailure(Operation *op, ValueRange inner);
  /// Any op, where every operand is one whole value on all ranks.
  bool evaluateOpaque(Operation *op);
  /// An insertion at a run-time position of a dimension that is cut.
  bool evaluateUpdate(Operation *op);
  bool relateUpdate(Operation *op, const Shifted &position, unsigned dim, const Relation &source,
                    int64_t count, const llvm::SmallBitVector &dropped);
  /// Ops of the nn dialect.
  bool evaluateNN(Operation *op);
  /// Makes dimension i of an operand that every rank has a block of dimension i of its term.
  bool commitOperand(Relation &relation, bool mayBePartial = false);
  bool evaluateEmbedding(Operation *op);
  bool evaluateCacheUpdate(Operation *op);
  bool evaluateAttention(Operation *op);
  bool evaluateAttentionBlocks(Operation *op);
  bool evaluateAttentionLimit(Operation *op);
  bool evaluateAttentionMerge(Operation *op);
  bool reducePositions(Relation &relation, ReductionKind kind);
  bool evaluateAttentionFinish(Operation *op);
  /// Whether rank by rank the elements of a dimension lie in order from `offset` on, up to
  /// padding at the end, of which there is none before `extent`.
  bool isBlockAt(RankMapId map, Value offset, Value extent = {});
  bool evaluatePowerSums(Operation *op);
  /// The argmax of a rank's block, and the merge of those of all blocks.
  bool evaluateCandidates(Operation *op);
  bool evaluateMerge(Operation *op);
  /// The best elements of a rank's block, and of those of all blocks.
  bool evaluateTopK(Operation *op);
  /// An op of fixed dimensions.
  struct Dims {
    /// A letter per dimension of each tensor operand and result: equal letters are
    /// equal indices in small letters, which any block may be of; a capital's
    /// dimension must be whole.
    SmallVector<std::string> operands, results;
    /// Operands in which the op is linear together, whatever the kind of reduction if
    /// it only moves values.
    SmallVector<unsigned> linear;
    bool isMove = false;
    /// What the op is, beside its operands.
    Key key;
    /// Take it only if the source has the result.
    bool onlyKnown = false;
    /// The shape of the only result, if it is not the op's.
    SmallVector<int64_t> shape;
    /// Capitals whose dimensions may be any block nevertheless.
    std::string anyBlock;
    /// An operand that only says what follows from the others; -1: none.
    int unkeyed = -1;
    /// The op and the element type of the result, if they are not the op's.
    std::optional<OperationName> name;
    Type element;
  };
  bool evaluateDims(Operation *op, ValueRange tensors, const Dims &dims);
  bool evaluateDims(Operation *op, ArrayRef<Relation> tensors, const Dims &dims,
                    SmallVectorImpl<Relation> &results);
  bool evaluateNorm(Operation *op, Dims &dims, ArrayRef<int64_t> powers, Value sums,
                    std::optional<int64_t> size);
  /// What else a value is: parts of what the source makes of it. In the source one with
  /// padding becomes the whole that it is.
  SmallVector<Relation, 0> takeForms(Relation &relation);

  DigitMask varying(ArrayRef<RankMapId> list);
  const Relation &relationOf(Value value) { return *values[value].relation; }
  bool fail(const Twine &text) {
    why = text.str();
    return false;
  }
  bool failNotLinear() {
    return fail("uses a value that is still to be reduced over ranks where the result is not "
                "linear in it");
  }
  bool failWith(const Twine &prefix) { return fail(prefix + algebra.why); }
  Scalar scalarOf(Value value);
  /// Per-rank integers of a scalar or of a static value.
  std::optional<SmallVector<int64_t>> integersOf(OpFoldResult value);
  /// For keys: what a scalar is, on all ranks.
  std::optional<TermId> termOf(const Scalar &scalar);
  /// Of an offset, a size or a stride: where it is the same on all ranks.
  std::optional<TermId> termOf(OpFoldResult value);
  /// The structure of an op and its regions, with what it takes from outside.
  bool appendStructure(Operation *op, Key &key, llvm::DenseMap<Value, uint64_t> &inner);

  Relations &algebra;
  bool isSource;
  Type rounded;
  /// Nodes stay where they are: a table of them would be moved each time that it grows.
  struct HashValue {
    size_t operator()(Value value) const { return hash_value(value); }
  };
  std::unordered_map<Value, Known, HashValue> values;
  std::string why;
  bool isSettled = false; ///< `why` is why, whatever else could be tried
  unsigned depth = 0;     ///< of loops
};

} // namespace check
} // namespace tp
} // namespace mlir

#endif // LIB_CHECK_EVALUATOR_H
