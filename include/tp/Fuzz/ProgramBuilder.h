//===- ProgramBuilder.h - Text of a random program, op by op ---*- C++ -*-===//

#ifndef TP_FUZZ_PROGRAMBUILDER_H
#define TP_FUZZ_PROGRAMBUILDER_H

#include "tp/Fuzz/RandomProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

namespace mlir {
namespace tp {
namespace fuzz {

using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using Shape = SmallVector<int64_t, 4>;

/// Joins what can be printed.
template <typename... Parts> std::string cat(const Parts &...parts) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ((os << parts), ...);
  return text;
}
/// `1, 2, 3`
template <typename Range> std::string join(const Range &items) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(items, os);
  return text;
}

enum class Element { F32, F64, F16, BF16, I32, I64, I16, I8, I1, Index };
StringRef nameOf(Element type);
inline bool isFloat(Element type) { return type <= Element::BF16; }
inline bool isNarrowFloat(Element type) { return type == Element::F16 || type == Element::BF16; }
/// Bits of an integer.
unsigned widthOf(Element type);
/// The lowest or the highest number (infinite where it can be), as a constant.
std::string extremeText(Element type, bool isLowest);
/// `tensor<2x3xf32>`
std::string typeText(ArrayRef<int64_t> shape, Element type);
int64_t countOf(ArrayRef<int64_t> shape);

/// What is known of the finite floats in a value: |x| <= max; x is a multiple of
/// 2^-fraction (less than 0: of nothing known); `error` bounds what rounding in
/// another order can change; there may be NaN and infinities (`special`).
struct Bounds {
  double max = 2;
  int fraction = 2;
  double error = 0;
  bool special = false;
};
/// Of a value that is rounded to the type: an error is added where the values
/// need not be representable.
Bounds rounded(Bounds bounds, Element type);
Bounds sumOf(Bounds a, Bounds b, Element type);
Bounds productOf(Bounds a, Bounds b, Element type);
/// Of one of the two.
Bounds eitherOf(Bounds a, Bounds b);
/// Of a sum of n.
Bounds sumOver(Bounds a, int64_t n, Element type);

struct Value {
  std::string name;
  Shape shape;
  Element type = Element::F32;
  Bounds bounds;

  std::string typeText() const { return fuzz::typeText(shape, type); }
  unsigned rank() const { return shape.size(); }
  /// Whether the bits are the same however the program is partitioned.
  bool isExact() const { return !isFloat(type) || bounds.error == 0; }
};

/// Floats that a loop or a state carries stay within this, so that bounds hold for
/// every trip.
inline constexpr double kCarried = 4;
/// What is assumed of a carried value at the beginning of a trip; `first` is known of
/// the first one.
Bounds assumedOfCarried(Bounds first, Element type);

/// A linalg.generic. Bodies name the elements of inputs %x0, %x1, ... and those of
/// destinations %o0, ...
struct Generic {
  unsigned loops = 0;
  std::string iterators; ///< a letter for each loop, p or r
  SmallVector<Value> inputs;
  SmallVector<std::string> inputMaps; ///< results of a map: `d0, d1 + 1`
  SmallVector<Value> inits;
  SmallVector<std::string> initMaps;
  std::string body; ///< lines
  SmallVector<std::string> yields;
  SmallVector<Bounds> bounds; ///< of the results
};

/// `affine_map<(d0, d1) -> (RESULTS)>`
std::string mapText(unsigned loops, StringRef results);
/// `d0, d1, ...` of these loops.
std::string dimsText(ArrayRef<int64_t> loops);
/// 0, 1, ..., n - 1
Shape firstLoops(unsigned n);

/// Values, constants, names and the text of a program under construction. Values
/// are those that can be used where the next op goes.
class ProgramBuilder {
public:
  /// One in n of the arguments is a parameter or a state.
  ProgramBuilder(Choices &choices, int64_t storedOneIn);

  Choices &choices;

  //===--- Choices ---===//
  int64_t pick(int64_t low, int64_t high) { return choices.pick(low, high); }
  bool oneIn(int64_t n) { return choices.oneIn(n); }
  template <typename T> T of(std::initializer_list<T> list) {
    return *(list.begin() + pick(0, list.size() - 1));
  }
  /// One of the few sizes that this program has.
  int64_t anySize() { return sizes[pick(0, sizes.size() - 1)]; }
  /// The type of most of this program's floats.
  Element floatType() const { return mainFloat; }
  Element anyInteger() {
    return of({Element::I32, Element::I64, Element::I8, Element::I16, Element::I1, Element::Index});
  }

