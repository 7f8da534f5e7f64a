//===- tp-opt.cpp - Every pass and named pipeline, text to text -----------===//

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tp/Driver/Registration.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::tp::registerEverything(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "tensor-parallelizing compiler, pass driver\n", registry));
}
