//===- Faults.cpp ---------------------------------------------------------===//

#include "Faults.h"

#include "tprt/error.h"
#include "tprt/session.h"

#include <csignal>
#include <unistd.h>

using namespace tprt;

thread_local const KernelPlace *tprt::currentPlace = nullptr;
std::atomic<void (*)(const char *message)> tprt::faultReporter{nullptr};

namespace {

/// A line put together without what a signal handler may not do.
class Line {
public:
  void add(const char *part) {
    while (*part && size < sizeof(text) - 1)
      text[size++] = *part++;
    text[size] = 0;
  }
  const char *message() const { return text; }
  void print() const {
    const ssize_t written = write(STDERR_FILENO, text, size);
    (void)written;
  }

private:
  char text[1024];
  size_t size = 0;
};

void handleFault(int) {
  // The first of several ranks speaks; the others wait for the end.
  static std::atomic_flag taken = ATOMIC_FLAG_INIT;
  while (taken.test_and_set())
    pause();
  const char *place = currentPlace ? currentPlace->load(std::memory_order_relaxed) : nullptr;
  Line line;
  const auto report = faultReporter.load();
  if (!report)
    line.add("error: ");
  if (place) {
    line.add(place);
    line.add(": ");
  }
  line.add("an integer is divided by zero, or the quotient does not fit its type");
  if (report)
    report(line.message());
  line.add("\n");
  line.print();
  _exit(kExitFailed);
}

} // namespace

void tprt::installFaultHandler() {
  static const bool installed = [] {
    struct sigaction action = {};
    action.sa_handler = handleFault;
    sigemptyset(&action.sa_mask);
    return sigaction(SIGFPE, &action, nullptr) == 0;
  }();
  (void)installed;
}
