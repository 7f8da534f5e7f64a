//===- tp-run.cpp - Runs a program under a plan, on threads as ranks -------===//

#include "tp/Driver/Tools.h"

#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  return mlir::tp::runMain(argc, argv);
}
