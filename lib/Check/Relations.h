//===- Relations.h - Terms, and what ranks hold of them --------*- C++ -*-===//

#ifndef LIB_CHECK_RELATIONS_H
#define LIB_CHECK_RELATIONS_H

#include "Maps.h"

namespace mlir {
namespace tp {
namespace check {

using TermId = uint32_t;

/// Kinds of terms, the first number of each key.
enum TermKind : uint64_t {
  kArgumentTerm = 1,
  kConstantTerm,   ///< an attribute
  kUndefinedTerm,  ///< the content of tensor.empty
  kViewTerm,       ///< other order, broadcasts and fixed indices of a term
  kPickTerm,       ///< elements of a term by a map per dimension
  kSplitTerm,      ///< a dimension as two
  kJoinTerm,       ///< two dimensions as one
  kLoopsTerm,      ///< a loop nest
  kDimsTerm,       ///< an op of fixed dimensions
  kCandidatesTerm, ///< the largest element of each block, or its index
  kBestTerm,       ///< the elements of each block, sorted, or their indices
  kPositionsTerm,  ///< attention over the positions of each block, and over all together
  kSpansTerm,      ///< the reductions of all elements that lie together
  kForTerm,        ///< what a loop gives
  kWhileTerm,
  kIfTerm,
  kLoopArgumentTerm, ///< what a loop carries, within it
  kUnionTerm,        ///< terms side by side along a dimension
  kRepeatedTerm,     ///< a term with more dimensions, of one element each
  kOpaqueTerm,       ///< any op
  kExpression,       ///< an op on scalars, of a body or not
  kSelectExpression, ///< one of two, by a condition
  kSumExpression,    ///< the sum of indices
  kLookUpExpression, ///< an operand's element at indices that the body computes
  kIndexExpression,  ///< the index of a domain of loops
  kLeafExpression,   ///< an operand's element
};

/// The values of both programs, up to renaming: equal terms have equal numbers. A
/// term is an array over an index space of `shape`; where a dimension is broadcast
/// it is none of the term's, so a splat has none at all.
class Terms {
public:
  TermId intern(const Key &key, ArrayRef<int64_t> shape = {});
  /// A term of which nothing but its shape says how long the dimensions `open` are: the
  /// indices of a loop, the repetitions of a broadcast. Outside of the source, where they
  /// are as long as a block says, it is the shortest of the source's that may have the
  /// block.
  TermId internOpen(Key key, ArrayRef<int64_t> shape, ArrayRef<unsigned> open, bool isSource);
  ArrayRef<int64_t> getShape(TermId term) const { return shapes[term]; }
  const Key &getKey(TermId term) const { return *keys[term]; }
  /// Whether the term was there when the source had been evaluated.
  bool isOfSource(TermId term) const { return term < numOfSource; }
  /// A constant, and the constant that a term is (null: none).
  TermId constant(Attribute value, ArrayRef<int64_t> shape = {});
  Attribute getConstant(TermId term) const { return constants.lookup(term); }
  /// For keys: equal properties of ops of one name have equal numbers.
  uint64_t numberProperties(Operation *op);
  /// The sum of two indices, in whatever order and grouping.
  TermId sum(TermId a, TermId b);
  bool knows(const Key &key) const {
    auto it = ids.find(key);
    return it != ids.end() && isOfSource(it->second);
  }
  void endSource() { numOfSource = shapes.size(); }

private:
  std::unordered_map<Key, TermId, KeyHash> ids;
  std::unordered_map<Key, SmallVector<SmallVector<int64_t>>, KeyHash> openShapes; ///< the source's
  std::vector<SmallVector<int64_t>> shapes;
  std::vector<const Key *> keys;
  llvm::DenseMap<TermId, Attribute> constants;
  struct SameProperties : llvm::DenseMapInfo<Operation *> {
    static unsigned getHashValue(Operation *op);
    static bool isEqual(Operation *a, Operation *b);
  };
  llvm::DenseMap<Operation *, uint64_t, SameProperties> properties; ///< by the first op
  SmallVector<DenseResourceElementsAttr> resources;
  size_t numOfSource = SIZE_MAX;
};

/// A part of a dimension of a local tensor: `size` positions that are `stride`
/// positions of the term's dimension `dim` apart; free (broadcast) where `dim` is -1.
struct Atom {
  int dim = -1;
  int64_t stride = 1;
  int64_t size = 1;
  bool operator==(const Atom &o) const {
    return dim == o.dim && stride == o.stride && size == o.size;
  }
};

/// What the ranks hold of a term.
struct Relation {
  TermId term = 0;
  /// Per dimension of the local tensor its atoms, major to minor. All atoms of one
  /// dimension of the term have strides that are products of the smaller ones' sizes.
  SmallVector<SmallVector<Atom, 1>, 4> layout;
  /// Per dimension of the term, over the positions that its atoms span.
  SmallVector<RankMapId, 4> maps;
  /// Per rank, what fills its whole tensor in place of elements (a unit: anything); empty:
  /// nothing does.
  SmallVector<Attribute, 0> absent;
  /// The reduction by `kind` over the ranks that differ in these digits is the term.
  DigitMask partial = 0;
  ReductionKind kind = ReductionKind::Sum;
  /// What ranks hold that have no part, if exactly one rank of each group has one.
  Attribute otherwise;
  /// The parts were rounded to the type that was asked for, and the term is of the
  /// wider type.
  bool isRounded = false;
  /// The content is arbitrary (tensor.empty).
  bool isUndefined = false;

