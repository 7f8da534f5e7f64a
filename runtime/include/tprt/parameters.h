//===- parameters.h - parameters as global values ---------------*- C++ -*-===//

#ifndef TPRT_PARAMETERS_H
#define TPRT_PARAMETERS_H

#include "tprt/array.h"
#include "tprt/manifest.h"

#include <optional>
#include <string>
#include <vector>

namespace tprt {

/// The whole values of parameters, as the ranks of a session hold them in parts:
/// read from the checkpoint directory `weights`, or random from their names.
/// Blocks and local shapes do not matter. Throws `Error` as a session does.
std::vector<Array> loadGlobalParameters(const std::vector<ValueInfo> &parameters,
                                        const std::optional<std::string> &weights,
                                        uint64_t randomSeed = 0);

} // namespace tprt

#endif // TPRT_PARAMETERS_H
