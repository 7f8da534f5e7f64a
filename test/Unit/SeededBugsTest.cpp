//===- SeededBugsTest.cpp - Who catches which fault ------------------------===//
//
// Every class of test/lib/SeededBugs.h is put into partitioned programs: those of
// test/Integration/Cases and Foreign under their plans, imported models, and random
// ones. A verifier, the relation checker or a differential run must find it, or it
// changes no value. The table is docs/Trust.md; TP_UPDATE_TRUST=1 writes it, otherwise
// it must be current. With TP_FUZZ_COUNT there are so many random programs instead, and
// there is no page to it.
//
//===----------------------------------------------------------------------===//

#include "../lib/SeededBugs.h"
#include "../lib/TestPrograms.h"
#include "dialects/TP/TP.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tp/Driver/Program.h"
#include "tp/Driver/Registration.h"
#include "tp/Interpreter/Interpreter.h"
#include "tp/Pipelines/Pipelines.h"
#include "tp/Plan/Plan.h"
#include "tp/Verify/Passes.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <iostream>
#include <set>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::interp;

namespace {

constexpr unsigned kRandomPrograms = 150;
constexpr uint64_t kMaxSteps = 2'000'000;

struct Program {
  std::string name;
  OwningOpRef<ModuleOp> original, partitioned;
  std::vector<fuzz::RandomEntry> entries; ///< of a random program
  bool isProved = false;
  bool isBeyond = false; ///< said to be more than the checker follows
};

struct Tally {
  unsigned mutants = 0, verifier = 0, checker = 0, run = 0, harmless = 0;
};

/// A mixture of experts, as test/Python/decoder.py writes it.
constexpr StringLiteral kExperts = "test/Integration/Layers/experts";

/// A sum over ranks of two axes at once, which few programs need.
constexpr StringLiteral kSumOverTwoAxes = R"(
tp.mesh @mesh <"a"=2, "b"=3>
func.func @f(%x: tensor<8x4xf32> {tp.sharding = #tp.sharding<[(a, b), _]>}) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<8x4xf32>) outs(%zero : tensor<4xf32>)
      dimensions = [0]
  return %sum : tensor<4xf32>
})";

class SeededBugs : public ::testing::Test {
protected:
  SeededBugs() {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.disableMultithreading();
    context.loadAllAvailableDialects();
  }

  static std::string source(StringRef path) { return std::string(TP_SOURCE_DIR "/") + path.str(); }

  static std::string read(StringRef path) {
    auto buffer = llvm::MemoryBuffer::getFile(source(path));
    return buffer ? (*buffer)->getBuffer().str() : "";
  }

  /// Partitions and proves; programs that are rightly refused are left out.
  void add(test::TestProgram source) {
    Program program;
    program.name = std::move(source.name);
    program.original = std::move(source.original);
    program.partitioned = std::move(source.module);
    program.entries = std::move(source.entries);
    if (!program.partitioned || failed(test::partition(*program.partitioned, {})))
      return;
    FailureOr<std::vector<CheckedResult>> results =
        proveProgram(*program.original, *program.partitioned);
    ASSERT_TRUE(succeeded(results)) << program.name;
    program.isProved =
        llvm::all_of(*results, [](const CheckedResult &result) { return result.isProved(); });
    programs.push_back(std::move(program));
  }

  void addText(std::string name, StringRef text, const llvm::json::Value *planValue = nullptr) {
    test::TestProgram program;
    program.name = std::move(name);
    program.original = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(program.original) << program.name;
    program.module = program.original->clone();
    if (planValue) {
      FailureOr<Plan> plan = parsePlan(llvm::formatv("{0}", *planValue).str(), "plan", &context);
      if (failed(plan) || failed(applyPlan(*program.module, *plan)))
        return;
    }
    add(std::move(program));
  }

