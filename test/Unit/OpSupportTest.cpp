//===- OpSupportTest.cpp - Every op, each dimension cut --------------------===//
//
// test/Integration/Ops has a program per op. Each dimension of each of its arguments
// is cut into two and into three blocks, and the values are those of the whole
// program, or there is one error. docs/reference/OpSupport.md says what each cut
// needs; TP_UPDATE_OPS=1 writes it, otherwise it must be current.
//
//===----------------------------------------------------------------------===//

#include "dialects/Comm/Comm.h"
#include "dialects/TP/TP.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tp/Driver/Program.h"
#include "tp/Driver/Registration.h"
#include "tp/Interpreter/Interpreter.h"
#include "tp/Pipelines/Pipelines.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::interp;

namespace {

constexpr llvm::StringLiteral kFiles[] = {"nn",      "linalg", "convolution", "tensor",
                                          "control", "arith",  "math",        "refused"};
constexpr llvm::StringLiteral kDialects[] = {"nn",   "linalg", "tensor", "scf",
                                             "func", "arith",  "math"};

std::string source(llvm::Twine path) { return (TP_SOURCE_DIR "/" + path).str(); }

/// Small integers, so that sums have no rounding.
Tensor makeArgument(Type type, std::mt19937 &random) {
  auto shaped = dyn_cast<RankedTensorType>(type);
  Tensor tensor(shaped ? shaped.getShape() : llvm::ArrayRef<int64_t>(), getElementTypeOrSelf(type));
  Type element = tensor.getElementType();
  std::uniform_int_distribution<int64_t> integer(-3, 3), natural(0, 1);
  for (Element &slot : tensor.mutate())
    if (isa<FloatType>(element))
      slot.f = integer(random);
    else
      slot.i = element.isIndex() || element.isInteger(1) ? natural(random) : integer(random);
  return tensor;
}

bool isClose(const Tensor &a, const Tensor &b) {
  if (a.getType() != b.getType())
    return false;
  Type element = a.getElementType();
  for (auto [x, y] : llvm::zip_equal(a.getElements(), b.getElements()))
    if (!isSame(element, x, y) &&
        !(isa<FloatType>(element) && std::fabs(x.f - y.f) <= 1e-5 * std::max(1.0, std::fabs(x.f))))
      return false;
  return true;
}

/// `all_reduce, 2 permute` of a partitioned function.
std::string namesOfCollectives(func::FuncOp function) {
  std::map<std::string, unsigned> counts;
  function.walk([&](Operation *op) {
    if (isa<comm::CommDialect>(op->getDialect()) &&
        !isa<comm::CoordinateOp, comm::CheckIndexOp>(op))
      ++counts[op->getName().stripDialect().str()];
  });
  std::string text;
  for (auto &[name, count] : counts)
    text += (text.empty() ? "" : ", ") + (count == 1 ? "" : std::to_string(count) + " ") + name;
  return text;
}

/// `[a, b], [b, c] -> [a, c]; b sum`: the op's factors by letters, what is combined over.
std::string textOf(const ShardingRule &rule) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto letter = [](unsigned factor) { return static_cast<char>('a' + factor); };
  auto describe = [&](const TensorRule &tensor) {
    os << '[';
    llvm::interleaveComma(tensor.dims, os, [&](const DimFactors &dim) {
      if (dim.empty())
        os << '_';
      for (unsigned factor : dim)
        os << letter(factor);
    });
    os << ']';
  };
  llvm::interleaveComma(rule.operands, os, describe);
  os << (rule.operands.empty() ? "-> " : " -> ");
  llvm::interleaveComma(rule.results, os, describe);
  for (auto [number, factor] : llvm::enumerate(rule.factors)) {
    if (factor.kind == FactorKind::Parallel)
      continue;
    os << "; " << letter(number) << ' ';
    switch (factor.kind) {
    case FactorKind::Reduction:
      os << stringifyReductionKind(factor.reduction);
      break;
    case FactorKind::Candidate:
      os << "candidates";
      break;
    case FactorKind::Window:
      os << "windows";
      break;
    default:
      os << "whole";
    }
  }
  return text;
}

class OpSupport : public ::testing::Test {
protected:
  OpSupport() {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.disableMultithreading();
    context.loadAllAvailableDialects();
  }

  /// A module of this entry and the private functions alone.
  OwningOpRef<ModuleOp> isolate(ModuleOp module, llvm::StringRef entry) {
    OwningOpRef<ModuleOp> one = module.clone();
    for (auto function : llvm::make_early_inc_range(one->getOps<func::FuncOp>()))
      if (function.isPublic() && function.getSymName() != entry)
        function.erase();
    return one;
  }