  int64_t localSize(unsigned dim) const {
    int64_t size = 1;
    for (const Atom &atom : layout[dim])
      size *= atom.size;
    return size;
  }
  bool isAbsent(unsigned rank) const { return !absent.empty() && absent[rank]; }
};

/// For each position along a dimension whether it is chosen (not 0); one list for all
/// ranks or one each.
using Choice = ArrayRef<SmallVector<int64_t>>;

/// The algebra on relations: what moving data does. Every function but the pure
/// queries returns false, with `why` set, where the result is beyond relations.
class Relations {
public:
  Relations(const Ranks &ranks, Terms &terms, Maps &maps)
      : ranks(ranks), terms(terms), maps(maps) {}

  /// A value that equals `term` on every rank.
  Relation whole(TermId term);
  /// Every element is `term`, which has no dimensions.
  Relation splat(TermId term, ArrayRef<int64_t> localShape);

  /// Positions offset(rank) + i * step of dimension `dim`, i < size. `offsets` has one
  /// entry for all ranks or one each.
  bool slice(Relation &relation, unsigned dim, ArrayRef<int64_t> offsets, int64_t size,
             int64_t step = 1);
  /// Any positions of dimension `dim`; one list for all ranks or one each.
  bool pick(Relation &relation, unsigned dim, ArrayRef<SmallVector<int64_t>> positions);
  /// `low(rank)` and `high(rank)` more positions that hold `fill` (null: anything).
  bool pad(Relation &relation, unsigned dim, ArrayRef<int64_t> low, ArrayRef<int64_t> high,
           Attribute fill);
  /// Removes dimensions of size 1.
  void dropUnitDims(Relation &relation, llvm::function_ref<bool(unsigned)> isDropped);
  /// The same elements in row-major order as another shape; groups of `expanded`
  /// dimensions per collapsed one.
  bool expand(Relation &relation, ArrayRef<SmallVector<int64_t, 2>> groups,
              ArrayRef<int64_t> shape);
  void collapse(Relation &relation, ArrayRef<SmallVector<int64_t, 2>> groups);
  void transpose(Relation &relation, ArrayRef<int64_t> permutation);
  /// In each position of dimension `dim` the elements of one of two values.
  std::optional<Relation> merge(Relation first, Relation second, unsigned dim, Choice isFirst);
  /// The same where all others hold `fill` (null: anything).
  bool mask(Relation &relation, unsigned dim, Choice keeps, Attribute fill);
  /// One after another along `dim`.
  std::optional<Relation> concat(ArrayRef<Relation> parts, unsigned dim);
  /// Makes the values parts of one term, their union along `dim`.
  bool unite(MutableArrayRef<Relation> parts, unsigned dim);
  /// Makes local dimension `dim`, a broadcast, one of the term: all positions have its only
  /// element, so that there may be padding among them (Repeats.cpp).
  void repeat(Relation &relation, unsigned dim);
  /// Makes a broadcast along `dim` the one that the source has, if all of it is there.
  bool commitBroadcast(Relation &relation, unsigned dim);
  /// How many dimensions at the end of a term are such.
  unsigned numRepeats(TermId term) const;
  /// Makes such dimensions of the term broadcasts again.
  void dropRepeats(Relation &relation, llvm::function_ref<bool(unsigned)> isDropped);
  /// Takes ranks that have none of the value as such whose part of local dimension `dim` is
  /// padding.
  void placeAbsent(Relation &relation, unsigned dim);
  /// The constant that every element is, on all ranks; null: it is no such value.
  Attribute getSplat(const Relation &relation) const;
  /// The same on the ranks that have the value.
  Attribute getSplatWhereHeld(const Relation &relation) const;

  /// Whether the elements of each dimension lie in order, without padding.
  bool isRange(const Relation &relation) const;
  bool hasPadding(const Relation &relation);
  /// The value as a whole term of its own.
  bool materialize(Relation &relation);
  /// The value as a part of the term that has its padding where that is the same on all
  /// ranks.
  bool absorb(Relation &relation);
  /// The views (whole terms made of rearranged or padded others) that have elements of
  /// `term`.
  ArrayRef<TermId> viewsOf(TermId term) const;
  /// The same value, as a part of a view; false, whatever `why` is, where it is none.
  bool lift(Relation &relation, TermId view);