  //===--- Values ---===//
  ArrayRef<Value> getValues() const { return values; }
  template <typename Fits> std::optional<Value> find(Fits fits) {
    SmallVector<const Value *> found;
    for (const Value &value : values)
      if (fits(value))
        found.push_back(&value);
    if (found.empty())
      return std::nullopt;
    // Chains are longer when recent values are used.
    size_t at = oneIn(3) ? found.size() - 1 : pick(0, found.size() - 1);
    return *found[at];
  }
  /// Some tensor.
  Value any() {
    return *find([](const Value &) { return true; });
  }
  /// A value of this type, found or made.
  Value get(ArrayRef<int64_t> shape, Element type, bool mustBeExact = false);
  /// A new one: an argument, or a constant where there are enough of these.
  Value make(ArrayRef<int64_t> shape, Element type, bool mustBeExact = false);
  /// A new argument that the plan cuts along a dimension, and special ones among the elements
  /// more often; a constant where there are enough of these.
  Value makeCut(ArrayRef<int64_t> shape, Element type, int64_t dim);
  /// A scalar argument, an index of 0 to `high` or an i1.
  std::string scalarArgument(Element type, int64_t high);
  /// An argument of indices from 0 to `high`.
  Value indices(ArrayRef<int64_t> shape, Element type, int64_t high);
  Value constant(ArrayRef<int64_t> shape, Element type);
  /// A value of this type, found or made, of which floats are within kCarried.
  Value getCarried(ArrayRef<int64_t> shape, Element type);
  /// Makes it known, with a constraint on it now and then.
  Value define(const std::string &name, ArrayRef<int64_t> shape, Element type, Bounds bounds = {});

  //===--- Text ---===//
  std::string fresh() { return cat("%v", next++); }
  void line(const std::string &text) {
    body.append(2 * depth, ' ');
    body += text + "\n";
  }
  /// `%c = arith.constant TEXT : type`, its name.
  std::string scalar(StringRef text, Element type);
  std::string index(int64_t value) { return scalar(cat(value), Element::Index); }
  std::string empty(ArrayRef<int64_t> shape, Element type);
  /// A destination filled with a number.
  Value filled(ArrayRef<int64_t> shape, Element type, StringRef text);
  /// An attribute dictionary that names the op's one result of this shape for the
  /// plan, `{tp.name = "v3"} `, or nothing.
  std::string nameAttribute(ArrayRef<int64_t> shape);
  /// One value per destination.
  SmallVector<Value> generic(const Generic &op);

  //===--- Regions ---===//
  /// Lines and values of `fill` are inside of a region.
  void nest(llvm::function_ref<void()> fill);
  bool canNest() const { return nesting < 2; }
  /// A few ops of the table.
  void addOps(int64_t most);
  /// Defines a private function by `fill`, which sees only the values of `arguments`
  /// (renamed) and returns the results.
  std::string function(SmallVector<Value> &arguments,
                       llvm::function_ref<SmallVector<Value>()> fill);
  bool isInFunction() const { return inFunction; }
  void addResource(const std::string &text) { resources.push_back(text); }
  size_t numResources() const { return resources.size(); }

  //===--- Entries ---===//
  /// Adds a public function of random ops, which shares parameters and states with
  /// those that there are.
  void addEntry(StringRef name);
  RandomProgram finish();

private:
  int64_t storedOneIn;
  Element mainFloat;
  SmallVector<int64_t> sizes;
  std::vector<std::string> parts; ///< of mesh axes, as shardings name them
  bool hasMesh;                   ///< in the module as well
  std::vector<Value> values;
  std::string arguments, body, functions, entries;
  std::vector<std::string> resources;
  /// A parameter or a state, with its number among the arguments.
  struct Stored {
    size_t number;
    Value value;
    std::string name;
    bool isState;
  };
  SmallVector<Stored, 4> stored; ///< of all entries
  SmallVector<Stored, 2> states; ///< of this one
  RandomEntry entry;
  RandomProgram program;
  /// By how much a call multiplies the rounding of states.
  double growth = 1;
  /// What a plan can speak of.
  struct Named {
    std::string key;
    Shape shape;
    bool isPlanned, isPartial;
  };
  std::vector<Named> named;
  unsigned next = 0, depth = 1, nesting = 0, numNames = 0, numFunctions = 0;
  bool inFunction = false;

  void makeMesh();
  std::string meshText() const;
  /// A sharding for values of this shape, and whether it may be partial.
  std::string sharding(ArrayRef<int64_t> shape, bool mayBePartial, Element type);
  /// Gives a value that the plan can speak of a sharding once in n times.
  void plan(const std::string &key, ArrayRef<int64_t> shape, Element type, int64_t n,
            bool mayBePartial = false);
  void addGroupsAndBarriers();

  std::string argument(const std::string &type, InputValues input,
                       const std::string &attributes = "");
  /// `argN` of this entry.
  std::string argumentKey(size_t number) const;
  Value addStored(const Stored &kept);
  Value makeState(ArrayRef<int64_t> shape, Element type);
  Value makeParameter(ArrayRef<int64_t> shape, Element type);
  Value nextOfState(const Value &state);
};

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

} // namespace fuzz
} // namespace tp
} // namespace mlir

#endif // TP_FUZZ_PROGRAMBUILDER_H
