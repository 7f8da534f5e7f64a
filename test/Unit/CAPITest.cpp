//===- CAPITest.cpp - The partition pipeline for C -------------------------===//

#include "tp-c/Pipeline.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include <gtest/gtest.h>
#include <string>

namespace {

constexpr const char *kSource = R"mlir(
func.func @f(%x: tensor<6x4xf32>, %w: tensor<4x4xf32>) -> tensor<6x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x4xf32>) -> tensor<6x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<6x4xf32>, tensor<4x4xf32>) outs(%z : tensor<6x4xf32>) -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}
)mlir";
constexpr const char *kPlan =
    R"({"mesh": {"tp": 2}, "shard": {"f.arg0": "[_, tp]", "f.arg1": "[tp, _]", "f.result0": "[]"}})";

MlirStringRef text(const char *string) { return mlirStringRefCreateFromCString(string); }

void append(MlirStringRef part, void *to) {
  static_cast<std::string *>(to)->append(part.data, part.length);
}

class CAPITest : public ::testing::Test {
protected:
  CAPITest() : registry(mlirDialectRegistryCreate()) {
    tpRegisterDialects(registry);
    context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
    auto keep = [](MlirDiagnostic diagnostic, void *to) {
      mlirDiagnosticPrint(diagnostic, append, to);
      append(text("\n"), to);
      return mlirLogicalResultSuccess();
    };
    mlirContextAttachDiagnosticHandler(context, keep, &diagnostics, nullptr);
    module = mlirModuleCreateParse(context, text(kSource));
  }
  ~CAPITest() override {
    mlirModuleDestroy(module);
    mlirContextDestroy(context);
    mlirDialectRegistryDestroy(registry);
  }

  bool apply(const char *plan, const char *mesh) {
    return mlirLogicalResultIsSuccess(tpApplyPlan(module, text(plan), text(mesh)));
  }
  bool run(TpPhase from, TpPhase to, const TpPhaseOptions *options = nullptr) {
    return mlirLogicalResultIsSuccess(tpRunPhases(module, from, to, options));
  }
  std::string print() {
    std::string all;
    mlirOperationPrint(mlirModuleGetOperation(module), append, &all);
    return all;
  }
  std::string explain() {
    std::string json;
    tpPrintExplanation(module, append, &json);
    return json;
  }

  MlirDialectRegistry registry;
  MlirContext context;
  MlirModule module;
  std::string diagnostics;
};

TEST_F(CAPITest, PhasesOneByOne) {
  ASSERT_FALSE(mlirModuleIsNull(module));
  ASSERT_TRUE(apply(kPlan, "")) << diagnostics;
  TpPhaseOptions options = {};
  options.explain = true;
  ASSERT_TRUE(run(TP_PHASE_SOURCE, TP_PHASE_PLAN, &options)) << diagnostics;
  EXPECT_NE(print().find("tp.why"), std::string::npos);
  ASSERT_TRUE(run(TP_PHASE_PLAN, TP_PHASE_RESHARD)) << diagnostics;
  EXPECT_NE(print().find("tp.reshard"), std::string::npos);
  ASSERT_TRUE(run(TP_PHASE_RESHARD, TP_PHASE_COMM)) << diagnostics;
  EXPECT_NE(print().find("comm.all_reduce sum"), std::string::npos);
  std::string json = explain();
  EXPECT_NE(json.find(R"("kind": "all_reduce")"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("elements": 24)"), std::string::npos) << json;
  EXPECT_EQ(diagnostics, "");
}

TEST_F(CAPITest, MeshReplacesThatOfThePlan) {
  ASSERT_TRUE(apply(kPlan, "tp=4")) << diagnostics;
  ASSERT_TRUE(run(TP_PHASE_SOURCE, TP_PHASE_COMM)) << diagnostics;
  EXPECT_NE(print().find("tensor<6x1xf32>"), std::string::npos) << print();
}

TEST_F(CAPITest, WrongPlanIsOneDiagnostic) {
  EXPECT_FALSE(apply(R"({"mesh": {"tp": 2}, "shard": {"f.arg7": "[]"}})", ""));
  EXPECT_NE(diagnostics.find("f.arg7"), std::string::npos) << diagnostics;
  EXPECT_EQ(std::count(diagnostics.begin(), diagnostics.end(), '\n'), 1) << diagnostics;
}

TEST_F(CAPITest, BuiltinPlanNeedsRoles) {
  EXPECT_FALSE(
      mlirLogicalResultIsSuccess(tpApplyBuiltinPlan(module, text("megatron"), text("tp=2"))));
  EXPECT_NE(diagnostics.find("role"), std::string::npos) << diagnostics;
  diagnostics.clear();
  EXPECT_FALSE(
      mlirLogicalResultIsSuccess(tpApplyBuiltinPlan(module, text("nothing"), text("tp=2"))));
  EXPECT_EQ(diagnostics, "\"nothing\" is no built-in plan\n");
}

TEST_F(CAPITest, PhasesGoForward) {
  EXPECT_FALSE(run(TP_PHASE_COMM, TP_PHASE_PLAN));
  EXPECT_EQ(diagnostics, "no phases lead from 4 to 1\n");
}

} // namespace
