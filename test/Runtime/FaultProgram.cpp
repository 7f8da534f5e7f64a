//===- FaultProgram.cpp - a program whose rank fails where it is told to --===//
//
// Three ranks; the entry calls collectives of three sizes, twenty rounds of each,
// and adds up what they give. FAULT="rank:round:place:how" makes that rank (-1: all)
// fail in that round: `before` a collective, or `inside` the round, some
// microseconds after it has begun. How: kill, stop, segv, exit, throw, status,
// divide, or compute (it calls nothing for some seconds, which is no failure).
//
//===----------------------------------------------------------------------===//

#include "TestModule.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <string>
#include <sys/time.h>
#include <unistd.h>
#include <vector>

namespace {

struct Fault {
  long rank = -2, round = 0;
  bool inside = false;
  std::string how;
};

Fault readFault() {
  Fault fault;
  const char *text = std::getenv("FAULT");
  if (!text || !*text)
    return fault;
  char *next = nullptr;
  fault.rank = std::strtol(text, &next, 10);
  fault.round = std::strtol(next + 1, &next, 10);
  fault.inside = std::strncmp(next + 1, "inside", 6) == 0;
  fault.how = std::strchr(next + 1, ':') + 1;
  return fault;
}

tprt_status_t fail(tprt_context_t *ctx, const std::string &how) {
  if (how == "kill")
    raise(SIGKILL);
  if (how == "stop")
    raise(SIGSTOP);
  if (how == "segv")
    raise(SIGSEGV);
  if (how == "exit")
    _exit(0);
  if (how == "throw")
    throw std::runtime_error("the disk is on fire");
  if (how == "divide")
    raise(SIGFPE);
  if (how == "compute")
    for (const time_t begin = time(nullptr); time(nullptr) < begin + 4;)
      continue;
  return how == "status" ? tprt_check_index(ctx, 0, 99, 0, 10) : tprt_status_t(TPRT_OK);
}

/// Fails from a signal, wherever the rank is then.
void failSoon(const std::string &how) {
  static int what;
  what = how == "stop" ? SIGSTOP : how == "segv" ? SIGSEGV : SIGKILL;
  signal(SIGALRM, [](int) { kill(getpid(), what); });
  itimerval timer = {};
  timer.it_value.tv_usec = 1 + rand() % 300;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

tprt_status_t run(tprt_context_t *ctx, void *const *buffers) {
  static const Fault fault = readFault();
  const int64_t rank = tprt_coordinate(ctx, 0);
  float *result = static_cast<float *>(buffers[1]);
  *result = *static_cast<const float *>(buffers[0]);
  for (long round = 0; round < 20; ++round)
    for (int64_t count : {10, 4000, 1000000}) {
      if ((fault.rank == rank || fault.rank == -1) && fault.round == round && count == 4000) {
        if (fault.inside) {
          srand(unsigned(getpid()));
          failSoon(fault.how);
        } else if (tprt_status_t status = fail(ctx, fault.how)) {
          return status;
        }
      }
      std::vector<float> values(static_cast<size_t>(count), float(rank + 1));
      if (tprt_status_t status = tprt_all_reduce(ctx, 0, 0, 0, TPRT_SUM, TPRT_F32, values.data(),
                                                 values.data(), count))
        return status;
      *result += values[0] + values[size_t(count - 1)];
    }
  return TPRT_OK;
}

const tprt_test::TestModule &module() {
  static const tprt_test::TestModule made({3},
                                          {{"run",
                                            run,
                                            {{"x", "input", "f32", {}, {}, ""}},
                                            {{"run.result0", "", "f32", {}, {}, ""}},
                                            64}},
                                          R"([{"axes": [{"axis": 0}]}])");
  return made;
}

} // namespace

extern "C" const tprt_module_t tprt_module = module().module();
