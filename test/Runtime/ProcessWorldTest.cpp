//===- ProcessWorldTest.cpp - processes that leave or give up -------------===//
//
// Processes of this test alone, by TCP.
//
//===----------------------------------------------------------------------===//

#include "processes/ProcessWorld.h"
#include "Errors.h"
#include "processes/StarTransport.h"
#include "tprt/error.h"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tprt;
using namespace tprt_test;

namespace {

uint16_t freePort() {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t bytes = sizeof address;
  bind(listener, reinterpret_cast<sockaddr *>(&address), bytes);
  getsockname(listener, reinterpret_cast<sockaddr *>(&address), &bytes);
  close(listener);
  return ntohs(address.sin_port);
}

/// What waitpid tells of the process, 0 where it has ended as it should.
int statusOf(pid_t process) {
  int status = -1;
  waitpid(process, &status, 0);
  return status;
}

} // namespace

/// A transport may let a process go before the others have ended, as MPI may.
TEST(ProcessWorld, WaitsForOneThatHasEnded) {
  const uint16_t port = freePort();
  auto join = [&](int rank) {
    static tprt_transport_t transport;
    transport = starTransport({rank, 2, "127.0.0.1", port, "", 60});
    transport.finish = [] { return int32_t(0); };
    return std::make_unique<ProcessWorld>(transport, "manifest", ProcessOptions());
  };
  const pid_t other = fork();
  if (other == 0)
    _exit(join(1)->end(nullptr));
  const std::unique_ptr<ProcessWorld> world = join(0);
  char host[256];
  gethostname(host, sizeof host);
  EXPECT_EQ(errorOf(kExitFailed, [&] { world->receive(1); }),
            "rank 1 (process " + std::to_string(other) + " on " + host +
                ") has ended, others still wait for it");
  EXPECT_EQ(statusOf(other), 0);
}

/// Who had come while another rank did not is told, and need not say why.
TEST(ProcessWorld, RankZeroGivesUp) {
  const uint16_t port = freePort();
  const pid_t other = fork();
  if (other == 0)
    try {
      meetAtRankZero({0, 3, "127.0.0.1", port, "", 2});
    } catch (const Error &error) {
      _exit(error.status() == TPRT_TIMED_OUT ? 0 : 1);
    }
  try {
    meetAtRankZero({1, 3, "127.0.0.1", port, "", 60});
    ADD_FAILURE() << "no error";
  } catch (const Error &error) {
    EXPECT_STREQ(error.what(), "rank 0 has given up");
    EXPECT_EQ(error.status(), TPRT_ABORTED);
  }
  EXPECT_EQ(statusOf(other), 0);
}
