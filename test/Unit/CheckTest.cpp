//===- CheckTest.cpp - Partitioned random programs are proved --------------===//
//
// TP_FUZZ_SEED and TP_FUZZ_COUNT choose other programs and more of them, and print
// those that are not proved.
//
//===----------------------------------------------------------------------===//

#include "tp/Check/Check.h"
#include "../lib/TestPrograms.h"
#include "dialects/TP/TP.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tp/Driver/Registration.h"
#include "tp/Pipelines/Pipelines.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>

using namespace mlir;
using namespace mlir::tp;

namespace {

uint64_t getNumber(const char *variable, uint64_t otherwise) {
  const char *text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// An entry that uses a weight, and a state that it changes.
std::string makeEntry(StringRef name, StringRef weight, StringRef state) {
  return ("tp.mesh @mesh <\"a\"=2>\nfunc.func @" + name +
          "(%w: tensor<4x4xf32> {tp.kind = \"parameter\", tp.name = \"w\", tp.sharding = "
          "#tp.sharding<" +
          weight +
          ">}, %s: tensor<4x4xf32> {tp.kind = \"state\", tp.name = \"s\", tp.sharding = "
          "#tp.sharding<" +
          state +
          ">}) -> (tensor<4x4xf32> {tp.alias = 1}) {\n"
          "  %r = arith.mulf %w, %s : tensor<4x4xf32>\n  return %r : tensor<4x4xf32>\n}\n")
      .str();
}

/// What is wrong with two entries that were partitioned apart, if they are one module.
std::string checkTogether(MLIRContext &context, const std::string &first,
                          const std::string &second) {
  OwningOpRef<ModuleOp> partitioned = parseSourceString<ModuleOp>(first, &context);
  OwningOpRef<ModuleOp> other = parseSourceString<ModuleOp>(second, &context);
  OwningOpRef<ModuleOp> original = partitioned->clone();
  auto addFunction = [&](ModuleOp to) {
    for (auto function : other->getOps<func::FuncOp>())
      to.push_back(function.clone());
  };
  addFunction(*original);
  EXPECT_TRUE(succeeded(test::partition(*partitioned, {})) &&
              succeeded(test::partition(*other, {})));
  addFunction(*partitioned);
  std::string errors;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      errors += diagnostic.str();
    return success();
  });
  FailureOr<std::vector<CheckedResult>> results = checkPartitioned(*original, *partitioned);
  EXPECT_EQ(failed(results), !errors.empty());
  if (succeeded(results))
    for (const CheckedResult &result : *results)
      errors += result.why;
  return errors;
}

TEST(Check, EntriesShareParametersAndStates) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  context.disableMultithreading();
  std::string first = makeEntry("f", "[a, _]", "[a, _]");
  EXPECT_EQ(checkTogether(context, first, makeEntry("g", "[a, _]", "[a, _]")), "");
  EXPECT_EQ(checkTogether(context, first, makeEntry("g", "[_, a]", "[a, _]")),
            "parameter \"w\" is 'tensor<4x4xf32>' cut as [a, _] as argument 0 of @f and "
            "'tensor<4x4xf32>' cut as [_, a] as argument 0 of @g, which are one value");
  EXPECT_EQ(checkTogether(context, first, makeEntry("g", "[a, _]", "[_, a]")),
            "state \"s\" is 'tensor<4x4xf32>' cut as [a, _] as argument 1 of @f and "
            "'tensor<4x4xf32>' cut as [_, a] as argument 1 of @g, which are one value");
}

TEST(Check, RandomProgramsAreProved) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  context.disableMultithreading();
  uint64_t total = 0, proved = 0;
  uint64_t first = getNumber("TP_FUZZ_SEED", 1), count = getNumber("TP_FUZZ_COUNT", 500);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    test::TestProgram program = test::makeRandomProgram(seed, &context);
    ASSERT_TRUE(program.module) << program.name;
    PhaseOptions options;
    options.poison = seed % 2;
    ASSERT_TRUE(succeeded(test::partition(*program.module, options))) << program.name;
    FailureOr<std::vector<CheckedResult>> results =
        checkPartitioned(*program.original, *program.module);
    ASSERT_TRUE(succeeded(results)) << program.name;
    for (const CheckedResult &result : *results) {
      ++total;
      proved += result.isProved();
      if (!result.isProved() && std::getenv("TP_FUZZ_SEED")) {
        llvm::errs() << "seed " << seed << " result " << result.number << ": " << result.loc << ' '
                     << result.why << '\n';
        program.original->print(llvm::errs());
        program.module->print(llvm::errs());
      }
    }
  }
  // Some of what random programs do is beyond the checker: see lib/Check/README.md.
  std::cout << proved << " of " << total << " results proved\n";
  EXPECT_GT(proved * 100, total * 85);
}

/// However many values there are, none is read after it has moved (for the address
/// sanitizer).
TEST(Check, ManyValues) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  std::string text =
      "tp.mesh @mesh <\"a\"=2>\nfunc.func @f(%v0: tensor<4xf32>) -> tensor<4xf32> {\n";
  constexpr unsigned kCount = 400;
  for (unsigned i = 0; i < kCount; ++i)
    text += "%v" + std::to_string(i + 1) + " = tp.constraint %v" + std::to_string(i) +
            " <[a]> : tensor<4xf32>\n";
  text += "return %v" + std::to_string(kCount) + " : tensor<4xf32>\n}\n";
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  OwningOpRef<ModuleOp> original = module->clone();
  PassManager pm(&context);
  PhaseOptions options;
  buildPlanPipeline(pm, options);
  buildReshardPipeline(pm, options);
  buildPartitionPipeline(pm, options);
  ASSERT_TRUE(succeeded(pm.run(*module)));
  FailureOr<std::vector<CheckedResult>> results = checkPartitioned(*original, *module);
  ASSERT_TRUE(succeeded(results));
  EXPECT_TRUE(results->front().isProved()) << results->front().why;
}

} // namespace
