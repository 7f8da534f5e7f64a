//===- RandomProgram.cpp - Small random tensor programs --------------------===//

#include "RandomProgram.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

using namespace mlir::tp::test;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

using Shape = SmallVector<int64_t, 4>;

struct NamedValue {
  std::string name;
  Shape shape;
};

std::string typeOf(ArrayRef<int64_t> shape) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + "f32>";
}

std::string join(ArrayRef<int64_t> numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

/// `affine_map<(d0, d1) -> (d1)>`
std::string mapOf(unsigned numDims, ArrayRef<int64_t> results) {
  std::string text = "affine_map<(";
  for (unsigned d = 0; d < numDims; ++d)
    text += (d ? ", d" : "d") + std::to_string(d);
  text += ") -> (";
  for (auto [i, d] : llvm::enumerate(results))
    text += (i ? ", d" : "d") + std::to_string(d);
  return text + ")>";
}

class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed) {}

  std::string run() {
    makeMesh();
    for (int64_t &size : sizes)
      size = pick(1, 8);
    std::string arguments;
    for (int64_t i = 0, n = pick(2, 4); i < n; ++i) {
      Shape shape;
      for (int64_t d = 0, rank = pick(1, 3); d < rank; ++d)
        shape.push_back(anySize());
      NamedValue value{"%arg" + std::to_string(i), shape};
      arguments += (i ? ", " : "") + value.name + ": " + typeOf(shape) + attribute(shape);
      values.push_back(value);
    }
    for (int64_t i = 0, n = pick(3, 10); i < n; ++i)
      addOp();
    SmallVector<NamedValue> results = {values.back()};
    if (flip())
      results.push_back(anyValue());
    std::string names, types, attributes;
    for (const NamedValue &result : results) {
      std::string comma = names.empty() ? "" : ", ";
      names += comma + result.name;
      types += comma + typeOf(result.shape);
      attributes += comma + typeOf(result.shape) + attribute(result.shape, /*isResult=*/true);
    }
    return "tp.mesh @mesh <" + mesh + ">\nfunc.func @f(" + arguments + ") -> (" + attributes +
           ") {\n" + body + "  return " + names + " : " + types + "\n}\n";
  }

