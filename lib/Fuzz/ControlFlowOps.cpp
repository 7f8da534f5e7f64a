//===- ControlFlowOps.cpp - Loops, branches and calls ----------------------===//

#include "OpTable.h"

#include <cmath>

using namespace mlir::tp;
using namespace mlir::tp::fuzz;

static constexpr int kTrips = 3;

/// What a loop may carry.
static bool canCarry(const Value &v) {
  return !isFloat(v.type) || (v.bounds.max <= kCarried && v.bounds.error < 0.1);
}

namespace {
/// Values that a loop carries.
struct Carried {
  SmallVector<Value> inits;
  /// What is assumed of each at the beginning of a trip.
  SmallVector<Bounds> assumed;
  SmallVector<std::string> types;
};
} // namespace

static Carried pickCarried(ProgramBuilder &b) {
  Carried carried;
  for (int64_t i = 0, n = b.of<int64_t>({1, 1, 2, 3}); i < n; ++i) {
    std::optional<Value> init = b.find(canCarry);
    if (!init)
      break;
    carried.inits.push_back(*init);
    carried.assumed.push_back(assumedOfCarried(init->bounds, init->type));
    carried.types.push_back(init->typeText());
  }
  return carried;
}

/// Bounds behind a loop: a trip multiplies errors by some factor, at most kTrips
/// times. `hasMore`: the op has other results, behind these.
static void defineResults(ProgramBuilder &b, const std::string &result, const Carried &carried,
                          ArrayRef<Value> yields, bool hasMore = false) {
  double factor = 1, error = 0;
  bool special = false;
  for (auto [yield, assumed] : llvm::zip_equal(yields, carried.assumed)) {
    special |= yield.bounds.special;
    if (assumed.error > 0)
      factor = std::max(factor, yield.bounds.error / assumed.error);
    error = std::max(error, assumed.error);
  }
  for (auto [i, init] : llvm::enumerate(carried.inits)) {
    Bounds bounds = {kCarried, -1, error * std::pow(factor, kTrips), special};
    if (!isFloat(init.type))
      bounds = Bounds();
    b.define(hasMore || carried.inits.size() > 1 ? cat(result, "#", i) : result, init.shape,
             init.type, bounds);
  }
}

static std::string countText(size_t n) { return n > 1 ? cat(":", n) : ""; }
static std::string listText(ArrayRef<std::string> types) { return cat("(", join(types), ")"); }

static SmallVector<std::string> namesOf(ArrayRef<Value> values) {
  SmallVector<std::string> names;
  for (const Value &value : values)
    names.push_back(value.name);
  return names;
}

/// The trip's number selects a row of some value, read or written.
static void addRowOfTrip(ProgramBuilder &b, const std::string &trip) {
  std::optional<Value> x = b.find([](const Value &v) {
    return v.rank() >= 1 && v.shape[0] >= kTrips && !llvm::is_contained(v.shape, 0);
  });
  if (!x)
    return;
  Shape sizes = x->shape, ones(x->rank(), 1);
  sizes[0] = 1;
  SmallVector<std::string> offsets(x->rank(), "0");
  offsets[0] = trip;
  std::string slice = cat("[", join(offsets), "] [", join(sizes), "] [", join(ones), "] : ");
  std::string part = b.fresh();
  b.line(cat(part, " = tensor.extract_slice ", x->name, slice, x->typeText(), " to ",
             typeText(sizes, x->type)));
  Value row = b.define(part, sizes, x->type, x->bounds);
  if (!b.oneIn(2))
    return;
  Value source = b.get(sizes, x->type);
  std::string result = b.fresh();
  b.line(cat(result, " = tensor.insert_slice ", source.name, " into ", x->name, slice,
             source.typeText(), " into ", x->typeText()));
  b.define(result, x->shape, x->type, eitherOf(x->bounds, source.bounds));
}