  void addCases(const std::string &folder) {
    std::string text = read(folder + "/expect.json");
    llvm::Expected<llvm::json::Value> entries = llvm::json::parse(text);
    ASSERT_TRUE(bool(entries));
    for (const llvm::json::Value &value : *entries->getAsArray()) {
      const llvm::json::Object &entry = *value.getAsObject();
      std::string file = entry.getString("file")->str();
      std::string program = read(folder + "/" + file + ".mlir");
      if (const llvm::json::Array *replacements = entry.getArray("replace"))
        for (const llvm::json::Value &pair : *replacements) {
          std::string from = (*pair.getAsArray())[0].getAsString()->str();
          std::string to = (*pair.getAsArray())[1].getAsString()->str();
          for (size_t at = 0; (at = program.find(from, at)) != std::string::npos; at += to.size())
            program.replace(at, from.size(), to);
        }
      size_t before = programs.size();
      addText(file + " " + entry.getString("variant").value_or("").str(), program,
              entry.get("plan"));
      if (programs.size() > before)
        programs.back().isBeyond = !entry.getBoolean("proved").value_or(true);
    }
  }

  static Tensor makeArgument(Type type, const fuzz::InputValues &values, std::mt19937_64 &random) {
    auto shaped = dyn_cast<RankedTensorType>(type);
    Type element = shaped ? shaped.getElementType() : type;
    Tensor tensor(shaped ? shaped.getShape() : ArrayRef<int64_t>(), element);
    for (Element &slot : tensor.mutate()) {
      if (isa<FloatType>(element))
        slot.f = static_cast<double>(random() % 17) / 4 - 2;
      else
        slot.i = element.isInteger(1) ? random() % 2
                                      : values.low + random() % (values.high - values.low + 1);
    }
    return tensor;
  }

  /// What a change of the order of additions may do to numbers of this size.
  static double toleranceOf(Type element) {
    return element.isBF16() ? 2e-2 : element.isF16() ? 4e-3 : 1e-4;
  }

  static bool isEqual(const Tensor &a, const Tensor &b) {
    if (a.getShape() != b.getShape())
      return false;
    bool isFloat = isa<FloatType>(a.getElementType());
    double largest = 1;
    for (Element element : a.getElements())
      if (isFloat && std::isfinite(element.f))
        largest = std::max(largest, std::fabs(element.f));
    double tolerance = toleranceOf(a.getElementType()) * largest;
    for (auto [x, y] : llvm::zip_equal(a.getElements(), b.getElements()))
      if (!isSame(a.getElementType(), x, y) && !(isFloat && std::fabs(x.f - y.f) <= tolerance))
        return false;
    return true;
  }

  /// Whether every function gives what it gives without the fault.
  bool runsRight(const Program &program, ModuleOp mutant) {
    InterpreterOptions options;
    options.mesh = getMesh(lookupMesh(mutant));
    options.poison = true;
    options.maxSteps = kMaxSteps;
    for (auto function : mutant.getOps<func::FuncOp>()) {
      auto right = program.partitioned.get().lookupSymbol<func::FuncOp>(function.getName());
      auto source = program.original.get().lookupSymbol<func::FuncOp>(function.getName());
      auto known = llvm::find_if(program.entries, [&](const fuzz::RandomEntry &entry) {
        return entry.name == function.getName();
      });
      for (uint64_t seed : {1, 2}) {
        std::mt19937_64 random(seed);
        std::vector<Tensor> arguments;
        for (auto [i, type] : llvm::enumerate(source.getArgumentTypes())) {
          bool isKnown = known != program.entries.end();
          fuzz::InputValues values = isKnown ? known->inputs[i] : fuzz::InputValues{0, 2, false};
          arguments.push_back(makeArgument(type, values, random));
        }
        auto expected = interpretPartitioned(right, arguments, options);
        if (failed(expected))
          continue;
        auto found = interpretPartitioned(function, arguments, options);
        if (failed(found))
          return false;
        for (auto [a, b] : llvm::zip_equal(*expected, *found))
          if (!isEqual(a, b))
            return false;
      }
    }
    return true;
  }

  bool passesVerifiers(ModuleOp mutant) {
    if (failed(verify(mutant)))
      return false;
    PassManager pm(&context);
    pm.enableVerifier(false);
    pm.addPass(createVerifyPartitionPass());
    pm.addPass(createVerifyCommPass());
    return succeeded(pm.run(mutant));
  }

