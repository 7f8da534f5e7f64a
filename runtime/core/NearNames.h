//===- NearNames.h - what a misspelt name may have meant --------*- C++ -*-===//

#ifndef TPRT_CORE_NEARNAMES_H
#define TPRT_CORE_NEARNAMES_H

#include <string>
#include <vector>

namespace tprt {

/// Notes that name up to three of `names` that look like `name`, nearest first.
std::vector<std::string> nearNotes(const std::string &name, const std::vector<std::string> &names);

} // namespace tprt

#endif // TPRT_CORE_NEARNAMES_H
