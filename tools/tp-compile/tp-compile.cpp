//===- tp-compile.cpp - An unsharded program and a plan to one executable --===//

#include "tp/Driver/Tools.h"

#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  return mlir::tp::compileMain(argc, argv);
}
