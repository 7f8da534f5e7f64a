//===- Explain.cpp - List the collectives of a partitioned program ---------===//

#include "tp/Explain/Explain.h"
#include "tp/Explain/Passes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/ToolOutputFile.h"

namespace mlir::tp {
#define GEN_PASS_DEF_EXPLAINPASS
#include "tp/Explain/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {
struct ExplainPass : tp::impl::ExplainPassBase<ExplainPass> {
  using ExplainPassBase::ExplainPassBase;

  void runOnOperation() override {
    std::string message;
    std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(output, &message);
    if (!file) {
      emitError(NameLoc::get(StringAttr::get(&getContext(), output))) << message;
      return signalPassFailure();
    }
    if (failed(write(file->os())))
      return signalPassFailure();
    file->keep();
    markAllAnalysesPreserved();
  }

  LogicalResult write(llvm::raw_ostream &os) {
    if (!value.empty())
      return explainValue(getOperation(), value, os);
    std::vector<EntryExplanation> entries = explainCollectives(getOperation(), Hardware());
    if (json)
      printExplanationJson(entries, os);
    else
      printExplanationText(entries, os);
    return success();
  }
};
} // namespace
