//===- ProgramBuilder.cpp - Text of a random program, op by op -------------===//

#include "DynamicDims.h"
#include "OpTable.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace mlir::tp;
using namespace mlir::tp::fuzz;

//===----------------------------------------------------------------------===//
// Types and bounds
//===----------------------------------------------------------------------===//

StringRef fuzz::nameOf(Element type) {
  static constexpr StringRef names[] = {"f32", "f64", "f16", "bf16", "i32",
                                        "i64", "i16", "i8",  "i1",   "index"};
  return names[static_cast<unsigned>(type)];
}

unsigned fuzz::widthOf(Element type) {
  switch (type) {
  case Element::I64:
  case Element::Index:
    return 64;
  case Element::I16:
    return 16;
  case Element::I8:
    return 8;
  case Element::I1:
    return 1;
  default:
    return 32;
  }
}

std::string fuzz::extremeText(Element type, bool isLowest) {
  switch (type) {
  case Element::F64:
    return isLowest ? "0xFFF0000000000000" : "0x7FF0000000000000";
  case Element::F32:
    return isLowest ? "0xFF800000" : "0x7F800000";
  case Element::F16:
    return isLowest ? "0xFC00" : "0x7C00";
  case Element::BF16:
    return isLowest ? "0xFF80" : "0x7F80";
  case Element::I1:
    return isLowest ? "true" : "false";
  default:
    int64_t lowest = INT64_MIN >> (64 - widthOf(type));
    return cat(isLowest ? lowest : ~lowest);
  }
}

std::string fuzz::typeText(ArrayRef<int64_t> shape, Element type) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += cat(size, "x");
  return cat(text, nameOf(type), ">");
}

int64_t fuzz::countOf(ArrayRef<int64_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<int64_t>());
}

/// Bits of the significand.
static int precisionOf(Element type) {
  switch (type) {
  case Element::F64:
    return 53;
  case Element::F16:
    return 11;
  case Element::BF16:
    return 8;
  default:
    return 24;
  }
}

Bounds fuzz::rounded(Bounds bounds, Element type) {
  if (!isFloat(type))
    return Bounds();
  bool fits = bounds.fraction >= 0 &&
              bounds.max * std::ldexp(1.0, bounds.fraction) <= std::ldexp(1.0, precisionOf(type));
  if (!fits) {
    bounds.error += bounds.max * std::ldexp(1.0, 1 - precisionOf(type));
    bounds.fraction = -1;
  }
  return bounds;
}

Bounds fuzz::sumOf(Bounds a, Bounds b, Element type) {
  bool known = a.fraction >= 0 && b.fraction >= 0;
  return rounded({a.max + b.max, known ? std::max(a.fraction, b.fraction) : -1, a.error + b.error,
                  a.special || b.special},
                 type);
}

Bounds fuzz::productOf(Bounds a, Bounds b, Element type) {
  bool known = a.fraction >= 0 && b.fraction >= 0;
  return rounded({a.max * b.max, known ? a.fraction + b.fraction : -1,
                  a.max * b.error + b.max * a.error + a.error * b.error, a.special || b.special},
                 type);
}

Bounds fuzz::eitherOf(Bounds a, Bounds b) {
  bool known = a.fraction >= 0 && b.fraction >= 0;
  return {std::max(a.max, b.max), known ? std::max(a.fraction, b.fraction) : -1,
          std::max(a.error, b.error), a.special || b.special};
}

Bounds fuzz::assumedOfCarried(Bounds first, Element type) {
  if (!isFloat(type))
    return first;
  Bounds bounds = rounded({kCarried, -1, first.error, first.special}, type);
  bounds.error *= 4;
  return bounds;
}

Bounds fuzz::sumOver(Bounds a, int64_t n, Element type) {
  n = std::max<int64_t>(n, 1);
  a.max *= n;
  a.error *= n;
  Bounds result = rounded(a, type);
  // Each of the n additions rounds.
  if (result.error > a.error)
    result.error = a.error + n * (result.error - a.error);
  return result;
}

//===----------------------------------------------------------------------===//
// Pieces of text
//===----------------------------------------------------------------------===//

