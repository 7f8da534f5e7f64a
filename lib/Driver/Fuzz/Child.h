//===- Child.h - Work in processes that may crash or hang ------*- C++ -*-===//

#ifndef LIB_DRIVER_FUZZ_CHILD_H
#define LIB_DRIVER_FUZZ_CHILD_H

#include "Trial.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <sys/types.h>

namespace mlir {
namespace tp {
namespace fuzz {

/// A forked process that answers requests, one after the other. The process that
/// forks must have one thread.
class Child {
public:
  /// Runs in the child, once per request.
  using Answer = std::function<Outcome(uint64_t request, Announce announce)>;
  /// `makeAnswer` is called once, in the child. What it prints on standard error
  /// goes to the end of `logFile`.
  static std::unique_ptr<Child> start(std::function<Answer()> makeAnswer,
                                      const std::string &logFile);
  ~Child();
  Child(const Child &) = delete;
  Child &operator=(const Child &) = delete;

  void ask(uint64_t request);
  bool isBusy() const { return busy; }
  uint64_t getRequest() const { return request; }
  int getFile() const { return answers; }
  double secondsBusy() const;

  /// To be called when getFile() can be read: the outcome once all of it has come;
  /// a crash is an outcome, after which the child has ended.
  std::optional<Outcome> read();
  /// Ends a child that takes too long.
  Outcome kill();
  bool hasEnded() const { return pid < 0; }

private:
  pid_t pid = -1;
  int requests = -1, answers = -1;
  char *stage = nullptr; ///< shared with the child
  bool busy = false;
  uint64_t request = 0;
  std::chrono::steady_clock::time_point asked;
  std::string text;

  Child() = default;
  /// Waits for the end; says how it came.
  std::string reap();
  std::string getStage() const;
};

/// Answers one request in a child of its own, within `seconds`.
Outcome runInChild(std::function<Outcome(Announce)> work, double seconds,
                   const std::string &logFile);

} // namespace fuzz
} // namespace tp
} // namespace mlir

#endif // LIB_DRIVER_FUZZ_CHILD_H
