//===- Faults.cpp ---------------------------------------------------------===//

#include "Faults.h"

#include "tprt/error.h"

#include <csignal>
#include <cstring>
#include <unistd.h>

using namespace tprt;

thread_local const KernelPlace *tprt::currentPlace = nullptr;

namespace {

/// Writes what a signal handler may: no allocation, no streams.
void print(const char *text) {
  const ssize_t written = write(STDERR_FILENO, text, std::strlen(text));
  (void)written;
}

void handleFault(int) {
  const char *place = currentPlace ? currentPlace->load(std::memory_order_relaxed) : nullptr;
  print("error: ");
  if (place) {
    print(place);
    print(": ");
  }
  print("an integer is divided by zero, or the quotient does not fit its type\n");
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
