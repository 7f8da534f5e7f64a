//===- tp-check.cpp - Proves a partitioned program against its source ------===//

#include "tp/Driver/Tools.h"

#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  return mlir::tp::checkMain(argc, argv);
}