bool fuzz::addFor(ProgramBuilder &b) {
  Carried carried = pickCarried(b);
  if (carried.inits.empty())
    return false;
  std::string low = b.index(0), step = b.index(1);
  std::string high =
      b.oneIn(3) ? b.scalarArgument(Element::Index, kTrips) : b.index(b.pick(0, kTrips));
  std::string result = b.fresh(), trip = cat(result, "i");
  SmallVector<std::string> arguments, names;
  for (auto [i, init] : llvm::enumerate(carried.inits)) {
    names.push_back(cat(result, "c", i));
    arguments.push_back(cat(names.back(), " = ", init.name));
  }
  b.line(cat(result, countText(names.size()), " = scf.for ", trip, " = ", low, " to ", high,
             " step ", step, " iter_args(", join(arguments), ") -> ", listText(carried.types),
             " {"));
  SmallVector<Value> yields;
  b.nest([&] {
    for (auto [name, init, bounds] : llvm::zip_equal(names, carried.inits, carried.assumed))
      b.define(name, init.shape, init.type, bounds);
    if (b.oneIn(3))
      addRowOfTrip(b, trip);
    b.addOps(3);
    for (const Value &init : carried.inits)
      yields.push_back(b.getCarried(init.shape, init.type));
    b.line(cat("scf.yield ", join(namesOf(yields)), " : ", join(carried.types)));
  });
  b.line("}");
  defineResults(b, result, carried, yields);
  return true;
}

/// Ends after at most kTrips trips, or earlier by a number in a carried value.
bool fuzz::addWhile(ProgramBuilder &b) {
  Carried carried = pickCarried(b);
  if (carried.inits.empty())
    return false;
  std::string zero = b.index(0), one = b.index(1), most = b.index(b.pick(0, kTrips));
  std::optional<Value> watched = b.find([](const Value &v) {
    return v.isExact() && isFloat(v.type) && !llvm::is_contained(v.shape, 0) && v.rank() <= 2;
  });
  std::string result = b.fresh();
  SmallVector<std::string> befores, afters, arguments, parameters;
  for (auto [i, init] : llvm::enumerate(carried.inits)) {
    befores.push_back(cat(result, "b", i));
    afters.push_back(cat(result, "a", i));
    arguments.push_back(cat(befores.back(), " = ", init.name));
    parameters.push_back(cat(afters.back(), ": ", init.typeText()));
  }
  arguments.push_back(cat(result, "n = ", zero));
  parameters.push_back(cat(result, "m: index"));
  SmallVector<std::string> types = carried.types;
  types.push_back("index");
  b.line(cat(result, ":", types.size(), " = scf.while (", join(arguments), ") : ", listText(types),
             " -> ", listText(types), " {"));
  SmallVector<Value> yields;
  b.nest([&] {
    std::string goesOn = b.fresh();
    b.line(cat(goesOn, " = arith.cmpi slt, ", result, "n, ", most, " : index"));
    if (watched && b.oneIn(2)) {
      SmallVector<std::string> at(watched->rank(), zero);
      std::string element = b.fresh(), limit = b.scalar("1.0", watched->type), less = b.fresh(),
                  both = b.fresh();
      b.line(cat(element, " = tensor.extract ", watched->name, "[", join(at),
                 "] : ", watched->typeText()));
      b.line(cat(less, " = arith.cmpf olt, ", element, ", ", limit, " : ", nameOf(watched->type)));
      b.line(cat(both, " = arith.andi ", less, ", ", goesOn, " : i1"));
      goesOn = both;
    }
    b.line(cat("scf.condition(", goesOn, ") ", join(befores), ", ", result, "n : ", join(types)));
  });
  b.line("} do {");
  b.line(cat("^bb0(", join(parameters), "):"));
  b.nest([&] {
    for (auto [name, init, bounds] : llvm::zip_equal(afters, carried.inits, carried.assumed))
      b.define(name, init.shape, init.type, bounds);
    b.addOps(3);
    for (const Value &init : carried.inits)
      yields.push_back(b.getCarried(init.shape, init.type));
    std::string next = b.fresh();
    b.line(cat(next, " = arith.addi ", result, "m, ", one, " : index"));
    b.line(cat("scf.yield ", join(namesOf(yields)), ", ", next, " : ", join(types)));
  });
  b.line("}");
  // The counter is the last result.
  defineResults(b, result, carried, yields, /*hasMore=*/true);
  return true;
}