  MLIRContext context;
  std::vector<Program> programs;
};

TEST_F(SeededBugs, EachIsCaught) {
  // What the mutants are told of is not to be printed.
  ScopedDiagnosticHandler handler(&context, [](Diagnostic &) { return success(); });
  addCases("test/Integration/Cases");
  size_t cases = programs.size();
  const char *count = std::getenv("TP_FUZZ_COUNT");
  unsigned numRandom = count ? std::atoi(count) : kRandomPrograms;
  for (test::TestProgram &model : test::importTinyModels(&context))
    add(std::move(model));
  llvm::json::Value plan = llvm::cantFail(llvm::json::parse(read((kExperts + ".json").str())));
  addText("experts", read((kExperts + ".mlir").str()), &plan);
  size_t models = programs.size() - cases;
  addCases("test/Integration/Foreign");
  size_t foreign = programs.size() - cases - models;
  addText("sum over two axes", kSumOverTwoAxes);
  for (unsigned seed = 1; seed <= numRandom; ++seed)
    add(test::makeRandomProgram(seed, &context));
  size_t proved = 0, beyond = 0;
  std::string unproved; ///< or proved against what is said of it
  for (auto [i, program] : llvm::enumerate(programs)) {
    proved += program.isProved;
    if (i < cases + models && program.isProved == program.isBeyond)
      unproved += program.name + "\n";
    beyond += program.isBeyond;
  }
  EXPECT_EQ(unproved, "");

  std::string table;
  llvm::raw_string_ostream os(table);
  Tally total;
  unsigned seen = 0;
  for (const test::BugClass &bug : llvm::concat<const test::BugClass>(test::getCommunicationBugs(),
                                                                      test::getComputationBugs())) {
    Tally tally;
    // Every program has each class at one place.
    for (auto [i, program] : llvm::enumerate(programs)) {
      if (!program.isProved)
        continue;
      std::mt19937_64 random(i + 1);
      OwningOpRef<ModuleOp> mutant = program.partitioned->clone();
      if (!bug.inject(*mutant, random))
        continue;
      ++tally.mutants;
      if (!passesVerifiers(*mutant)) {
        ++tally.verifier;
        continue;
      }
      FailureOr<std::vector<CheckedResult>> results = proveProgram(*program.original, *mutant);
      if (failed(results) ||
          llvm::any_of(*results, [](const CheckedResult &result) { return !result.isProved(); })) {
        ++tally.checker;
        continue;
      }
      if (runsRight(program, *mutant)) {
        ++tally.harmless;
        continue;
      }
      ++tally.run;
      std::string text;
      llvm::raw_string_ostream printed(text);
      mutant->print(printed);
      ADD_FAILURE() << bug.name << " in " << program.name
                    << " is proved, but computes something else\n"
                    << text;
    }
    EXPECT_GT(tally.mutants, 0u) << bug.name << " fits no program";
    seen += tally.mutants > 0;
    os << llvm::formatv("| {0} | {1} | {2} | {3} | {4} | {5} |\n", bug.name, tally.mutants,
                        tally.verifier, tally.checker, tally.run, tally.harmless);
    total.mutants += tally.mutants;
    total.verifier += tally.verifier;
    total.checker += tally.checker;
    total.run += tally.run;
    total.harmless += tally.harmless;
  }
  os << llvm::formatv("| **all {0} classes** | {1} | {2} | {3} | {4} | {5} |\n", seen,
                      total.mutants, total.verifier, total.checker, total.run, total.harmless);
  std::string counts =
      llvm::formatv(
          "Of {0} programs ({1} cases and {2} programs of JAX under their plans, {3} "
          "models, {4} others) {5} are proved, all models and all cases but {6} among them.\n",
          programs.size(), cases, foreign, models, programs.size() - cases - foreign - models,
          proved, beyond)
          .str();
  std::cout << counts << table;

  if (count)
    return;
  const char *begin = "<!-- made by SeededBugsTest -->\n", *end = "<!-- end -->\n";
  std::string page = read("docs/Trust.md");
  size_t from = page.find(begin), to = page.find(end);
  ASSERT_TRUE(from != std::string::npos && to != std::string::npos) << "docs/Trust.md";
  std::string made = page.substr(0, from) + begin + counts +
                     "\n| fault | programs | verifier | checker | run | harmless |\n"
                     "|---|---|---|---|---|---|\n" +
                     table + page.substr(to);
  if (std::getenv("TP_UPDATE_TRUST"))
    std::ofstream(source("docs/Trust.md")) << made;
  else
    EXPECT_EQ(page, made) << "docs/Trust.md is out of date: run this with TP_UPDATE_TRUST=1";
}

} // namespace
