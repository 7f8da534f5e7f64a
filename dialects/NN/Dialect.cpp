//===- Dialect.cpp ---------------------------------------------------------===//

#include "dialects/NN/NN.h"

#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::tp::nn;

#include "dialects/NN/NNDialect.cpp.inc"

namespace {
/// Private functions with ops of nn are inlined where they are called.
struct NNInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

void NNDialect::initialize() {
  addInterfaces<NNInlinerInterface>();
  addOperations<
#define GET_OP_LIST
#include "dialects/NN/NNOps.cpp.inc"
      >();
}