private:
  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  bool flip(int64_t of = 2) { return pick(1, of) == 1; }
  int64_t anySize() { return sizes[pick(0, std::size(sizes) - 1)]; }
  const NamedValue &anyValue() { return values[pick(0, values.size() - 1)]; }

  /// A value that fits, or null.
  template <typename Fits> const NamedValue *findValue(Fits fits) {
    SmallVector<const NamedValue *> candidates;
    for (const NamedValue &value : values)
      if (fits(value))
        candidates.push_back(&value);
    return candidates.empty() ? nullptr : candidates[pick(0, candidates.size() - 1)];
  }

  void makeMesh() {
    const char *meshes[] = {"\"a\"=2", "\"a\"=3", "\"a\"=4", "\"a\"=2, \"b\"=2",
                            "\"a\"=2, \"b\"=3"};
    mesh = meshes[pick(0, std::size(meshes) - 1)];
    axes = {"a"};
    if (llvm::StringRef(mesh).contains('b'))
      axes.push_back("b");
    if (llvm::StringRef(mesh).contains('4') && flip(3))
      axes = {"a:(1)2", "a:(2)2"};
  }

  /// A sharding for values of this rank; partial only where they come in.
  std::string sharding(ArrayRef<int64_t> shape, bool isResult) {
    std::vector<std::string> dims(shape.size());
    std::string partial;
    SmallVector<std::string> order(axes.begin(), axes.end());
    std::shuffle(order.begin(), order.end(), random);
    for (const std::string &axis : order) {
      int64_t use = pick(-2, static_cast<int64_t>(shape.size()) - 1);
      if (use >= 0)
        dims[use] += (dims[use].empty() ? "" : ", ") + axis + (flip(6) ? "*2" : "");
      else if (!isResult && flip(6))
        partial += " sum(" + axis + ")";
    }
    std::string text = "[";
    for (auto [i, dim] : llvm::enumerate(dims)) {
      bool isOpen = flip(3);
      text += i ? ", " : "";
      if (dim.empty())
        text += isOpen ? "?" : "_";
      else
        text += "(" + dim + (isOpen ? ", ?)" : ")");
    }
    return "<" + text + "]" + partial + ">";
  }

  std::string attribute(ArrayRef<int64_t> shape, bool isResult = false) {
    if (flip(4))
      return "";
    return " {tp.sharding = #tp.sharding" + sharding(shape, isResult) + "}";
  }

  std::string fresh() { return "%" + std::to_string(next++); }

  void line(const std::string &text) { body += "  " + text + "\n"; }

  /// A value of one number.
  std::string fill(ArrayRef<int64_t> shape, const std::string &number) {
    std::string c = fresh(), e = fresh(), f = fresh();
    line(c + " = arith.constant " + number + " : f32");
    line(e + " = tensor.empty() : " + typeOf(shape));
    line(f + " = linalg.fill ins(" + c + " : f32) outs(" + e + " : " + typeOf(shape) + ") -> " +
         typeOf(shape));
    return f;
  }

  void define(const std::string &name, ArrayRef<int64_t> shape) {
    values.push_back({name, Shape(shape.begin(), shape.end())});
    if (shape.empty() || !flip(8))
      return;
    std::string constrained = fresh();
    line(constrained + " = tp.constraint " + name + " " + sharding(shape, true) + " : " +
         typeOf(shape));
    values.back().name = constrained;
  }

  /// A generic op over `loops` dimensions with one result.
  void generic(ArrayRef<NamedValue> inputs, ArrayRef<std::string> maps, const std::string &init,
               ArrayRef<int64_t> shape, const std::string &resultMap, ArrayRef<bool> reduced,
               const std::string &code, const std::string &yielded) {
    std::string names, types, mapText, iterators, arguments, result = fresh();
    for (auto [i, input] : llvm::enumerate(inputs)) {
      names += (i ? ", " : "") + input.name;
      types += (i ? ", " : "") + typeOf(input.shape);
      mapText += maps[i] + ", ";
      arguments += "%x" + std::to_string(i) + ": f32, ";
    }
    for (auto [i, isReduced] : llvm::enumerate(reduced))
      iterators += std::string(i ? ", " : "") + (isReduced ? "\"reduction\"" : "\"parallel\"");
    line(result + " = linalg.generic {indexing_maps = [" + mapText + resultMap +
         "], iterator_types = [" + iterators + "]} ins(" + names + " : " + types + ") outs(" +
         init + " : " + typeOf(shape) + ") {");
    line("^bb0(" + arguments + "%acc: f32):");
    body += code;
    line("  linalg.yield " + yielded + " : f32");
    line("} -> " + typeOf(shape));
    define(result, shape);
  }

  void addOp() {
    switch (pick(0, 18)) {
    case 0:
      return addUnary();
    case 1:
    case 2:
      return addBinary();
    case 3:
    case 4:
      return addContraction();
    case 5:
      return addReduction();
    case 6:
      return addTranspose();
    case 7:
      return addBroadcast();
    case 8:
      return addReshape();
    case 9:
      return addSlice();
    case 10:
      return addPad();
    case 11:
      return addConcat();
    case 12:
      return addPositions();
    case 13:
      return addRowwise();
    case 14:
      return addLookUp();
    case 15:
      return addMovingSlice();
    case 16:
      return addLoop();
    case 17:
      return addNorm();
    case 18:
      return addArgmax();
    }
  }

  void addUnary() {
    NamedValue x = anyValue();
    const char *ops[] = {"arith.negf", "math.absf", "math.tanh"};
    std::string result = fresh();
    line(result + " = " + ops[pick(0, 2)] + " " + x.name + " : " + typeOf(x.shape));
    define(result, x.shape);
  }

  void addBinary() {
    NamedValue x = anyValue();
    NamedValue y = *findValue([&](const NamedValue &v) { return v.shape == x.shape; });
    const char *ops[] = {"arith.addf", "arith.addf", "arith.subf", "arith.mulf", "arith.maximumf"};
    std::string result = fresh();
    line(result + " = " + ops[pick(0, 4)] + " " + x.name + ", " + y.name + " : " + typeOf(x.shape));
    define(result, x.shape);
  }

  /// Contracts the last dimension of one value with the first of another; the
  /// destination is zero or some value.
  void addContraction() {
    NamedValue x = anyValue();
    if (x.shape.empty())
      return;
    const NamedValue *found = findValue([&](const NamedValue &v) {
      return !v.shape.empty() && v.shape[0] == x.shape.back() &&
             v.shape.size() + x.shape.size() <= 5;
    });
    if (!found)
      return;
    NamedValue y = *found;
    unsigned m = x.shape.size() - 1, n = y.shape.size() - 1, loops = m + n + 1;
    Shape shape(x.shape.begin(), x.shape.end() - 1), left(m), right = {m}, out(m + n);
    shape.append(y.shape.begin() + 1, y.shape.end());
    std::iota(left.begin(), left.end(), 0);
    left.push_back(m);
    for (unsigned i = 0; i < n; ++i)
      right.push_back(m + 1 + i);
    for (unsigned i = 0; i < m + n; ++i)
      out[i] = i < m ? i : i + 1;
    SmallVector<bool> reduced(loops, false);
    reduced[m] = true;
    const NamedValue *bias = findValue([&](const NamedValue &v) { return v.shape == shape; });
    std::string init = bias && flip() ? bias->name : fill(shape, "0.0");
    generic({x, y}, {mapOf(loops, left), mapOf(loops, right)}, init, shape, mapOf(loops, out),
            reduced, "    %p = arith.mulf %x0, %x1 : f32\n    %s = arith.addf %acc, %p : f32\n",
            "%s");
  }

  void addReduction() {
    NamedValue x = anyValue();
    if (x.shape.empty())
      return;
    int64_t dim = pick(0, x.shape.size() - 1);
    Shape shape = x.shape;
    shape.erase(shape.begin() + dim);
    const std::pair<const char *, const char *> kinds[] = {
        {"arith.addf", "0.0"}, {"arith.maximumf", "0xFF800000"}, {"arith.minimumf", "0x7F800000"}};
    auto [op, neutral] = kinds[pick(0, 2)];
    const NamedValue *other = findValue([&](const NamedValue &v) { return v.shape == shape; });
    std::string init = other && flip(3) ? other->name : fill(shape, neutral), result = fresh();
    line(result + " = linalg.reduce { " + op + " } ins(" + x.name + " : " + typeOf(x.shape) +
         ") outs(" + init + " : " + typeOf(shape) + ") dimensions = [" + std::to_string(dim) + "]");
    define(result, shape);
  }

  void addTranspose() {
    NamedValue x = anyValue();
    if (x.shape.size() < 2)
      return;
    Shape order(x.shape.size()), shape;
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    for (int64_t d : order)
      shape.push_back(x.shape[d]);
    std::string e = fresh(), result = fresh();
    line(e + " = tensor.empty() : " + typeOf(shape));
    line(result + " = linalg.transpose ins(" + x.name + " : " + typeOf(x.shape) + ") outs(" + e +
         " : " + typeOf(shape) + ") permutation = [" + join(order) + "]");
    define(result, shape);
  }

  void addBroadcast() {
    NamedValue x = anyValue();
    if (x.shape.size() > 2)
      return;
    int64_t dim = pick(0, x.shape.size());
    Shape shape = x.shape;
    shape.insert(shape.begin() + dim, anySize());
    std::string e = fresh(), result = fresh();
    line(e + " = tensor.empty() : " + typeOf(shape));
    line(result + " = linalg.broadcast ins(" + x.name + " : " + typeOf(x.shape) + ") outs(" + e +
         " : " + typeOf(shape) + ") dimensions = [" + std::to_string(dim) + "]");
    define(result, shape);
  }

  /// Collapses two neighbours, or expands one dimension into two.
  void addReshape() {
    NamedValue x = anyValue();
    if (x.shape.empty())
      return;
    bool collapses = x.shape.size() > 1 && flip();
    int64_t dim = pick(0, x.shape.size() - (collapses ? 2 : 1));
    Shape shape = x.shape;
    std::string groups, result = fresh();
    size_t count = collapses ? x.shape.size() - 1 : x.shape.size();
    for (size_t group = 0, at = 0; group < count; ++group) {
      bool isPair = static_cast<int64_t>(group) == dim;
      groups += (group ? ", [" : "[") + std::to_string(at) +
                (isPair ? ", " + std::to_string(at + 1) : "") + "]";
      at += isPair ? 2 : 1;
    }
    if (collapses) {
      shape[dim] *= shape[dim + 1];
      shape.erase(shape.begin() + dim + 1);
      line(result + " = tensor.collapse_shape " + x.name + " [" + groups +
           "] : " + typeOf(x.shape) + " into " + typeOf(shape));
    } else {
      int64_t inner = pick(1, x.shape[dim]);
      while (x.shape[dim] % inner != 0)
        --inner;
      shape[dim] /= inner;
      shape.insert(shape.begin() + dim + 1, inner);
      if (shape.size() > 4)
        return;
      line(result + " = tensor.expand_shape " + x.name + " [" + groups + "] output_shape [" +
           join(shape) + "] : " + typeOf(x.shape) + " into " + typeOf(shape));
    }
    define(result, shape);
  }

  /// Takes a slice, or puts it back into a value of the whole shape.
  void addSlice() {
    NamedValue x = anyValue();
    if (x.shape.empty())
      return;
    Shape offsets, sizes, strides(x.shape.size(), 1);
    for (int64_t whole : x.shape) {
      bool isWhole = flip();
      sizes.push_back(isWhole ? whole : pick(1, whole));
      offsets.push_back(pick(0, whole - sizes.back()));
    }
    std::string slice = "[" + join(offsets) + "] [" + join(sizes) + "] [" + join(strides) + "] : ";
    std::string part = fresh();
    line(part + " = tensor.extract_slice " + x.name + slice + typeOf(x.shape) + " to " +
         typeOf(sizes));
    define(part, sizes);
    if (flip()) {
      NamedValue y = *findValue([&](const NamedValue &v) { return v.shape == x.shape; });
      std::string source = values.back().name, result = fresh();
      line(result + " = tensor.insert_slice " + source + " into " + y.name + slice + typeOf(sizes) +
           " into " + typeOf(y.shape));
      define(result, y.shape);
    }
  }

  void addPad() {
    NamedValue x = anyValue();
    if (x.shape.empty())
      return;
    Shape low, high, shape;
    std::string arguments;
    for (auto [d, size] : llvm::enumerate(x.shape)) {
      low.push_back(flip() ? 0 : pick(0, 2));
      high.push_back(flip() ? 0 : pick(0, 2));
      shape.push_back(low.back() + size + high.back());
      arguments += (d ? ", %i" : "%i") + std::to_string(d) + ": index";
    }
    std::string c = fresh(), result = fresh();
    line(c + " = arith.constant " + (flip() ? "0.0" : "-1.5") + " : f32");
    line(result + " = tensor.pad " + x.name + " low[" + join(low) + "] high[" + join(high) + "] {");
    line("^bb0(" + arguments + "):");
    line("  tensor.yield " + c + " : f32");
    line("} : " + typeOf(x.shape) + " to " + typeOf(shape));
    define(result, shape);
  }

  void addConcat() {
    NamedValue x = anyValue();
    if (x.shape.empty())
      return;
    int64_t dim = pick(0, x.shape.size() - 1);
    NamedValue y = *findValue([&](const NamedValue &v) {
      if (v.shape.size() != x.shape.size())
        return false;
      for (auto [d, a, b] : llvm::enumerate(v.shape, x.shape))
        if (static_cast<int64_t>(d) != dim && a != b)
          return false;
      return true;
    });
    Shape shape = x.shape;
    shape[dim] += y.shape[dim];
    std::string result = fresh();
    line(result + " = tensor.concat dim(" + std::to_string(dim) + ") " + x.name + ", " + y.name +
         " : (" + typeOf(x.shape) + ", " + typeOf(y.shape) + ") -> " + typeOf(shape));
    define(result, shape);
  }

  /// Adds something that depends on the position, or masks by it.
  void addPositions() {
    NamedValue x = anyValue();
    if (x.shape.empty())
      return;
    unsigned rank = x.shape.size();
    Shape all(rank);
    std::iota(all.begin(), all.end(), 0);
    std::string i = std::to_string(pick(0, rank - 1)), j = std::to_string(pick(0, rank - 1));
    std::string e = fresh();
    line(e + " = tensor.empty() : " + typeOf(x.shape));
    std::string code =
        "    %i = linalg.index " + i + " : index\n    %j = linalg.index " + j + " : index\n";
    if (flip())
      code += "    %c = arith.constant -4.0 : f32\n    %m = arith.cmpi ule, %i, %j : index\n"
              "    %r = arith.select %m, %x0, %c : f32\n";
    else
      code += "    %k = arith.index_cast %i : index to i32\n    %f = arith.sitofp %k : i32 to f32\n"
              "    %r = arith.addf %x0, %f : f32\n";
    generic({x}, {mapOf(rank, all)}, e, x.shape, mapOf(rank, all), SmallVector<bool>(rank, false),
            code, "%r");
  }

  /// Combines every element with that of a value of fewer dimensions.
  void addRowwise() {
    NamedValue x = anyValue();
    unsigned rank = x.shape.size();
    Shape kept, shape, all(rank);
    std::iota(all.begin(), all.end(), 0);
    for (unsigned d = 0; d < rank; ++d)
      if (flip()) {
        kept.push_back(d);
        shape.push_back(x.shape[d]);
      }
    const NamedValue *y = findValue([&](const NamedValue &v) { return v.shape == shape; });
    if (!y)
      return;
    const char *ops[] = {"arith.addf", "arith.subf", "arith.mulf", "arith.minimumf"};
    std::string code = std::string("    %r = ") + ops[pick(0, 3)] + " %x0, %x1 : f32\n",
                e = fresh();
    line(e + " = tensor.empty() : " + typeOf(x.shape));
    generic({x, NamedValue(*y)}, {mapOf(rank, all), mapOf(rank, kept)}, e, x.shape,
            mapOf(rank, all), SmallVector<bool>(rank, false), code, "%r");
  }

  /// Rows of a value: as nn.embedding, or by tensor.extract in a body.
  void addLookUp() {
    const NamedValue *table = findValue([](const NamedValue &v) { return v.shape.size() == 2; });
    if (!table)
      return;
    NamedValue t = *table;
    Shape shape = {anySize(), t.shape[1]};
    std::string n = std::to_string(shape[0]), result = fresh();
    if (flip()) {
      Shape ids;
      for (int64_t i = 0; i < shape[0]; ++i)
        ids.push_back(pick(-1, t.shape[0]));
      std::string c = fresh(), type = "tensor<" + n + "xi64>";
      line(c + " = arith.constant dense<[" + join(ids) + "]> : " + type);
      line(result + " = nn.embedding " + c + ", " + t.name + " : " + type + ", " + typeOf(t.shape) +
           " -> " + typeOf(shape));
      return define(result, shape);
    }
    std::string e = fresh();
    line(e + " = tensor.empty() : " + typeOf(shape));
    line(result + " = linalg.generic {indexing_maps = [" + mapOf(2, {0, 1}) +
         "], iterator_types = [\"parallel\", \"parallel\"]} outs(" + e + " : " + typeOf(shape) +
         ") {");
    line("^bb0(%o: f32):");
    line("  %i = linalg.index 0 : index");
    line("  %j = linalg.index 1 : index");
    line("  %n = arith.constant " + std::to_string(t.shape[0]) + " : index");
    line("  %row = arith.remui %i, %n : index");
    line("  %v = tensor.extract " + t.name + "[%row, %j] : " + typeOf(t.shape));
    line("  linalg.yield %v : f32");
    line("} -> " + typeOf(shape));
    define(result, shape);
  }

  /// A slice at a place that only the run knows, read or written.
  void addMovingSlice() {
    NamedValue x = anyValue();
    if (x.shape.empty())
      return;
    int64_t moving = pick(0, x.shape.size() - 1), size = pick(1, x.shape[moving]);
    std::string at = fresh(), result = fresh(), offsets;
    line(at + " = arith.constant " + std::to_string(pick(0, x.shape[moving] - size)) + " : index");
    for (int64_t d = 0, rank = x.shape.size(); d < rank; ++d)
      offsets += (d ? ", " : "") + (d == moving ? at : "0");
    Shape shape = x.shape, ones(x.shape.size(), 1);
    shape[moving] = size;
    std::string slice = "[" + offsets + "] [" + join(shape) + "] [" + join(ones) + "] : ";
    const NamedValue *source = findValue([&](const NamedValue &v) { return v.shape == shape; });
    if (source && flip()) {
      line(result + " = tensor.insert_slice " + source->name + " into " + x.name + slice +
           typeOf(shape) + " into " + typeOf(x.shape));
      return define(result, x.shape);
    }
    line(result + " = tensor.extract_slice " + x.name + slice + typeOf(x.shape) + " to " +
         typeOf(shape));
    define(result, shape);
  }

  /// A loop of a few trips that carries one value.
  void addLoop() {
    NamedValue x = anyValue();
    NamedValue y = *findValue([&](const NamedValue &v) { return v.shape == x.shape; });
    std::string low = fresh(), high = fresh(), one = fresh(), result = fresh();
    line(low + " = arith.constant 0 : index");
    line(high + " = arith.constant " + std::to_string(pick(0, 3)) + " : index");
    line(one + " = arith.constant 1 : index");
    std::string type = typeOf(x.shape);
    line(result + " = scf.for %trip = " + low + " to " + high + " step " + one +
         " iter_args(%carried = " + x.name + ") -> " + type + " {");
    const char *ops[] = {"arith.addf", "arith.subf", "arith.maximumf"};
    std::string inner = "%carried";
    // A square matrix is multiplied by another value.
    const NamedValue *square = findValue([&](const NamedValue &v) {
      return x.shape.size() == 2 && v.shape.size() == 2 && v.shape[0] == x.shape[1] &&
             v.shape[1] == x.shape[1];
    });
    if (square) {
      std::string zero = fill(x.shape, "0.0");
      inner = fresh();
      line("  " + inner + " = linalg.matmul ins(%carried, " + square->name + " : " + type + ", " +
           typeOf(square->shape) + ") outs(" + zero + " : " + type + ") -> " + type);
    }
    std::string sum = fresh(), bounded = fresh();
    line("  " + sum + " = " + ops[pick(0, 2)] + " " + inner + ", " + y.name + " : " + type);
    line("  " + bounded + " = math.tanh " + sum + " : " + type);
    line("  scf.yield " + bounded + " : " + type);
    line("}");
    define(result, x.shape);
  }

  void addNorm() {
    const NamedValue *found = findValue([&](const NamedValue &v) { return v.shape.size() == 1; });
    if (!found)
      return;
    NamedValue w = *found;
    const NamedValue *x = findValue(
        [&](const NamedValue &v) { return v.shape.size() > 1 && v.shape.back() == w.shape[0]; });
    if (!x)
      return;
    NamedValue input = *x;
    std::string result = fresh();
    line(result + " = nn.rms_norm " + input.name + ", " + w.name +
         " epsilon 1.0e-02 : " + typeOf(input.shape) + ", " + typeOf(w.shape));
    define(result, input.shape);
  }

  /// The largest value per row, plus a half of its index.
  void addArgmax() {
    const NamedValue *found = findValue([&](const NamedValue &v) { return v.shape.size() > 1; });
    if (!found)
      return;
    NamedValue x = *found;
    Shape shape = x.shape;
    shape.back() = 1;
    std::string value = fresh(), index = fresh(), number = fresh(), half = fill(shape, "0.5");
    std::string scaled = fresh(), result = fresh(), type = typeOf(shape);
    std::string indexType = type;
    indexType.replace(indexType.size() - 4, 3, "i64");
    line(value + ", " + index + " = nn.argmax " + x.name + " : " + typeOf(x.shape) + " -> " + type +
         ", " + indexType);
    line(number + " = arith.sitofp " + index + " : " + indexType + " to " + type);
    line(scaled + " = arith.mulf " + number + ", " + half + " : " + type);
    line(result + " = arith.addf " + scaled + ", " + value + " : " + type);
    define(result, shape);
  }

  std::mt19937_64 random;
  std::string mesh;
  std::vector<std::string> axes;
  int64_t sizes[3];
  std::vector<NamedValue> values;
  std::string body;
  unsigned next = 0;
};

} // namespace

std::string mlir::tp::test::makeRandomProgram(uint64_t seed) { return Generator(seed).run(); }
