//===- ApiSession.h - what is behind the handles of api.h -------*- C++ -*-===//
//
// The C interface in C++ terms: a session with what it checks beyond
// tprt/session.h. Everything here throws `Error`.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_API_APISESSION_H
#define TPRT_API_APISESSION_H

#include "../core/LanguageModel.h"
#include "tprt/api.h"
#include "tprt/session.h"
#include "tprt/tprt.h"

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <sys/types.h>
#include <vector>

/// The program that this shared object is.
extern "C" const tprt_module_t tprt_module;

namespace tprt {

/// Thrown through a session when the caller's function asks to stop.
struct Stopped {};

inline Error busy() {
  return runFailure("the session is in use: another call of it has not returned", {}, TPRT_BUSY);
}

/// The manifest of the program, parsed at the first call.
const Manifest &moduleManifest();

/// Throws, with a message that begins with `what`, unless 0 <= index < count.
void requireIndex(int32_t index, size_t count, const std::string &what);
const EntryInfo &requireEntry(int32_t entry);
const ValueInfo &requireArgument(int32_t entry, int32_t argument);
const ValueInfo &requireResult(int32_t entry, int32_t result);
const LanguageModelInfo &requireLanguageModel();
int32_t findEntry(const std::string &name);
int32_t findArgument(int32_t entry, const std::string &name);

/// The value for C; its strings and shape are those of the manifest.
tprt_value_info_t describe(const ValueInfo &value);

} // namespace tprt

struct tprt_session {
  explicit tprt_session(const tprt_session_options_t &options);

  /// Marks the session as in use while it lives. Throws when it is already.
  class Use {
  public:
    explicit Use(tprt_session &session) : session(session) {
      if (!session.enter())
        throw tprt::busy();
    }
    ~Use() { session.inUse.store(false, std::memory_order_release); }
    Use(const Use &) = delete;
    Use &operator=(const Use &) = delete;

  private:
    tprt_session &session;
  };

  /// False when somebody uses it.
  bool enter() { return !inUse.exchange(true, std::memory_order_acq_rel); }
  /// Throws in a process that was forked from the one that opened the session.
  void requireOwner() const;

  void setInput(int32_t entry, int32_t argument, const tprt_array_t &value);
  void call(int32_t entry);
  void getResult(int32_t entry, int32_t result, const tprt_array_t &value) const;
  void setValue(const std::string &name, const tprt_array_t &value);
  void getValue(const std::string &name, const tprt_array_t &value) const;
  void generate(const tprt_generate_options_t &options, int32_t numRows, const int64_t *lengths,
                const int64_t *tokens, int64_t *outTokens, int64_t *outCounts);
  tprt_activity_t activity(int32_t entry, int32_t rank) const;

  tprt::Session session;

private:
  void requireParameters(const tprt::EntryInfo &entry) const;
  /// Throws after a call that failed.
  void requireWorking() const;

  const pid_t owner;
  const bool hasStats;
  std::atomic<bool> inUse{false};
  std::unique_ptr<tprt::LanguageModel> model; ///< from the first generation on
  std::set<std::string> unset;                ///< parameters without a value
  std::vector<std::vector<bool>> given;       ///< [entry][argument]: inputs with a value
  std::vector<bool> called;                   ///< [entry]: its results have a value
};

#endif // TPRT_API_APISESSION_H