  bool gather(Relation &relation, unsigned dim, ArrayRef<unsigned> digits);
  bool permute(Relation &relation, ArrayRef<int32_t> sources, ArrayRef<unsigned> digits,
               Attribute zero);
  bool reduce(Relation &relation, ReductionKind kind, ArrayRef<unsigned> digits, Type element);
  /// The reduction over ranks of which at most one has an element in each position, and the
  /// others what `kind` ignores.
  bool joinParts(Relation &relation, ReductionKind kind, DigitMask mask);
  /// Takes such a value as partial, by the given kind, or by whatever kind ignores what
  /// others have, over all ranks that have different parts.
  bool takeParts(Relation &relation, ReductionKind kind, DigitMask mask);
  bool takeParts(Relation &relation);
  /// A dimension of which the ranks that differ in these digits have different parts.
  std::optional<unsigned> cutDim(const Relation &relation, DigitMask digits);
  /// The rank's tensor is `fill` all over; `cut` is such a dimension.
  void clear(Relation &relation, unsigned rank, Attribute fill, std::optional<unsigned> cut);
  /// Takes a value that one rank of each group has, where the others have what
  /// `kind` ignores, as partial.
  bool makePartial(Relation &relation, ReductionKind kind, DigitMask mask);
  /// The same by whatever kind ignores what the others have, over the ranks that differ in
  /// whether they have the value.
  bool makePartial(Relation &relation);

  /// The value as a term of its own where it is the same whole value on all ranks.
  std::optional<TermId> asTerm(const Relation &relation);
  /// Rewrites the relation so that dimension i of the local tensor is dimension i of
  /// the term, one atom each. `inner`, where it is not empty, has for each local
  /// dimension the global size.
  bool commit(Relation &relation, ArrayRef<int64_t> globalSizes = {});
  /// Dimension `dim` of the term in two, the minor one of `inner` elements, whose
  /// positions are `innerSize` local ones. Where that is 1, `unit` is the minor one's
  /// atom (local dimension and place in it).
  bool splitDim(Relation &relation, unsigned dim, int64_t inner, int64_t innerSize,
                std::pair<unsigned, unsigned> unit = {~0u, ~0u});
  /// The same where it is not said how many elements a row has: as the source has it, else
  /// as many as there are positions.
  bool splitRows(Relation &relation, unsigned dim, int64_t innerSize,
                 std::pair<unsigned, unsigned> unit = {~0u, ~0u});
  /// Adjacent atoms of one dimension become one.
  void normalize(Relation &relation);

  /// The digits on which what ranks hold depends.
  DigitMask varying(const Relation &relation);
  std::string describe(const Relation &relation);

  const Ranks &ranks;
  Terms &terms;
  Maps &maps;
  std::string why;
  bool isSource = true; ///< what is evaluated

private:
  bool fail(const Twine &text) {
    why = text.str();
    return false;
  }
  /// The atoms of a dimension of the term, by falling stride.
  SmallVector<Atom *> atomsOf(Relation &relation, int dim);
  /// Positions offset + i * step of one atom.
  void restrict(Relation &relation, unsigned localDim, unsigned atom, ArrayRef<int64_t> offsets,
                int64_t size, int64_t step);
  bool condense(Relation &relation, unsigned dim);
  /// Makes padding elements of the view that the term is, where the view has it.
  void settle(Relation &relation, unsigned dim);
  /// Where padding along `dim`, which had the map `old`, has become elements, and there is
  /// padding along another dimension, it is open which of two numbers is there.
  void openCorners(Relation &relation, unsigned dim, RankMapId old);
  void recordView(TermId view, TermId base, ArrayRef<RankMapId> viewMaps);

  struct View {
    TermId base;
    SmallVector<RankMapId, 4> maps;
  };
  llvm::DenseMap<TermId, View> viewed;
  /// Into rows of how many elements the source splits a dimension of a term.
  llvm::DenseMap<std::pair<TermId, unsigned>, llvm::SmallSetVector<int64_t, 1>> rowsOfSource;
  llvm::DenseMap<TermId, SmallVector<TermId, 2>> views; ///< by what they are made of
};

/// Elements [begin, end) of n as the index of a dimension of (n + 1)^2.
inline int64_t encodeSpan(int64_t n, int64_t begin, int64_t end) { return begin * (n + 1) + end; }

/// The element that `kind` ignores.
Attribute getNeutral(ReductionKind kind, Type element);
/// Whether `kind` ignores the element; sums ignore zeros of either sign.
bool isNeutral(ReductionKind kind, Attribute element);
/// Whether combining any number of equal values gives the value.
bool isIdempotent(ReductionKind kind);

} // namespace check
} // namespace tp
} // namespace mlir

#endif // LIB_CHECK_RELATIONS_H
