//===- Progress.h - What a tool is doing, on a terminal --------*- C++ -*-===//

#ifndef TP_DRIVER_PROGRESS_H
#define TP_DRIVER_PROGRESS_H

#include "llvm/ADT/Twine.h"
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace mlir {
namespace tp {

/// Says on standard error what a tool is doing and for how many seconds, once it
/// has worked for two; only where that is a terminal. The line goes when the
/// object does.
class Progress {
public:
  explicit Progress(llvm::StringRef tool);
  ~Progress();

  /// What is being done from now on, as in "writing machine code".
  void step(const llvm::Twine &what);

private:
  void show();

  std::string tool, current;
  bool done = false;
  std::mutex mutex;
  std::condition_variable changed;
  std::thread thread;
};

} // namespace tp
} // namespace mlir

#endif // TP_DRIVER_PROGRESS_H
