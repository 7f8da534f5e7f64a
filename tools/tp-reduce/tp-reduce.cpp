//===- tp-reduce.cpp - A smaller program with the same fault --------------===//
//
// mlir-reduce with the dialects and passes that tp knows: makes a program
// smaller as long as a script says that it is still interesting.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "tp/Driver/Registration.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::tp::registerEverything(registry);
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
