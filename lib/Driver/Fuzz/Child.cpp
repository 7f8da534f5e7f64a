//===- Child.cpp - Work in processes that may crash or hang ----------------===//

#include "Child.h"

#include "llvm/Support/ErrorHandling.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::fuzz;

static constexpr size_t kStageSize = 64;

/// Reads or writes all bytes; false at the end of the file.
static bool readAll(int file, void *data, size_t size) {
  char *bytes = static_cast<char *>(data);
  while (size > 0) {
    ssize_t n = ::read(file, bytes, size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    bytes += n;
    size -= n;
  }
  return true;
}
static bool writeAll(int file, const void *data, size_t size) {
  const char *bytes = static_cast<const char *>(data);
  while (size > 0) {
    ssize_t n = ::write(file, bytes, size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    bytes += n;
    size -= n;
  }
  return true;
}

/// The child's life: requests until there are no more.
[[noreturn]] static void serve(const std::function<Child::Answer()> &makeAnswer, int requests,
                               int answers, char *stage) {
  auto announce = [&](llvm::StringRef what) {
    size_t size = std::min(what.size(), kStageSize - 1);
    std::memcpy(stage, what.data(), size);
    stage[size] = 0;
  };
  announce("starting");
  Child::Answer answer = makeAnswer();
  uint64_t request;
  while (readAll(requests, &request, sizeof(request))) {
    Outcome outcome = answer(request, announce);
    std::string text = outcome.toJson() + "\n";
    if (!writeAll(answers, text.data(), text.size()) || outcome.spoilsProcess)
      break;
  }
  // Nothing of the parent's is to be run or written twice.
  std::_Exit(0);
}

std::unique_ptr<Child> Child::start(std::function<Answer()> makeAnswer,
                                    const std::string &logFile) {
  std::unique_ptr<Child> child(new Child());
  int toChild[2], fromChild[2];
  if (pipe2(toChild, O_CLOEXEC) != 0 || pipe2(fromChild, O_CLOEXEC) != 0)
    llvm::report_fatal_error("cannot make a pipe");
  void *shared =
      mmap(nullptr, kStageSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    llvm::report_fatal_error("cannot map memory");
  child->stage = static_cast<char *>(shared);
  std::signal(SIGPIPE, SIG_IGN);
  pid_t pid = fork();
  if (pid < 0)
    llvm::report_fatal_error("cannot fork");
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(toChild[1]);
    close(fromChild[0]);
    rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    int log = open(logFile.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (log >= 0)
      dup2(log, STDERR_FILENO);
    serve(makeAnswer, toChild[0], fromChild[1], child->stage);
  }
  close(toChild[0]);
  close(fromChild[1]);
  child->pid = pid;
  child->requests = toChild[1];
  child->answers = fromChild[0];
  return child;
}

Child::~Child() {
  if (pid >= 0) {
    // It has answered, or nobody waits for its answer.
    close(requests);
    ::kill(pid, SIGKILL);
    reap();
  }
  munmap(stage, kStageSize);
}

void Child::ask(uint64_t newRequest) {
  request = newRequest;
  busy = true;
  asked = std::chrono::steady_clock::now();
  text.clear();
  // Where the child has ended reading says so.
  (void)writeAll(requests, &request, sizeof(request));
}

double Child::secondsBusy() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - asked).count();
}

std::string Child::reap() {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  pid = -1;
  close(answers);
  if (WIFSIGNALED(status))
    return std::string("signal ") + strsignal(WTERMSIG(status));
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

std::string Child::getStage() const { return std::string(stage, strnlen(stage, kStageSize)); }

std::optional<Outcome> Child::read() {
  char buffer[1 << 16];
  ssize_t n = ::read(answers, buffer, sizeof(buffer));
  if (n < 0 && errno == EINTR)
    return std::nullopt;
  if (n > 0) {
    text.append(buffer, n);
    if (text.back() != '\n')
      return std::nullopt;
    busy = false;
    Outcome outcome = Outcome::fromJson(text);
    if (outcome.spoilsProcess) {
      close(requests);
      reap();
    }
    return outcome;
  }
  busy = false;
  close(requests);
  Outcome outcome;
  outcome.kind = Outcome::Kind::Failed;
  outcome.message = "crash while " + getStage() + ": " + reap();
  return outcome;
}

Outcome Child::kill() {
  ::kill(pid, SIGKILL);
  busy = false;
  close(requests);
  reap();
  Outcome outcome;
  outcome.kind = Outcome::Kind::Failed;
  outcome.message = "no end while " + getStage();
  return outcome;
}

Outcome fuzz::runInChild(std::function<Outcome(Announce)> work, double seconds,
                         const std::string &logFile) {
  std::unique_ptr<Child> child = Child::start(
      [&]() -> Child::Answer {
        return [&](uint64_t, Announce announce) { return work(announce); };
      },
      logFile);
  child->ask(0);
  while (child->secondsBusy() < seconds) {
    pollfd file = {child->getFile(), POLLIN, 0};
    int milliseconds = static_cast<int>((seconds - child->secondsBusy()) * 1000) + 1;
    if (poll(&file, 1, milliseconds) > 0)
      if (std::optional<Outcome> outcome = child->read())
        return *outcome;
  }
  return child->kill();
}
