//===- Progress.cpp --------------------------------------------------------===//

#include "tp/Driver/Progress.h"

#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <unistd.h>

using namespace mlir::tp;

Progress::Progress(llvm::StringRef tool) : tool(tool) {
  if (isatty(STDERR_FILENO))
    thread = std::thread([this] { show(); });
}

Progress::~Progress() {
  if (!thread.joinable())
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    done = true;
  }
  changed.notify_one();
  thread.join();
}

void Progress::step(const llvm::Twine &what) {
  std::lock_guard<std::mutex> lock(mutex);
  current = what.str();
}

void Progress::show() {
  using namespace std::chrono;
  // Erases the line: carriage return, then what is right of it.
  constexpr char clear[] = "\r\033[K";
  const auto begin = steady_clock::now();
  std::unique_lock<std::mutex> lock(mutex);
  if (changed.wait_for(lock, seconds(2), [this] { return done; }))
    return;
  do {
    const auto elapsed = duration_cast<seconds>(steady_clock::now() - begin).count();
    llvm::errs() << clear << tool << ": " << current << " ... " << elapsed << " s";
  } while (!changed.wait_for(lock, milliseconds(500), [this] { return done; }));
  llvm::errs() << clear;
}
