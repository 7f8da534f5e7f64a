//===- tp-test-opt.cpp - tp-opt with test passes ---------------------------===//

#include "TestPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tp/Driver/Registration.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::tp::registerEverything(registry);
  mlir::tp::test::registerTestInterpret();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "tensor-parallelizing compiler, test passes\n", registry));
}
