//===- JsonProblem.h - why a text is no JSON --------------------*- C++ -*-===//

#ifndef TPRT_CORE_JSONPROBLEM_H
#define TPRT_CORE_JSONPROBLEM_H

#include <exception>
#include <string>

namespace tprt {

/// "parse error at line 1, column 2: ..." of an exception of the reader, whose text begins
/// with the name of the library and a number: "[json.exception.parse_error.101] ".
inline std::string jsonProblem(const std::exception &exception) {
  const std::string text = exception.what();
  const size_t at = text.find("] ");
  return text.rfind("[json.exception.", 0) || at == std::string::npos ? text : text.substr(at + 2);
}

} // namespace tprt

#endif // TPRT_CORE_JSONPROBLEM_H
