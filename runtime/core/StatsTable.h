//===- StatsTable.h - time and memory of a run as a table -------*- C++ -*-===//

#ifndef TPRT_CORE_STATSTABLE_H
#define TPRT_CORE_STATSTABLE_H

#include "tprt/session.h"

#include <map>
#include <string>

namespace tprt {

/// What --stats prints: speed per entry, time per entry and rank, memory of
/// one rank with the largest values of each kind. `tokens` gives the tokens that
/// calls of an entry took or made, where it is about tokens.
std::string statsTable(const Session &session, const std::map<int, int64_t> &tokens);

} // namespace tprt

#endif // TPRT_CORE_STATSTABLE_H
