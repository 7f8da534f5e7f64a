//===- CountText.h - "1 rank", "3 ranks" ------------------------*- C++ -*-===//

#ifndef TPRT_CORE_COUNTTEXT_H
#define TPRT_CORE_COUNTTEXT_H

#include <cstdint>
#include <string>

namespace tprt {

/// How many there are of what `one` is the singular of: a noun, or words that end in one.
/// Its plural has an s, or `ending`.
inline std::string countText(int64_t count, const std::string &one, const char *ending = "s") {
  return std::to_string(count) + " " + one + (count == 1 ? "" : ending);
}

} // namespace tprt

#endif // TPRT_CORE_COUNTTEXT_H
