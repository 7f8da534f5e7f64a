//===- RankReductions.h - kernels that reduce over ranks on one device -----===//

#ifndef TP_CONVERSION_LINALGTODEVICE_RANKREDUCTIONS_H
#define TP_CONVERSION_LINALGTODEVICE_RANKREDUCTIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir {
namespace tp {

/// Adds a kernel `reduce_KIND_DTYPE_RANKS` for each reduction that collectives of the module
/// do: the runtime launches it where several ranks are on one device (--virtual-ranks). Its
/// arguments are the addresses of the ranks' operands in group order, that of the result,
/// and the number of elements, 8 bytes each; any grid of threads will do.
void addRankReductions(ModuleOp module);

} // namespace tp
} // namespace mlir

#endif // TP_CONVERSION_LINALGTODEVICE_RANKREDUCTIONS_H
