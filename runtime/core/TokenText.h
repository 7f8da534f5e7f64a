//===- TokenText.h - rows of token ids as text ------------------*- C++ -*-===//

#ifndef TPRT_CORE_TOKENTEXT_H
#define TPRT_CORE_TOKENTEXT_H

#include <cstdint>
#include <string>
#include <vector>

namespace tprt {

using TokenRows = std::vector<std::vector<int64_t>>;

/// "1,2,3" or, for several rows, "1,2;3". Throws `Error` (exit code 2) that
/// begins with `what` for anything else, also for a row without tokens.
TokenRows parseRows(const std::string &text, const std::string &what);

/// "1,2,3"; "" for no tokens.
std::string rowText(const std::vector<int64_t> &tokens);

} // namespace tprt

#endif // TPRT_CORE_TOKENTEXT_H
