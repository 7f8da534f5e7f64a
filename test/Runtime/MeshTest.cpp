//===- MeshTest.cpp - processes that connect to each other ----------------===//

#include "processes/Mesh.h"
#include "tprt/error.h"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <future>
#include <memory>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace tprt;

namespace {

const std::string kToken = "0123456789abcdef";

std::chrono::steady_clock::time_point in(double seconds) {
  return std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(
             std::chrono::duration<double>(seconds));
}

/// Listeners of some processes, which are all this one.
struct Group {
  explicit Group(int size) {
    for (int rank = 0; rank < size; ++rank) {
      listeners.push_back(std::make_unique<Listener>());
      infos.push_back(describeThisProcess());
      infos.back().host = "host" + std::to_string(rank);
      infos.back().pid = 100 + rank;
      infos.back().port = listeners.back()->port();
    }
  }
  std::future<std::vector<int>> connect(int rank, const std::string &token, double seconds) {
    return std::async(std::launch::async, [this, rank, token, seconds] {
      return listeners[size_t(rank)]->connectAll(rank, infos, token, in(seconds));
    });
  }

  std::vector<std::unique_ptr<Listener>> listeners;
  std::vector<ProcessInfo> infos;
};

std::string errorOf(std::future<std::vector<int>> &future) {
  try {
    future.get();
  } catch (const Error &error) {
    EXPECT_EQ(error.exitCode(), kExitFailed);
    return error.what();
  }
  return "";
}

} // namespace

TEST(Mesh, EveryTwoProcessesAreConnected) {
  Group group(4);
  // Somebody else who connects and says nothing, and one who says nonsense.
  std::vector<int> strangers;
  for (const char *says : {"", "GET / HTTP/1.1\r\nHost: nobody\r\n\r\n"}) {
    sockaddr_in target = {};
    target.sin_family = AF_INET;
    target.sin_port = htons(group.infos[0].port);
    inet_pton(AF_INET, "127.0.0.1", &target.sin_addr);
    strangers.push_back(socket(AF_INET, SOCK_STREAM, 0));
    ASSERT_EQ(connect(strangers.back(), reinterpret_cast<sockaddr *>(&target), sizeof target), 0);
    EXPECT_EQ(write(strangers.back(), says, strlen(says)), ssize_t(strlen(says)));
  }
  std::vector<std::future<std::vector<int>>> futures;
  for (int rank = 0; rank < 4; ++rank)
    futures.push_back(group.connect(rank, kToken, 30));
  std::vector<std::vector<int>> sockets;
  for (auto &future : futures)
    sockets.push_back(future.get());
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b) {
      if (a == b) {
        EXPECT_EQ(sockets[a][b], -1);
        continue;
      }
      const char mine = char(10 * a + b);
      char theirs = 0;
      EXPECT_EQ(write(sockets[a][b], &mine, 1), 1);
      while (read(sockets[b][a], &theirs, 1) != 1) // it does not wait
        usleep(1000);
      EXPECT_EQ(theirs, mine);
    }
  for (const std::vector<int> &mine : sockets)
    for (int one : mine)
      close(one);
  for (int one : strangers)
    close(one);
}

TEST(Mesh, WhoCannotBeReachedIsNamed) {
  Group group(2);
  group.listeners[0].reset(); // nobody listens there any more
  auto one = group.connect(1, kToken, 10);
  EXPECT_EQ(errorOf(one), "rank 1 on host1 cannot reach rank 0 (process 100 on host0): 127.0.0.1 "
                          "port " +
                              std::to_string(group.infos[0].port) + ": Connection refused");
}

TEST(Mesh, WhoDoesNotConnectIsNamed) {
  Group group(3);
  auto zero = group.connect(0, kToken, 0.5), one = group.connect(1, kToken, 0.5);
  EXPECT_EQ(errorOf(zero), "rank 2 (process 102 on host2) did not connect to rank 0 on host0");
  EXPECT_EQ(errorOf(one), "rank 2 (process 102 on host2) did not connect to rank 1 on host1");
}

TEST(Mesh, ProcessesOfAnotherProgramAreNotTaken) {
  Group group(2);
  auto zero = group.connect(0, kToken, 1), one = group.connect(1, "another program.", 1);
  EXPECT_NE(errorOf(one).find("no answer"), std::string::npos);
  EXPECT_EQ(errorOf(zero), "rank 1 (process 101 on host1) did not connect to rank 0 on host0");
}

TEST(Mesh, DescriptionsSurviveTheWay) {
  ProcessInfo info = describeThisProcess();
  info.addresses = {"10.0.0.1", "fd00::1"};
  info.port = 4711;
  info.program = 99;
  const ProcessInfo again = ProcessInfo::unpack(info.pack());
  EXPECT_EQ(again.host, info.host);
  EXPECT_EQ(again.machine, info.machine);
  EXPECT_EQ(again.network, info.network);
  EXPECT_EQ(again.processors, info.processors);
  EXPECT_EQ(again.addresses, info.addresses);
  EXPECT_EQ(again.port, info.port);
  EXPECT_EQ(again.pid, getpid());
  EXPECT_EQ(again.program, info.program);
}