/// Results of branches: for each a value of every branch.
static void defineBranches(ProgramBuilder &b, const std::string &result,
                           ArrayRef<SmallVector<Value>> branches) {
  size_t n = branches.front().size();
  for (size_t i = 0; i < n; ++i) {
    Bounds bounds = branches.front()[i].bounds;
    for (const SmallVector<Value> &branch : branches)
      bounds = eitherOf(bounds, branch[i].bounds);
    b.define(n > 1 ? cat(result, "#", i) : result, branches.front()[i].shape,
             branches.front()[i].type, bounds);
  }
}

static SmallVector<Value> addBranch(ProgramBuilder &b, ArrayRef<Value> like) {
  SmallVector<Value> yields;
  b.nest([&] {
    b.addOps(2);
    SmallVector<std::string> types;
    for (const Value &value : like) {
      yields.push_back(b.get(value.shape, value.type));
      types.push_back(value.typeText());
    }
    b.line(cat("scf.yield ", join(namesOf(yields)), " : ", join(types)));
  });
  return yields;
}

static SmallVector<Value> pickLike(ProgramBuilder &b, SmallVector<std::string> &types) {
  SmallVector<Value> like;
  for (int64_t i = 0, n = b.of<int64_t>({1, 1, 2}); i < n; ++i) {
    like.push_back(b.any());
    types.push_back(like.back().typeText());
  }
  return like;
}

bool fuzz::addIf(ProgramBuilder &b) {
  SmallVector<std::string> types;
  SmallVector<Value> like = pickLike(b, types);
  std::string condition;
  std::optional<Value> mask = b.find([](const Value &v) {
    return v.type == Element::I1 && !llvm::is_contained(v.shape, 0) && v.rank() <= 2;
  });
  if (mask && b.oneIn(2)) {
    std::string zero = b.index(0);
    SmallVector<std::string> at(mask->rank(), zero);
    condition = b.fresh();
    b.line(
        cat(condition, " = tensor.extract ", mask->name, "[", join(at), "] : ", mask->typeText()));
  } else {
    condition = b.scalarArgument(Element::I1, 1);
  }
  std::string result = b.fresh();
  b.line(
      cat(result, countText(types.size()), " = scf.if ", condition, " -> ", listText(types), " {"));
  SmallVector<SmallVector<Value>> branches = {addBranch(b, like)};
  b.line("} else {");
  branches.push_back(addBranch(b, like));
  b.line("}");
  defineBranches(b, result, branches);
  return true;
}

bool fuzz::addSwitch(ProgramBuilder &b) {
  SmallVector<std::string> types;
  SmallVector<Value> like = pickLike(b, types);
  std::string selected = b.scalarArgument(Element::Index, 3), result = b.fresh();
  SmallVector<SmallVector<Value>> branches;
  if (b.oneIn(3)) {
    b.line(
        cat(result, countText(types.size()), " = scf.execute_region -> ", listText(types), " {"));
    branches.push_back(addBranch(b, like));
    b.line("}");
  } else {
    b.line(cat(result, countText(types.size()), " = scf.index_switch ", selected, " -> ",
               join(types)));
    for (StringRef label : {"case 0 {", "case 2 {", "default {"}) {
      b.line(label.str());
      branches.push_back(addBranch(b, like));
      b.line("}");
    }
  }
  defineBranches(b, result, branches);
  return true;
}

