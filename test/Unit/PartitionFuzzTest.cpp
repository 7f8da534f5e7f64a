//===- PartitionFuzzTest.cpp - Partitioned against unsharded programs ------===//
//
// Random programs are partitioned and run by the reference interpreter, with
// poisoned memory and padding, and must give what they give on one rank.
// TP_FUZZ_SEED and TP_FUZZ_COUNT choose other programs and more of them.
//
//===----------------------------------------------------------------------===//

#include "../lib/RandomProgram.h"
#include "dialects/TP/TP.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tp/Driver/Registration.h"
#include "tp/Interpreter/Interpreter.h"
#include "tp/Pipelines/Pipelines.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::interp;

namespace {

uint64_t getNumber(const char *variable, uint64_t otherwise) {
  const char *text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

class PartitionFuzz : public ::testing::Test {
protected:
  PartitionFuzz() {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.disableMultithreading();
  }

  /// Small multiples of 1/4: most sums do not round.
  static Tensor makeArgument(Type type, std::mt19937_64 &random) {
    auto shaped = cast<RankedTensorType>(type);
    Tensor tensor(shaped.getShape(), shaped.getElementType());
    for (Element &slot : tensor.mutate())
      slot.f = static_cast<double>(random() % 17) / 4 - 2;
    return tensor;
  }

  /// What goes wrong with the program, or nothing.
  std::string check(uint64_t seed, const std::string &text) {
    std::string errors;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        errors += "error: " + diagnostic.str() + "\n";
    });
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return "does not parse: " + errors;
    auto original = module->lookupSymbol<func::FuncOp>("f");
    std::mt19937_64 random(seed);
    std::vector<Tensor> arguments;
    for (Type type : original.getArgumentTypes())
      arguments.push_back(makeArgument(type, random));
    auto expected = interpretUnsharded(original, arguments);
    if (failed(expected))
      return "does not run: " + errors;

    PassManager pm(&context);
    PhaseOptions options;
    options.poison = true;
    buildPlanPipeline(pm, options);
    buildReshardPipeline(pm, options);
    buildPartitionPipeline(pm, options);
    buildOptimizeCommPipeline(pm, options);
    if (failed(pm.run(*module)))
      return "is not partitioned: " + errors;
    InterpreterOptions run;
    run.mesh = getMesh(lookupMesh(*module));
    run.poison = true;
    auto found = interpretPartitioned(module->lookupSymbol<func::FuncOp>("f"), arguments, run);
    if (failed(found)) {
      std::string partitioned;
      llvm::raw_string_ostream os(partitioned);
      module->print(os);
      return "fails when partitioned: " + errors + partitioned;
    }
    for (auto [i, a, b] : llvm::enumerate(*expected, *found))
      if (std::string difference = compare(a, b); !difference.empty()) {
        llvm::raw_string_ostream os(difference);
        os << " in result " << i << ", right is\n" << a << "\nfound\n" << b << "\n";
        module->print(os);
        return difference;
      }
    return "";
  }

  static std::string compare(const Tensor &a, const Tensor &b) {
    if (a.getShape() != b.getShape())
      return "another shape";
    double largest = 1;
    for (Element element : a.getElements())
      if (std::isfinite(element.f))
        largest = std::max(largest, std::fabs(element.f));
    for (auto [x, y] : llvm::zip_equal(a.getElements(), b.getElements()))
      if (!isSame(a.getElementType(), x, y) && !(std::fabs(x.f - y.f) <= 1e-4 * largest))
        return "another value";
    return "";
  }

  MLIRContext context;
};

TEST_F(PartitionFuzz, SameValues) {
  uint64_t first = getNumber("TP_FUZZ_SEED", 1), count = getNumber("TP_FUZZ_COUNT", 2000);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    std::string text = test::makeRandomProgram(seed);
    EXPECT_EQ(check(seed, text), "") << "seed " << seed << "\n" << text;
  }
}

} // namespace
