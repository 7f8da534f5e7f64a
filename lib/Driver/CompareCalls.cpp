//===- CompareCalls.cpp - Whether two calls gave the same ------------------===//

#include "CompareCalls.h"

#include "tp/Execute/Values.h"

using namespace mlir;
using namespace mlir::tp;
using llvm::Error;
using tprt::Array;

/// How much a result of this type may differ, as a part of its largest element.
static double getTolerance(int32_t dtype) {
  switch (dtype) {
  case TPRT_F64:
    return 1e-12;
  case TPRT_F32:
    return 2e-5;
  case TPRT_F16:
    return 4e-3;
  case TPRT_BF16:
    return 2e-2;
  default:
    return 0;
  }
}

Error tp::compareCalls(const CallResults &values, const CallResults &reference, bool exactly,
                       StringRef reason, ArrayRef<double> roundings,
                       ArrayRef<double> stateRoundings) {
  auto check = [&](const char *kind, ArrayRef<Array> a, ArrayRef<Array> b,
                   ArrayRef<double> roundings) -> Error {
    for (size_t i = 0; i < a.size(); ++i) {
      double tolerance = exactly ? 0 : getTolerance(a[i].dtype);
      double rounding = i < roundings.size() ? roundings[i] : 0;
      std::optional<ValueDifference> difference =
          findDifference(a[i], b[i], tolerance, exactly ? 0 : rounding);
      if (difference)
        return llvm::make_error<ToolError>(ExitStatus::Different,
                                           (kind + Twine(i) + " differs at " + difference->index +
                                            ": " + difference->value + ", " + reason + " " +
                                            difference->reference)
                                               .str(),
                                           std::vector<std::string>());
    }
    return Error::success();
  };
  if (Error error = check("result", values.results, reference.results, roundings))
    return error;
  return check("state", values.states, reference.states, stateRoundings);
}
