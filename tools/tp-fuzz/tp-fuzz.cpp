//===- tp-fuzz.cpp - Random programs, partitioned and compared -------------===//

#include "tp/Driver/Tools.h"

#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  return mlir::tp::fuzzMain(argc, argv);
}