/// One or two calls of a new private function.
bool fuzz::addCall(ProgramBuilder &b) {
  if (b.isInFunction())
    return false;
  SmallVector<Value> arguments;
  for (int64_t i = 0, n = b.pick(1, 3); i < n; ++i)
    arguments.push_back(b.any());
  SmallVector<Value> parameters = arguments, results;
  // Both calls must keep to the bounds.
  for (Value &parameter : parameters)
    parameter.bounds = {
        std::max(2.0, parameter.bounds.max), -1,
        std::max(parameter.bounds.error, rounded({2, -1, 0, false}, parameter.type).error),
        parameter.bounds.special};
  std::string name = b.function(parameters, [&] {
    b.addOps(4);
    for (int64_t i = 0, n = b.of<int64_t>({1, 1, 2}); i < n; ++i)
      results.push_back(b.any());
    return results;
  });
  SmallVector<std::string> types, resultTypes;
  for (const Value &argument : arguments)
    types.push_back(argument.typeText());
  for (const Value &result : results)
    resultTypes.push_back(result.typeText());
  for (int64_t call = 0, n = b.of<int64_t>({1, 2}); call < n; ++call) {
    if (call == 1)
      for (auto [argument, parameter] : llvm::zip_equal(arguments, parameters))
        if (std::optional<Value> other = b.find([&, &parameter = parameter](const Value &v) {
              return v.type == parameter.type && v.shape == parameter.shape &&
                     v.bounds.max <= parameter.bounds.max &&
                     v.bounds.error <= parameter.bounds.error &&
                     v.bounds.special <= parameter.bounds.special;
            }))
          argument = *other;
    std::string result = b.fresh();
    b.line(cat(result, countText(results.size()), " = func.call @", name, "(",
               join(namesOf(arguments)), ") : ", listText(types), " -> ", listText(resultTypes)));
    for (auto [i, value] : llvm::enumerate(results))
      b.define(results.size() > 1 ? cat(result, "#", i) : result, value.shape, value.type,
               value.bounds);
  }
  return true;
}

/// Rows are added to, or put into, those of a table that indices name; colliding
/// indices add.
bool fuzz::addScatter(ProgramBuilder &b) {
  std::optional<Value> table = b.find([](const Value &v) {
    return v.rank() >= 1 && v.rank() <= 3 && v.type != Element::I1 && v.bounds.max < 100 &&
           !llvm::is_contained(v.shape, 0);
  });
  if (!table)
    return false;
  int64_t updates = b.pick(1, 4);
  Shape updateShape = table->shape, sizes = table->shape, ones(table->rank(), 1);
  updateShape[0] = updates;
  sizes[0] = 1;
  Value update = b.get(updateShape, table->type);
  Value ids = b.indices({updates}, Element::I64, table->shape[0] - 1);
  bool adds = b.oneIn(2) || update.bounds.max > 100;
  std::string low = b.index(0), high = b.index(updates), step = b.index(1), result = b.fresh();
  std::string i = cat(result, "i"), carried = cat(result, "c");
  b.line(cat(result, " = scf.for ", i, " = ", low, " to ", high, " step ", step, " iter_args(",
             carried, " = ", table->name, ") -> (", table->typeText(), ") {"));
  b.nest([&] {
    std::string id = b.fresh(), row = b.fresh(), part = b.fresh(), next = b.fresh();
    auto slice = [&](const std::string &at) {
      SmallVector<std::string> offsets(table->rank(), "0");
      offsets[0] = at;
      return cat("[", join(offsets), "] [", join(sizes), "] [", join(ones), "] : ");
    };
    std::string partType = typeText(sizes, table->type);
    b.line(cat(id, " = tensor.extract ", ids.name, "[", i, "] : ", ids.typeText()));
    b.line(cat(row, " = arith.index_cast ", id, " : i64 to index"));
    b.line(cat(part, " = tensor.extract_slice ", update.name, slice(i), update.typeText(), " to ",
               partType));
    if (adds) {
      std::string old = b.fresh(), sum = b.fresh();
      b.line(cat(old, " = tensor.extract_slice ", carried, slice(row), table->typeText(), " to ",
                 partType));
      b.line(cat(sum, " = ", isFloat(table->type) ? "arith.addf " : "arith.addi ", old, ", ", part,
                 " : ", partType));
      part = sum;
    }
    b.line(cat(next, " = tensor.insert_slice ", part, " into ", carried, slice(row), partType,
               " into ", table->typeText()));
    b.line(cat("scf.yield ", next, " : ", table->typeText()));
  });
  b.line("}");
  Bounds bounds = eitherOf(table->bounds, update.bounds);
  if (adds)
    bounds = sumOf(table->bounds, sumOver(update.bounds, updates, table->type), table->type);
  b.define(result, table->shape, table->type, bounds);
  return true;
}

