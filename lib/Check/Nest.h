//===- Nest.h - A loop nest on blocks -------------------------*- C++ -*-===//
//
// A loop nest on local tensors is related to the same nest on terms. Its loops are
// refined until each piece runs over one dimension of the term of every operand that
// it reads: a *domain*. All operands must hold the same part of a domain, up to one
// shift for all ranks. A reduction over a part of a domain is partial over the ranks
// that together have all of it.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_CHECK_NEST_H
#define LIB_CHECK_NEST_H

#include "Evaluator.h"

namespace mlir {
namespace tp {
namespace check {

/// A piece of a loop.
struct SubLoop {
  unsigned loop;
  int64_t minor; ///< product of the sizes of the pieces below it
  int64_t size;
  int domain = -1;
  int unit = 0; ///< of pieces of one position, counted from the minor side
};

/// A dimension of the terms that pieces of loops run over.
struct Domain {
  SmallVector<std::pair<unsigned, int64_t>, 2> levels; ///< subloop, stride
  RankMapId map = 0;
  int64_t extent = 0;
  bool isReduction = false;
  bool isOpen = false;          ///< nothing but loops says how long it is
  std::optional<unsigned> loop; ///< the loop that it is all of
  /// Operand and dimension of its term.
  SmallVector<std::pair<unsigned, unsigned>, 4> uses;
  SmallVector<int64_t, 4> shifts; ///< of each use
};

/// A dimension of an operand's term that is read at a sum of positions of domains.
struct WindowUse {
  unsigned operand, dim;
  int64_t shift;
  SmallVector<std::pair<unsigned, int64_t>, 2> terms; ///< domain, factor
};

/// Positions [begin, end) that hold elements position + offset.
struct HeldBlock {
  int64_t begin = 0, end = 0, offset = 0;
  bool isEmpty() const { return begin >= end; }
};

/// The elements of a map, if they lie together and in order.
std::optional<HeldBlock> getHeldBlock(ArrayRef<Run> map);

class NestEvaluator {
public:
  /// `isUsed` says which operands the body uses; relations of others are not looked at.
  NestEvaluator(Relations &algebra, LoopNest &nest, llvm::SmallBitVector isUsed)
      : algebra(algebra), nest(nest), body(algebra), isUsed(std::move(isUsed)) {}

  bool align();
  bool evaluateBody(llvm::function_ref<std::optional<BodyValue>(Value)> outside);
  bool finish(SmallVectorImpl<Relation> &results);

  std::string why;
  bool isScattered = false; ///< it looks up in elements that do not lie together

private:
  bool fail(const Twine &text) {
    why = text.str();
    return false;
  }
  /// Refines loops; sets `isSplit` where an operand was rewritten and it is to be done
  /// again.
  bool refine(bool &isSplit);
  bool combineMaps(Domain &domain);
  /// Gives operands that lack one a dimension for a row of others (NestRows.cpp); whether
  /// one was rewritten.
  bool splitRows();
  /// The same where two operands' dimensions of one domain are of different extents.
  bool splitRows(const Domain &domain);
  bool splitRow(unsigned o, unsigned dim, int64_t inner, int64_t innerSize);
  int64_t extentOf(std::pair<unsigned, unsigned> use) const {
    const Relation &relation = nest.operands[use.first].relation;
    return algebra.terms.getShape(relation.term)[use.second];
  }
  /// Takes broadcasts with padding as broadcasts, and notes the padding (NestRepeats.cpp).
  void takeRepeats(LoopOperand &operand);
  /// Puts that padding into the domains of the loops; loops without one get `repeats`.
  bool placeRepeats();
  bool placeRepeat(unsigned loop, RankMapId map);
  /// Takes what does not satisfy the conditions as padding.
  bool leaveOut(ArrayRef<Condition> cases);
  /// Padding in `map` is padding in `domain`.
  void addPadding(Domain &domain, RankMapId map);
  /// Of operands that have padding along two domains, what they have where both do is one
  /// of two numbers: how many of them have two.
  unsigned numUnclear();
  /// What result `r` has along loops that only broadcasts with padding run over.
  bool repeatResult(Relation &relation, unsigned r);
  /// On ranks that do not have an operand they do not have the result, unless they have
  /// nothing of a domain anyway.
  bool removeAbsent(Relation &relation, unsigned r);
  /// The operand's maps along the domain.
  SmallVector<RankMapId, 2> mapsAlong(const Domain &domain, unsigned o) const;
  /// What the operand holds in positions [begin, begin + size) of the domain, if that is one
  /// number.
  Attribute getFill(const Domain &domain, unsigned o, unsigned rank, int64_t begin, int64_t size);
  /// Makes each dimension without a loop all that there is of a dimension of the term.
  bool separateWindows();
  std::optional<BodyValue> lookUp(Value element);
  std::optional<DigitMask> relatePicked(const Picked &picked);
  bool placeWindows();
  bool placeWindow(unsigned o, const Window &window);
  /// Whether a dimension of an operand's term is read through a window or looked up in.
  bool isWithoutLoop(unsigned o, unsigned dim) const;
  /// A domain for a loop that no operand runs over.
  Domain &addDomain(unsigned loop, RankMapId map, int64_t extent);
  void appendWindows(unsigned o, Key &key) const;
  bool relatePartial(SmallVectorImpl<unsigned> &parts);
  bool reduceDomains();
  /// Results of the body where the domain has padding: per run of positions on a rank,
  /// what operands hold there.
  SmallVector<Attribute> evaluatePadding(const Domain &domain, unsigned rank, int64_t begin,
                                         int64_t size);
  /// The piece of a loop; nothing where there is no such.
  std::optional<unsigned> findPiece(unsigned loop, int64_t minor, int unit) const;
  RankMapId clip(RankMapId map, int64_t extent);
  Map fillMap(const Domain &domain, unsigned rank, unsigned result);
  std::optional<unsigned> operandOf(const BodyValue &value);
  bool hasPadding(const Domain &domain);

  Relations &algebra;
  LoopNest &nest;
  Body body;
  SmallVector<SubLoop, 8> subLoops;
  SmallVector<SmallVector<unsigned, 2>> pieces; ///< per loop, major to minor
  SmallVector<Domain, 8> domains;
  SmallVector<WindowUse, 2> windowUses;
  SmallVector<Domain, 0> repeats; ///< loops that only broadcasts with padding run over
  SmallVector<TermId> leaves;     ///< per operand
  llvm::SmallBitVector isUsed;
  std::optional<ReductionKind> kind; ///< of the reduction
  SmallVector<Operation *, 2> combiners;
  DigitMask partial = 0;
  ReductionKind partialKind = ReductionKind::Sum;
  SmallVector<MapId> ranges;      ///< per domain that is reduced
  std::optional<bool> areUnclear; ///< whether it is open what is where two domains have padding
};

/// Lets a loop run over a dimension of an operand, the next one, if it runs over all of it
/// and over no other.
bool readAlong(const LoopNest &nest, LoopOperand &operand, unsigned dim, unsigned loop);

/// Whether the body's one result is one value or another by a condition.
bool isChoice(const LoopNest &nest);

/// Whether the body uses the operand's elements.
bool isRead(const LoopNest &nest, const LoopOperand &operand);

} // namespace check
} // namespace tp
} // namespace mlir

#endif // LIB_CHECK_NEST_H