std::string fuzz::mapText(unsigned loops, StringRef results) {
  return cat("affine_map<(", dimsText(firstLoops(loops)), ") -> (", results, ")>");
}

std::string fuzz::dimsText(ArrayRef<int64_t> loops) {
  std::string text;
  for (int64_t loop : loops)
    text += cat(text.empty() ? "d" : ", d", loop);
  return text;
}

Shape fuzz::firstLoops(unsigned n) {
  Shape loops(n);
  std::iota(loops.begin(), loops.end(), 0);
  return loops;
}

ProgramBuilder::ProgramBuilder(Choices &choices, int64_t storedOneIn)
    : choices(choices), storedOneIn(storedOneIn) {
  makeMesh();
  mainFloat = of({Element::F32, Element::F32, Element::F32, Element::F32, Element::F64,
                  Element::BF16, Element::F16});
  for (int i = 0; i < 3; ++i)
    sizes.push_back(of<int64_t>({2, 3, 4, 5, 6, 1, 7, 8, 9, 2, 3, 4, 5, 6, 8}));
  if (oneIn(25))
    sizes.back() = 0;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::string ProgramBuilder::argument(const std::string &type, InputValues input,
                                     const std::string &attributes) {
  size_t number = entry.inputs.size();
  std::string name = cat("%arg", number);
  arguments += cat(number ? ", " : "", name, ": ", type, attributes);
  entry.inputs.push_back(input);
  return name;
}

std::string ProgramBuilder::argumentKey(size_t number) const {
  return cat(entry.name, ".arg", number);
}

Value ProgramBuilder::get(ArrayRef<int64_t> shape, Element type, bool mustBeExact) {
  if (!oneIn(5))
    if (std::optional<Value> found = find([&](const Value &value) {
          return value.type == type && ArrayRef<int64_t>(value.shape) == shape &&
                 (!mustBeExact || value.isExact());
        }))
      return *found;
  return make(shape, type, mustBeExact);
}

Value ProgramBuilder::make(ArrayRef<int64_t> shape, Element type, bool mustBeExact) {
  if (inFunction || entry.inputs.size() >= 9 || oneIn(6))
    return constant(shape, type);
  if (!mustBeExact && oneIn(storedOneIn))
    return isFloat(type) && oneIn(2) ? makeParameter(shape, type) : makeState(shape, type);
  InputValues input;
  if (type == Element::Index)
    input.low = 0;
  input.special = isFloat(type) && oneIn(12);
  size_t number = entry.inputs.size();
  Bounds bounds;
  bounds.special = input.special;
  Value value{argument(fuzz::typeText(shape, type), input), Shape(shape), type, bounds};
  plan(argumentKey(number), shape, type, 2, /*mayBePartial=*/true);
  values.push_back(value);
  return value;
}

Value ProgramBuilder::makeCut(ArrayRef<int64_t> shape, Element type, int64_t dim) {
  if (inFunction || entry.inputs.size() >= 9)
    return constant(shape, type);
  InputValues input;
  input.special = isFloat(type) && oneIn(4);
  std::string key = argumentKey(entry.inputs.size());
  SmallVector<std::string> dims(shape.size(), "_");
  dims[dim] = oneIn(2) ? parts[pick(0, parts.size() - 1)] : cat("(", join(parts), ")");
  program.plan.shard.push_back({key, cat("[", join(dims), "]")});
  named.push_back({key, Shape(shape), /*isPlanned=*/true, /*isPartial=*/false});
  Bounds bounds;
  bounds.special = input.special;
  values.push_back({argument(fuzz::typeText(shape, type), input), Shape(shape), type, bounds});
  return values.back();
}

/// Makes a parameter or a state an argument of this entry.
Value ProgramBuilder::addStored(const Stored &kept) {
  Stored mine = kept;
  mine.number = entry.inputs.size();
  mine.value.name = argument(kept.value.typeText(), InputValues(),
                             cat(" {tp.kind = \"", kept.isState ? "state" : "parameter",
                                 "\", tp.name = \"", kept.name, "\"}"));
  if (kept.isState)
    states.push_back(mine);
  values.push_back(mine.value);
  return mine.value;
}

/// Zero in the first call, in the next ones what nextOfState makes of it.
Value ProgramBuilder::makeState(ArrayRef<int64_t> shape, Element type) {
  std::string name = cat("s", stored.size()), key = argumentKey(entry.inputs.size());
  stored.push_back({0, {"", Shape(shape), type, assumedOfCarried(Bounds(), type)}, name, true});
  plan(oneIn(2) ? name : key, shape, type, 2);
  return addStored(stored.back());
}

/// Random numbers from -1 to 1 by its name, as there is no checkpoint.
Value ProgramBuilder::makeParameter(ArrayRef<int64_t> shape, Element type) {
  std::string name = cat("w", stored.size()), key = argumentKey(entry.inputs.size());
  Bounds bounds;
  bounds.fraction = -1;
  stored.push_back({0, {"", Shape(shape), type, bounds}, name, false});
  plan(oneIn(2) ? name : key, shape, type, 2);
  return addStored(stored.back());
}

Value ProgramBuilder::getCarried(ArrayRef<int64_t> shape, Element type) {
  Value value = get(shape, type);
  if (!isFloat(type) || value.bounds.max <= kCarried)
    return value;
  Value high = filled(shape, type, "4.0"), low = filled(shape, type, "-4.0");
  std::string below = fresh(), result = fresh();
  line(cat(below, " = arith.minimumf ", value.name, ", ", high.name, " : ", value.typeText()));
  line(cat(result, " = arith.maximumf ", below, ", ", low.name, " : ", value.typeText()));
  value.name = result;
  value.bounds.max = kCarried;
  return value;
}

/// Any value of the type, or one with a new piece at a place that is known at run time.
Value ProgramBuilder::nextOfState(const Value &state) {
  auto getFinite = [&](ArrayRef<int64_t> shape) {
    Value value = getCarried(shape, state.type);
    return value.bounds.special ? constant(shape, state.type) : value;
  };
  Value next = oneIn(2) ? state : getFinite(state.shape);
  if (state.shape.empty() || llvm::is_contained(state.shape, 0) || !oneIn(2))
    return next;
  Shape sizes = state.shape, ones(state.rank(), 1);
  SmallVector<std::string> offsets(state.rank(), "0");
  unsigned along = pick(0, state.rank() - 1);
  sizes[along] = pick(1, state.shape[along]);
  Value piece = getFinite(sizes);
  offsets[along] = scalarArgument(Element::Index, state.shape[along] - sizes[along]);
  std::string result = fresh();
  line(cat(result, " = tensor.insert_slice ", piece.name, " into ", next.name, "[", join(offsets),
           "] [", join(sizes), "] [", join(ones), "] : ", piece.typeText(), " into ",
           next.typeText()));
  next.name = result;
  next.bounds = eitherOf(next.bounds, piece.bounds);
  return next;
}

std::string ProgramBuilder::scalarArgument(Element type, int64_t high) {
  if (inFunction)
    return scalar(type == Element::I1 ? "true" : cat(pick(0, high)), type);
  return argument(nameOf(type).str(), {0, high, false});
}

Value ProgramBuilder::indices(ArrayRef<int64_t> shape, Element type, int64_t high) {
  if (!inFunction && entry.inputs.size() < 9) {
    size_t number = entry.inputs.size();
    Value value{argument(fuzz::typeText(shape, type), {0, high, false}), Shape(shape), type,
                Bounds()};
    plan(argumentKey(number), shape, type, 2);
    values.push_back(value);
    return value;
  }
  return filled(shape, type, cat(pick(0, high)));
}

/// A number that the type has exactly.
static std::string numberText(ProgramBuilder &b, Element type) {
  if (type == Element::I1)
    return b.oneIn(2) ? "true" : "false";
  if (!isFloat(type))
    return cat(b.pick(type == Element::Index ? 0 : -5, 9));
  return cat(llvm::format("%.2f", b.pick(-8, 8) / 4.0));
}

static std::string denseText(ProgramBuilder &b, ArrayRef<int64_t> shape, Element type) {
  if (shape.empty())
    return numberText(b, type);
  SmallVector<std::string> items;
  for (int64_t i = 0; i < shape.front(); ++i)
    items.push_back(denseText(b, shape.drop_front(), type));
  return cat("[", join(items), "]");
}

Value ProgramBuilder::constant(ArrayRef<int64_t> shape, Element type) {
  std::string typeText = fuzz::typeText(shape, type), attribute;
  int64_t count = countOf(shape);
  bool isBlob = type == Element::F32 || type == Element::I32 || type == Element::I8;
  switch (count > 0 && count <= 48 ? pick(0, 2) : 0) {
  case 0:
    attribute = cat("dense<", numberText(*this, type), ">");
    break;
  case 1:
    attribute = cat("dense<", denseText(*this, shape, type), ">");
    break;
  case 2: {
    if (!isBlob || shape.empty()) {
      attribute = cat("dense<", denseText(*this, shape, type), ">");
      break;
    }
    std::string name = cat("r", resources.size()), hex;
    unsigned bytes = type == Element::I8 ? 1 : 4;
    auto append = [&](const void *data, size_t size) {
      for (size_t i = 0; i < size; ++i)
        hex += cat(llvm::format("%02X", static_cast<const unsigned char *>(data)[i]));
    };
    uint32_t alignment = bytes;
    append(&alignment, 4);
    for (int64_t i = 0; i < count; ++i) {
      int64_t number = pick(-8, 8);
      if (type == Element::F32) {
        float value = number / 4.0f;
        append(&value, 4);
      } else {
        append(&number, bytes);
      }
    }
    addResource(cat(name, ": \"0x", hex, "\""));
    attribute = cat("dense_resource<", name, ">");
    break;
  }
  }
  std::string name = fresh();
  line(cat(name, " = arith.constant ", attribute, " : ", typeText));
  values.push_back({name, Shape(shape), type, Bounds()});
  return values.back();
}

Value ProgramBuilder::define(const std::string &name, ArrayRef<int64_t> shape, Element type,
                             Bounds bounds) {
  Value value{name, Shape(shape), type, bounds};
  if (hasMesh && !inFunction && oneIn(10)) {
    value.name = fresh();
    line(cat(value.name, " = tp.constraint ", name, " <",
             sharding(shape, /*mayBePartial=*/false, type), "> : ", value.typeText()));
  }
  values.push_back(value);
  return value;
}

std::string ProgramBuilder::nameAttribute(ArrayRef<int64_t> shape) {
  if (inFunction || !oneIn(10))
    return "";
  std::string name = cat("v", numNames++);
  plan(name, shape, Element::F32, 1);
  return cat("{tp.name = \"", name, "\"} ");
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string ProgramBuilder::scalar(StringRef text, Element type) {
  std::string name = fresh();
  line(cat(name, " = arith.constant ", text, type == Element::I1 ? "" : cat(" : ", nameOf(type))));
  return name;
}

std::string ProgramBuilder::empty(ArrayRef<int64_t> shape, Element type) {
  std::string name = fresh();
  line(cat(name, " = tensor.empty() : ", fuzz::typeText(shape, type)));
  return name;
}

Value ProgramBuilder::filled(ArrayRef<int64_t> shape, Element type, StringRef text) {
  std::string number = scalar(text, type), destination = empty(shape, type), name = fresh();
  std::string typeText = fuzz::typeText(shape, type);
  line(cat(name, " = linalg.fill ins(", number, " : ", nameOf(type), ") outs(", destination, " : ",
           typeText, ") -> ", typeText));
  return {name, Shape(shape), type, Bounds()};
}

SmallVector<Value> ProgramBuilder::generic(const Generic &op) {
  auto operands = [](ArrayRef<Value> list) {
    SmallVector<std::string> names, types;
    for (const Value &value : list) {
      names.push_back(value.name);
      types.push_back(value.typeText());
    }
    return cat(join(names), " : ", join(types));
  };
  SmallVector<std::string> maps, iterators, blockArguments, types;
  for (const std::string &map : op.inputMaps)
    maps.push_back(mapText(op.loops, map));
  for (const std::string &map : op.initMaps)
    maps.push_back(mapText(op.loops, map));
  for (char iterator : op.iterators)
    iterators.push_back(iterator == 'p' ? "\"parallel\"" : "\"reduction\"");
  for (auto [i, input] : llvm::enumerate(op.inputs))
    blockArguments.push_back(cat("%x", i, ": ", nameOf(input.type)));
  for (auto [i, init] : llvm::enumerate(op.inits)) {
    blockArguments.push_back(cat("%o", i, ": ", nameOf(init.type)));
    types.push_back(init.typeText());
  }
  std::string result = fresh(), attributes;
  if (op.inits.size() == 1)
    attributes = nameAttribute(op.inits[0].shape);
  line(cat(result, op.inits.size() > 1 ? cat(":", op.inits.size()) : "",
           " = linalg.generic {indexing_maps = [", join(maps), "], iterator_types = [",
           join(iterators), "]} ", op.inputs.empty() ? "" : cat("ins(", operands(op.inputs), ") "),
           "outs(", operands(op.inits), ") ", attributes.empty() ? "" : cat("attrs = ", attributes),
           "{"));
  line(cat("^bb0(", join(blockArguments), "):"));
  ++depth;
  SmallVector<StringRef> lines;
  StringRef(op.body).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef text : lines)
    line(text.str());
  SmallVector<StringRef> elements;
  for (const Value &init : op.inits)
    elements.push_back(nameOf(init.type));
  line(cat("linalg.yield ", join(op.yields), " : ", join(elements)));
  --depth;
  line(cat("} -> ", op.inits.size() > 1 ? cat("(", join(types), ")") : types.front()));
  SmallVector<Value> results;
  for (auto [i, init] : llvm::enumerate(op.inits))
    results.push_back(define(op.inits.size() > 1 ? cat(result, "#", i) : result, init.shape,
                             init.type, i < op.bounds.size() ? op.bounds[i] : Bounds()));
  return results;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

void ProgramBuilder::nest(llvm::function_ref<void()> fill) {
  size_t visible = values.size();
  ++depth;
  ++nesting;
  fill();
  --nesting;
  --depth;
  values.resize(visible);
}

void ProgramBuilder::addOps(int64_t most) {
  ArrayRef<OpEntry> table = getOpTable();
  unsigned all = 0;
  for (const OpEntry &entry : table)
    all += entry.weight;
  for (int64_t i = 0; i < most; ++i) {
    size_t begin = choices.position();
    bool goesOn = pick(0, most) > 0;
    if (goesOn) {
      int64_t at = pick(0, all - 1);
      const OpEntry *entry = table.begin();
      while (at >= entry->weight)
        at -= (entry++)->weight;
      if (!entry->nests || canNest())
        entry->add(*this);
    }
    choices.addSpan(begin);
    if (!goesOn)
      return;
  }
}

std::string ProgramBuilder::function(SmallVector<Value> &arguments,
                                     llvm::function_ref<SmallVector<Value>()> fill) {
  std::string name = cat("g", numFunctions++), text;
  std::vector<Value> outerValues = std::move(values);
  std::string outerBody = std::move(body);
  unsigned outerDepth = depth;
  values.clear();
  body.clear();
  depth = 1;
  inFunction = true;
  ++nesting;
  SmallVector<std::string> parameters, names, types;
  for (Value &argument : arguments) {
    argument.name = fresh();
    parameters.push_back(cat(argument.name, ": ", argument.typeText()));
    values.push_back(argument);
  }
  for (const Value &result : fill()) {
    names.push_back(result.name);
    types.push_back(result.typeText());
  }
  functions += cat("func.func private @", name, "(", join(parameters), ") -> (", join(types),
                   ") {\n", body, "  return ", join(names), " : ", join(types), "\n}\n");
  --nesting;
  inFunction = false;
  depth = outerDepth;
  body = std::move(outerBody);
  values = std::move(outerValues);
  return name;
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

void ProgramBuilder::addEntry(StringRef name) {
  entry = {name.str(), {}, {}};
  arguments.clear();
  body.clear();
  values.clear();
  states.clear();
  for (const Stored &kept : SmallVector<Stored, 4>(stored))
    if (!oneIn(3))
      addStored(kept);
  // Something to begin with.
  for (int64_t i = 0, n = pick(1, 3); i < n; ++i) {
    size_t begin = choices.position();
    Shape shape;
    for (int64_t d = 0, rank = pick(i == 0 ? 1 : 0, 3); d < rank; ++d)
      shape.push_back(anySize());
    make(shape, oneIn(6) ? anyInteger() : floatType());
    choices.addSpan(begin);
  }
  addOps(12);

  // The last values first; they depend on most of the others.
  SmallVector<Value> results = {values.back()};
  while (results.size() < 3 && oneIn(2))
    results.push_back(any());
  SmallVector<std::string> names, types, plainTypes;
  for (auto [i, result] : llvm::enumerate(results)) {
    names.push_back(result.name);
    types.push_back(result.typeText());
    plainTypes.push_back(types.back());
    entry.roundings.push_back(isFloat(result.type) ? result.bounds.error : 0);
    plan(cat(name, ".result", i), result.shape, result.type, 3);
  }
  // What they need may be further ones.
  for (size_t i = 0; i < states.size(); ++i) {
    Stored state = states[i];
    Value next = nextOfState(state.value);
    names.push_back(next.name);
    plainTypes.push_back(state.value.typeText());
    types.push_back(cat(plainTypes.back(), " {tp.alias = ", state.number, " : i64}"));
    entry.roundings.push_back(isFloat(next.type) ? next.bounds.error : 0);
    if (isFloat(next.type))
      growth = std::max(growth, next.bounds.error / state.value.bounds.error);
  }
  entries += cat("func.func @", name, "(", arguments, ") -> (", join(types), ") {\n", body,
                 "  return ", join(names), " : ", join(plainTypes), "\n}\n");
  program.entries.push_back(std::move(entry));
}

/// Calls of a program with states.
static constexpr int64_t kMostCalls = 3;

std::vector<std::string> RandomProgram::shapeOptions() const {
  std::vector<std::string> options;
  for (const auto &[name, sizes] : shapes)
    options.push_back(name + "=" + sizes);
  return options;
}

bool RandomProgram::hasSpecialInputs() const {
  return llvm::any_of(entries, [](const RandomEntry &entry) {
    return llvm::any_of(entry.inputs, [](const InputValues &input) { return input.special; });
  });
}

/// Of a sum over ranks a product is the sum of the products where all is finite
/// (docs/Plan.md): with an infinite factor no input is one.
static void dropPartialSums(RandomProgram &program) {
  if (!program.hasSpecialInputs())
    return;
  for (auto &[key, sharding] : program.plan.shard)
    for (size_t at; (at = sharding.find(" sum(")) != std::string::npos;)
      sharding.erase(at, std::min(sharding.size(), sharding.find(' ', at + 1)) - at);
}

RandomProgram ProgramBuilder::finish() {
  addGroupsAndBarriers();
  bool hasStates = llvm::any_of(stored, [](const Stored &kept) { return kept.isState; });
  program.calls = hasStates ? pick(2, kMostCalls) : 1;
  // A call multiplies the error of its states, which the next one begins with.
  for (RandomEntry &made : program.entries)
    for (double &rounding : made.roundings)
      rounding *= std::pow(growth, program.calls * program.entries.size());
  std::string text = hasMesh ? cat("tp.mesh @mesh <", meshText(), ">\n") : "";
  text += functions + entries;
  if (!resources.empty())
    text += cat("{-#\n  dialect_resources: {\n    builtin: {\n      ",
                llvm::join(resources, ",\n      "), "\n    }\n  }\n#-}\n");
  program.text = text;
  dropPartialSums(program);
  return std::move(program);
}

RandomProgram fuzz::makeRandomProgram(Choices &choices) {
  bool hasTwoEntries = choices.oneIn(8);
  ProgramBuilder builder(choices, /*storedOneIn=*/hasTwoEntries ? 3 : 12);
  builder.addEntry("f");
  if (hasTwoEntries)
    builder.addEntry("g");
  RandomProgram program = builder.finish();
  if (choices.oneIn(8))
    forgetSizes(program, choices);
  return program;
}
