//===- EntryInputs.h - arguments of entries by their contract ---*- C++ -*-===//
//
// What the forms of programs (language models, embedding models) need of their
// entries' inputs and results.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_ENTRYINPUTS_H
#define TPRT_CORE_ENTRYINPUTS_H

#include "tprt/session.h"

#include <string>
#include <vector>

namespace tprt {

/// The input of this name, i64 or i32 of `shape`. Throws `Error` (exit code 2)
/// where the entry has none.
int findIntegerInput(const Session &session, int entry, const std::string &name,
                     const std::vector<int64_t> &shape);
/// Sets an input that findIntegerInput gave.
void setIntegers(Session &session, int entry, int argument, const std::vector<int64_t> &values);
/// Result `index` as f32; `what` names it in messages. Throws `Error` (exit code 2)
/// where the entry has no such result of floats of `shape`.
Array floatResult(const Session &session, int entry, int index, const std::vector<int64_t> &shape,
                  const std::string &what);
/// Throws `Error` (exit code 2) that begins with `where` for a token that is not
/// in the vocabulary.
void checkTokens(const std::vector<int64_t> &tokens, int64_t vocab, const std::string &where);

} // namespace tprt

#endif // TPRT_CORE_ENTRYINPUTS_H