/// Each row of some value is changed and put at its place in another one.
bool fuzz::addForall(ProgramBuilder &b) {
  std::optional<Value> x = b.find([](const Value &v) {
    return v.rank() >= 1 && v.rank() <= 3 && !llvm::is_contained(v.shape, 0);
  });
  if (!x)
    return false;
  int64_t dim = b.pick(0, x->rank() - 1);
  Shape sizes = x->shape, ones(x->rank(), 1);
  sizes[dim] = 1;
  Value out = b.get(x->shape, x->type);
  std::string result = b.fresh(), part = b.fresh(), changed = b.fresh();
  SmallVector<std::string> offsets(x->rank(), "0");
  offsets[dim] = result + "i";
  std::string slice = cat("[", join(offsets), "] [", join(sizes), "] [", join(ones), "] : ");
  std::string partType = typeText(sizes, x->type);
  b.line(cat(result, " = scf.forall (", result, "i) in (", x->shape[dim], ") shared_outs(", result,
             "o = ", out.name, ") -> (", x->typeText(), ") {"));
  Bounds bounds = sumOf(x->bounds, x->bounds, x->type);
  b.nest([&] {
    b.line(cat(part, " = tensor.extract_slice ", x->name, slice, x->typeText(), " to ", partType));
    b.line(cat(changed, " = ", isFloat(x->type) ? "arith.addf " : "arith.addi ", part, ", ", part,
               " : ", partType));
    b.line("scf.forall.in_parallel {");
    b.line(cat("  tensor.parallel_insert_slice ", changed, " into ", result, "o", slice, partType,
               " into ", x->typeText()));
    b.line("}");
  });
  b.line("}");
  b.define(result, x->shape, x->type, bounds);
  return true;
}

/// The largest element, or a sum of integers, of a loop that has no order.
bool fuzz::addParallel(ProgramBuilder &b) {
  std::optional<Value> x = b.find([](const Value &v) {
    return v.rank() == 1 && v.type != Element::I1 && !llvm::is_contained(v.shape, 0);
  });
  if (!x)
    return false;
  StringRef type = nameOf(x->type);
  std::string low = b.index(0), high = b.index(x->shape[0]), step = b.index(1);
  std::string init = b.scalar(isFloat(x->type) ? "-1.0" : "1", x->type), result = b.fresh();
  b.line(cat(result, " = scf.parallel (", result, "i) = (", low, ") to (", high, ") step (", step,
             ") init (", init, ") -> ", type, " {"));
  b.nest([&] {
    std::string element = b.fresh();
    b.line(cat(element, " = tensor.extract ", x->name, "[", result, "i] : ", x->typeText()));
    b.line(cat("scf.reduce(", element, " : ", type, ") {"));
    b.line(cat("^bb0(%p: ", type, ", %q: ", type, "):"));
    b.line(cat("  %m = ", isFloat(x->type) ? "arith.maximumf" : "arith.addi", " %p, %q : ", type));
    b.line(cat("  scf.reduce.return %m : ", type));
    b.line("}");
  });
  b.line("}");
  std::string splat = b.fresh();
  Shape shape = {b.anySize()};
  b.line(cat(splat, " = tensor.splat ", result, " : ", typeText(shape, x->type)));
  b.define(splat, shape, x->type, x->bounds);
  return true;
}