  /// What the cut of one dimension over `count` ranks needs: names of collectives, or
  /// `error: ...`.
  std::string cut(ModuleOp program, llvm::StringRef entry, unsigned argument, unsigned dim,
                  int64_t count, llvm::ArrayRef<Tensor> inputs, llvm::ArrayRef<Tensor> expected) {
    OwningOpRef<ModuleOp> module = program.clone();
    auto function = module->lookupSymbol<func::FuncOp>(entry);
    auto type = cast<RankedTensorType>(function.getArgument(argument).getType());
    std::string mesh = llvm::formatv("tp.mesh @mesh <\"tp\"={0}>", count);
    module->getBody()->getOperations().splice(
        module->getBody()->begin(),
        parseSourceString<ModuleOp>(mesh, &context)->getBody()->getOperations());
    std::string sharding = "#tp.sharding<[";
    for (int64_t d = 0; d < type.getRank(); ++d)
      sharding += (d ? ", " : "") + std::string(d == dim ? "tp" : "_");
    function.setArgAttr(argument, kShardingAttr, parseAttribute(sharding + "]>", &context));
    OwningOpRef<ModuleOp> original = module->clone();

    std::string error;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
        numErrors += !error.empty();
        error = diagnostic.str();
      }
    });
    PassManager pm(&context);
    PhaseOptions options;
    options.poison = true;
    buildPlanPipeline(pm, options);
    buildReshardPipeline(pm, options);
    buildPartitionPipeline(pm, options);
    buildOptimizeCommPipeline(pm, options);
    if (failed(pm.run(*module))) {
      EXPECT_FALSE(error.empty()) << "fails in silence";
      return "error: " + error;
    }
    function = module->lookupSymbol<func::FuncOp>(entry);
    InterpreterOptions run;
    run.mesh = *requireMesh(*module);
    run.poison = true;
    auto results = interpretPartitioned(function, inputs, run);
    if (failed(results)) {
      ADD_FAILURE() << error;
      return "error: " + error;
    }
    for (auto [whole, parts] : llvm::zip(expected, *results))
      EXPECT_TRUE(isClose(whole, parts));
    auto proofs = proveProgram(*original, *module);
    EXPECT_TRUE(succeeded(proofs)) << error;
    isProved = succeeded(proofs) && llvm::all_of(*proofs, std::mem_fn(&CheckedResult::isProved));
    return namesOfCollectives(function);
  }

  /// The row of one op.
  std::string describe(ModuleOp module, func::FuncOp function) {
    llvm::StringRef name = function.getSymName();
    OwningOpRef<ModuleOp> program = isolate(module, name);
    std::mt19937 random(7);
    std::vector<Tensor> inputs;
    for (Type type : function.getArgumentTypes())
      inputs.push_back(makeArgument(type, random));
    std::string rule = "none";
    function.walk([&](Operation *op) {
      if (op->getName().getStringRef() != name)
        return;
      if (auto sharded = dyn_cast<ShardingRuleOpInterface>(op)) {
        FailureOr<ShardingRule> found = sharded.getShardingRule();
        if (succeeded(found))
          rule = "`" + textOf(*found) + "`";
      }
    });
    // What a cut needs -> the dimensions, `0.1`: dimension 1 of argument 0.
    std::map<std::string, std::vector<std::string>> needs;
    unsigned numCuts = 0, numProved = 0;
    FailureOr<std::vector<Tensor>> expected = failure();
    std::string error;
    {
      ScopedDiagnosticHandler handler(&context,
                                      [&](Diagnostic &diagnostic) { error = diagnostic.str(); });
      OwningOpRef<ModuleOp> whole = program->clone();
      expected = interpretUnsharded(whole->lookupSymbol<func::FuncOp>(name), inputs, true);
    }
    if (failed(expected))
      expected = std::vector<Tensor>();
    for (auto [number, argument] : llvm::enumerate(function.getArguments())) {
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
        for (int64_t count : {2, 3}) {
          SCOPED_TRACE(llvm::formatv("{0}, dimension {1} of argument {2} in {3} blocks", name, dim,
                                     number, count)
                           .str());
          std::string need = cut(*program, name, number, dim, count, inputs, *expected);
          bool isError = llvm::StringRef(need).starts_with("error");
          EXPECT_TRUE(isError || !expected->empty()) << error;
          numCuts += !isError;
          numProved += !isError && isProved;
          if (count == 2)
            needs[need].push_back(llvm::formatv("{0}.{1}", number, dim));
        }
    }
    std::string row = llvm::formatv("| `{0}` | {1} | ", name, rule);
    bool first = true;
    for (auto &[need, dims] : needs) {
      row += (first ? "" : "; ");
      first = false;
      row += llvm::join(dims, ", ") + ": " + (need.empty() ? "nothing" : need);
    }
    if (needs.empty())
      row += "no tensor to cut";
    row += llvm::formatv(" | {0} of {1} |\n", numProved, numCuts);
    return row;
  }

  MLIRContext context;
  unsigned numErrors = 0;
  bool isProved = false;
};

TEST_F(OpSupport, EveryOpUnderEveryCut) {
  std::string table;
  std::set<std::string> seen;
  for (llvm::StringRef file : kFiles) {
    auto module =
        parseSourceFile<ModuleOp>(source("test/Integration/Ops/" + file + ".mlir"), &context);
    ASSERT_TRUE(module);
    module->walk([&](Operation *op) { seen.insert(op->getName().getStringRef().str()); });
    table += "\n## " + file.str() +
             "\n\n| op | rule | a cut of a dimension needs | proved |\n|---|---|---|---|\n";
    for (auto function : module->getOps<func::FuncOp>())
      if (function.isPublic())
        table += describe(*module, function);
  }
  EXPECT_EQ(numErrors, 0u) << "programs with more than one error";
  for (RegisteredOperationName name : context.getRegisteredOperations())
    if (llvm::is_contained(kDialects, name.getDialectNamespace()))
      EXPECT_TRUE(seen.count(name.getStringRef().str()))
          << name.getStringRef().str() << " has no program in test/Integration/Ops";

  std::string path = source("docs/reference/OpSupport.md");
  auto file = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(file) << path;
  std::string page = (*file)->getBuffer().str();
  const std::string begin = "<!-- table -->\n";
  size_t from = page.find(begin);
  ASSERT_NE(from, std::string::npos) << path;
  std::string made = page.substr(0, from) + begin + table;
  if (std::getenv("TP_UPDATE_OPS"))
    std::ofstream(path) << made;
  else
    EXPECT_EQ(page, made) << path << " is out of date: run this with TP_UPDATE_OPS=1";
}

} // namespace
