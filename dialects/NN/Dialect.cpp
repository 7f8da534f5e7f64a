//===- Dialect.cpp ---------------------------------------------------------===//

#include "dialects/NN/NN.h"

using namespace mlir;
using namespace mlir::tp::nn;

#include "dialects/NN/NNDialect.cpp.inc"

void NNDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/NN/NNOps.cpp.inc"
      >();
}
