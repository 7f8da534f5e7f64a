//===- NcclTest.cpp - Emulated NCCL -----------------------------------------===//

#include "runtime/cuda/Nccl.h"
#include "UseEmulated.h"
#include "runtime/cuda/Driver.h"
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace tprt::cuda;

namespace {

/// What a rank has: a device, two streams, a communicator of all.
struct Rank {
  int number;
  Stream stream, other;
  Comm comm;

  const Driver &driver = Driver::get();
  const Nccl &nccl = Nccl::get();

  void check(Result result) const { EXPECT_EQ(result, ok) << driver.describe(result); }
  void check(NcclResult result) const { EXPECT_EQ(result, ncclOk) << nccl.getLastError(comm); }

  template <typename T> T *put(const std::vector<T> &values, size_t count = 0) const {
    DevicePointer pointer;
    check(driver.memAlloc(&pointer, std::max(count, values.size()) * sizeof(T)));
    if (!values.empty())
      check(driver.memcpyHtoDAsync(pointer, values.data(), values.size() * sizeof(T), stream));
    return reinterpret_cast<T *>(pointer);
  }
  template <typename T> std::vector<T> get(const T *from, size_t count) const {
    std::vector<T> values(count);
    check(driver.memcpyDtoHAsync(values.data(), reinterpret_cast<DevicePointer>(from),
                                 count * sizeof(T), stream));
    return values;
  }
};

/// Runs a body as one rank of a communicator, with a device.
template <typename Body> void onRank(int number, int size, const UniqueId &id, Body body) {
  Rank rank;
  rank.number = number;
  Context context;
  rank.check(rank.driver.devicePrimaryCtxRetain(&context, number));
  rank.check(rank.driver.ctxSetCurrent(context));
  rank.check(rank.driver.streamCreate(&rank.stream, streamNonBlocking));
  rank.check(rank.driver.streamCreate(&rank.other, streamNonBlocking));
  rank.check(rank.nccl.commInitRankConfig(&rank.comm, size, id, number, nullptr));
  body(rank);
}

UniqueId newId() {
  EXPECT_EQ(Driver::get().problem(), "");
  EXPECT_EQ(Nccl::get().problem(), "");
  UniqueId id;
  EXPECT_EQ(Nccl::get().getUniqueId(&id), ncclOk);
  return id;
}

/// Runs a body on `size` ranks, each a thread.
template <typename Body> void onRanks(int size, Body body, const UniqueId &id, int first, int end) {
  std::vector<std::thread> threads;
  for (int number = first; number < end; ++number)
    threads.emplace_back([=] { onRank(number, size, id, body); });
  for (std::thread &thread : threads)
    thread.join();
}
template <typename Body> void onRanks(int size, Body body) {
  onRanks(size, body, newId(), 0, size);
}

/// Runs it on processes of `perProcess` ranks; what each of them ended with. Not after
/// threads have begun.
template <typename Body>
std::vector<int> statusesOnProcesses(int size, Body body, int perProcess = 1) {
  const UniqueId id = newId();
  std::vector<pid_t> processes;
  for (int first = 0; first < size; first += perProcess) {
    processes.push_back(fork());
    if (processes.back() != 0)
      continue;
    onRanks(size, body, id, first, first + perProcess);
    fflush(stdout);
    _exit(testing::Test::HasFailure());
  }
  std::vector<int> statuses;
  for (pid_t process : processes) {
    statuses.emplace_back();
    waitpid(process, &statuses.back(), 0);
  }
  return statuses;
}
template <typename Body> void onProcesses(int size, Body body, int perProcess = 1) {
  for (int status : statusesOnProcesses(size, body, perProcess))
    EXPECT_EQ(status, 0);
}

template <typename Body> void onProcessesAndThreads(int size, Body body) {
  onProcesses(size, body);
  onRanks(size, body);
}

TEST(EmulatedNccl, Collectives) {
  onProcessesAndThreads(3, [](Rank &rank) {
    float base = 10.0f * rank.number;
    float *x = rank.put<float>({base + 1, base + 2, base + 3, base + 4, base + 5, base + 6});
    float *sum = rank.put<float>({}, 6), *part = rank.put<float>({}, 2),
          *all = rank.put<float>({}, 18);
    rank.check(rank.nccl.allReduce(x, sum, 6, ncclFloat32, ncclSum, rank.comm, rank.stream));
    EXPECT_EQ(rank.get(sum, 6), (std::vector<float>{33, 36, 39, 42, 45, 48}));
    rank.check(rank.nccl.reduceScatter(x, part, 2, ncclFloat32, ncclMax, rank.comm, rank.stream));
    float first = 20 + 2.0f * rank.number;
    EXPECT_EQ(rank.get(part, 2), (std::vector<float>{first + 1, first + 2}));
    rank.check(rank.nccl.allGather(x, all, 6, ncclFloat32, rank.comm, rank.stream));
    std::vector<float> gathered = rank.get(all, 18);
    for (int i = 0; i < 18; ++i)
      EXPECT_EQ(gathered[i], 10 * (i / 6) + i % 6 + 1);
    // In place.
    rank.check(rank.nccl.allReduce(x, x, 6, ncclFloat32, ncclMin, rank.comm, rank.stream));
    EXPECT_EQ(rank.get(x, 6), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  });
}

TEST(EmulatedNccl, Types) {
  onProcessesAndThreads(2, [](Rank &rank) {
    uint16_t *narrow = rank.put<uint16_t>({0x3F80, 0x4040}); // bf16 1, 3
    rank.check(
        rank.nccl.allReduce(narrow, narrow, 2, ncclBfloat16, ncclSum, rank.comm, rank.stream));
    EXPECT_EQ(rank.get(narrow, 2), (std::vector<uint16_t>{0x4000, 0x40C0}));
    uint16_t *half = rank.put<uint16_t>({0x3C00, 0x4200}); // f16 1, 3
    rank.check(rank.nccl.allReduce(half, half, 2, ncclFloat16, ncclProd, rank.comm, rank.stream));
    EXPECT_EQ(rank.get(half, 2), (std::vector<uint16_t>{0x3C00, 0x4880}));
    int8_t *small = rank.put<int8_t>({100, -100});
    rank.check(rank.nccl.allReduce(small, small, 2, ncclInt8, ncclSum, rank.comm, rank.stream));
    EXPECT_EQ(rank.get(small, 2), (std::vector<int8_t>{-56, 56}));
    uint64_t *wide = rank.put<uint64_t>({~uint64_t(0) - rank.number});
    rank.check(rank.nccl.allReduce(wide, wide, 1, ncclUint64, ncclMin, rank.comm, rank.stream));
    EXPECT_EQ(rank.get(wide, 1), (std::vector<uint64_t>{~uint64_t(0) - 1}));
  });
}

TEST(EmulatedNccl, Split) {
  onProcessesAndThreads(6, [](Rank &rank) {
    // Even and odd ranks, in descending order; rank 5 in none.
    Comm part;
    int color = rank.number == 5 ? noColor : rank.number % 2;
    rank.check(rank.nccl.commSplit(rank.comm, color, -rank.number, &part, nullptr));
    if (rank.number == 5) {
      EXPECT_EQ(part, nullptr);
      return;
    }
    int32_t *mine = rank.put<int32_t>({rank.number});
    int size = rank.number % 2 ? 2 : 3;
    int32_t *all = rank.put<int32_t>({}, size);
    rank.check(rank.nccl.allGather(mine, all, 1, ncclInt32, part, rank.stream));
    EXPECT_EQ(rank.get(all, size),
              rank.number % 2 ? (std::vector<int32_t>{3, 1}) : (std::vector<int32_t>{4, 2, 0}));
  });
}

TEST(EmulatedNccl, SendAndReceive) {
  onProcessesAndThreads(3, [](Rank &rank) {
    // All to all, as groups of calls.
    int32_t *from =
        rank.put<int32_t>({10 * rank.number, 10 * rank.number + 1, 10 * rank.number + 2});
    int32_t *to = rank.put<int32_t>({}, 3);
    rank.check(rank.nccl.groupStart());
    for (int peer = 0; peer < 3; ++peer) {
      rank.check(rank.nccl.recv(to + peer, 1, ncclInt32, peer, rank.comm, rank.stream));
      rank.check(rank.nccl.send(from + peer, 1, ncclInt32, peer, rank.comm, rank.stream));
    }
    rank.check(rank.nccl.groupEnd());
    EXPECT_EQ(rank.get(to, 3),
              (std::vector<int32_t>{rank.number, 10 + rank.number, 20 + rank.number}));
  });
}

TEST(EmulatedNccl, InGraphs) {
  onProcessesAndThreads(2, [](Rank &rank) {
    float *x = rank.put<float>({1.0f + rank.number});
    rank.check(rank.driver.streamSynchronize(rank.stream));
    rank.check(rank.driver.streamBeginCapture(rank.stream, captureThreadLocal));
    rank.check(rank.nccl.allReduce(x, x, 1, ncclFloat32, ncclSum, rank.comm, rank.stream));
    Graph graph;
    rank.check(rank.driver.streamEndCapture(rank.stream, &graph));
    GraphExec exec;
    rank.check(rank.driver.graphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; ++i)
      rank.check(rank.driver.graphLaunch(exec, rank.stream));
    EXPECT_EQ(rank.get(x, 1), std::vector<float>{12});
  });
}

TEST(EmulatedNccl, GraphOfADestroyedCommunicatorIsTold) {
  onRanks(1, [](Rank &rank) {
    float *x = rank.put<float>({1});
    rank.check(rank.driver.streamBeginCapture(rank.stream, captureThreadLocal));
    rank.check(rank.nccl.allReduce(x, x, 1, ncclFloat32, ncclSum, rank.comm, rank.stream));
    Graph graph;
    GraphExec exec;
    rank.check(rank.driver.streamEndCapture(rank.stream, &graph));
    rank.check(rank.driver.graphInstantiate(&exec, graph, 0));
    rank.check(rank.driver.graphLaunch(exec, rank.stream));
    rank.check(rank.driver.streamSynchronize(rank.stream));
    rank.check(rank.nccl.commDestroy(rank.comm));
    const Result result = rank.driver.graphLaunch(exec, rank.stream);
    EXPECT_EQ(rank.driver.describe(result),
              "CUDA_ERROR_ILLEGAL_ADDRESS: emulated device: ncclAllReduce of 1 f32 of a graph on "
              "stream 1 is of a communicator that was destroyed");
  });
}

TEST(EmulatedNccl, AbortEndsWaiting) {
  onRanks(2, [](Rank &rank) {
    if (rank.number == 1) {
      rank.check(rank.nccl.commAbort(rank.comm));
      return;
    }
    // Of the other, and of the own while the call waits.
    float *x = rank.put<float>({1});
    rank.check(rank.nccl.allReduce(x, x, 1, ncclFloat32, ncclSum, rank.comm, rank.stream));
    EXPECT_EQ(rank.driver.streamQuery(rank.stream), notReady);
    rank.check(rank.nccl.commAbort(rank.comm));
    rank.check(rank.driver.streamSynchronize(rank.stream));
  });
}

TEST(EmulatedNccl, OwnAbortEndsWaiting) {
  std::atomic<bool> begun = false;
  onRanks(2, [&](Rank &rank) {
    if (rank.number == 1) {
      // Ends it only where the other thread does not.
      while (!begun)
        std::this_thread::yield();
      return;
    }
    float *x = rank.put<float>({1});
    std::thread watch([&] {
      begun = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      rank.check(rank.nccl.commAbort(rank.comm));
    });
    rank.check(rank.nccl.allReduce(x, x, 1, ncclFloat32, ncclSum, rank.comm, rank.stream));
    watch.join();
    rank.check(rank.driver.streamSynchronize(rank.stream));
  });
}

TEST(EmulatedNccl, AbortDuringTheCallEndsTheOperation) {
  onRanks(2, [](Rank &rank) {
    if (rank.number == 1) // does not take part
      return;
    float *x = rank.put<float>({1});
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      rank.check(rank.nccl.commAbort(rank.comm));
    });
    rank.nccl.allReduce(x, x, 1, ncclFloat32, ncclSum, rank.comm, rank.stream);
    other.join();
    rank.check(rank.driver.streamSynchronize(rank.stream));
  });
}

/// What the failed driver says.
std::string fault(const Rank &rank) {
  return rank.driver.describe(rank.driver.streamSynchronize(rank.stream));
}

TEST(EmulatedNccl, DifferentCollectivesAreTold) {
  onRanks(2, [](Rank &rank) {
    float *x = rank.put<float>({1, 2}), *y = rank.put<float>({}, 4);
    if (rank.number == 0)
      rank.nccl.allReduce(x, y, 2, ncclFloat32, ncclSum, rank.comm, rank.stream);
    else
      rank.nccl.allGather(x, y, 2, ncclFloat32, rank.comm, rank.stream);
    if (rank.number == 1) {
      EXPECT_EQ(fault(rank), "CUDA_ERROR_ILLEGAL_ADDRESS: emulated device: ranks of a communicator "
                             "differ: rank 0 calls ncclAllReduce of 2 f32, rank 1 ncclAllGather of "
                             "2 f32");
    }
  });
}

TEST(EmulatedNccl, MissingWaitIsTold) {
  onRanks(2, [](Rank &rank) {
    float *x = rank.put<float>({1, 2});
    rank.check(rank.nccl.allReduce(x, x, 2, ncclFloat32, ncclSum, rank.comm, rank.stream));
    // Neither the host nor the other stream has waited for it.
    rank.nccl.allReduce(x, x, 2, ncclFloat32, ncclSum, rank.comm, rank.other);
    EXPECT_NE(fault(rank).find("ncclAllReduce of 2 f32 on stream "), std::string::npos)
        << fault(rank);
    EXPECT_NE(fault(rank).find("that ncclAllReduce of 2 f32 on stream "), std::string::npos);
  });
}

TEST(EmulatedNccl, Refusals) {
  onRanks(1, [](Rank &rank) {
    const Nccl &nccl = rank.nccl;
    auto refused = [&](NcclResult result, NcclResult expected, const char *message) {
      EXPECT_EQ(result, expected);
      EXPECT_STREQ(nccl.getLastError(rank.comm), message);
    };
    float *x = rank.put<float>({1, 2});
    auto reduce = [&](NcclType type, NcclReduction reduction, Comm comm, Stream stream) {
      return nccl.allReduce(x, x, 2, type, reduction, comm, stream);
    };
    refused(reduce(ncclFloat32, ncclSum, rank.comm, nullptr), ncclInvalidArgument,
            "ncclAllReduce of 2 f32 on what is no stream");
    refused(reduce(NcclType(10), ncclSum, rank.comm, rank.stream), ncclInvalidArgument,
            "a communicator or an element type that does not exist");
    refused(reduce(ncclFloat32, NcclReduction(4), rank.comm, rank.stream), ncclInvalidArgument,
            "a reduction that is not emulated");
    refused(nccl.reduceScatter(x, x, 1, ncclFloat32, NcclReduction(4), rank.comm, rank.stream),
            ncclInvalidArgument, "a reduction that is not emulated");
    refused(nccl.send(x, 1, ncclFloat32, 1, rank.comm, rank.stream), ncclInvalidArgument,
            "ncclSend to rank 1");
    refused(nccl.recv(x, 1, ncclFloat32, -1, rank.comm, rank.stream), ncclInvalidArgument,
            "ncclRecv from rank -1");
    Comm part;
    refused(nccl.commSplit(nullptr, 0, 0, &part, nullptr), ncclInvalidArgument,
            "ncclCommSplit of what is no communicator");
    refused(nccl.groupEnd(), ncclInvalidUsage, "ncclGroupEnd without ncclGroupStart");
    UniqueId id;
    Comm comm;
    rank.check(nccl.getUniqueId(&id));
    refused(nccl.commInitRankConfig(&comm, 2, id, 2, nullptr), ncclInvalidArgument,
            "rank 2 of a communicator of 2");
    const char *text = "ranks differ in the size of a communicator";
    std::thread other([&] {
      Comm comm;
      refused(nccl.commInitRankConfig(&comm, 2, id, 0, nullptr), ncclRemoteError, text);
    });
    refused(nccl.commInitRankConfig(&comm, 3, id, 1, nullptr), ncclRemoteError, text);
    other.join();
    NcclResult error;
    EXPECT_EQ(nccl.commGetAsyncError(nullptr, &error), ncclInvalidArgument);
    EXPECT_EQ(nccl.commDestroy(nullptr), ncclInvalidArgument);
    EXPECT_EQ(nccl.commAbort(nullptr), ncclInvalidArgument);
  });
}

//===----------------------------------------------------------------------===//
// Ranks that do not come
//===----------------------------------------------------------------------===//

/// All ranks but one sum a number that the other does not come for.
template <typename Missing, typename Others>
std::vector<int> withoutRank(int size, int number, Missing missing, Others others) {
  return statusesOnProcesses(size, [=](Rank &rank) {
    float *x = rank.put<float>({1});
    rank.check(rank.nccl.allReduce(x, x, 1, ncclFloat32, ncclSum, rank.comm, rank.stream));
    rank.check(rank.driver.streamSynchronize(rank.stream));
    if (rank.number == number) {
      missing(rank);
      return;
    }
    rank.check(rank.nccl.allReduce(x, x, 1, ncclFloat32, ncclSum, rank.comm, rank.stream));
    EXPECT_EQ(rank.driver.streamQuery(rank.stream), notReady);
    others(rank, x);
  });
}

NcclResult asyncErrorOf(const Rank &rank) {
  NcclResult error = ncclOk;
  EXPECT_EQ(rank.nccl.commGetAsyncError(rank.comm, &error), ncclOk);
  return error;
}

class EmulatedNcclProcesses : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(EmulatedNcclProcesses, KilledRankIsTold) {
  auto [size, victim] = GetParam();
  const std::string reason = "rank " + std::to_string(victim) + " was lost";
  std::vector<int> statuses = withoutRank(
      size, victim, [](Rank &) { raise(SIGKILL); },
      [=](Rank &rank, float *x) {
        EXPECT_EQ(asyncErrorOf(rank), ncclRemoteError);
        EXPECT_EQ(rank.nccl.getLastError(rank.comm), reason);
        EXPECT_EQ(rank.nccl.allReduce(x, x, 1, ncclFloat32, ncclSum, rank.comm, rank.stream),
                  ncclRemoteError);
        EXPECT_EQ(rank.nccl.getLastError(rank.comm),
                  "ncclAllReduce of 1 f32 cannot be done: " + reason);
        Comm part;
        EXPECT_EQ(rank.nccl.commSplit(rank.comm, 0, 0, &part, nullptr), ncclRemoteError);
        EXPECT_EQ(rank.nccl.getLastError(rank.comm), "ncclCommSplit cannot be done: " + reason);
        // The device is free when the communicator is aborted.
        Event event;
        rank.check(rank.driver.eventCreate(&event, eventDisableTiming));
        rank.check(rank.driver.eventRecord(event, rank.stream));
        EXPECT_EQ(rank.driver.eventQuery(event), notReady);
        rank.check(rank.nccl.commAbort(rank.comm));
        rank.check(rank.driver.eventQuery(event));
        rank.check(rank.driver.streamSynchronize(rank.stream));
      });
  for (int number = 0; number < size; ++number)
    EXPECT_EQ(statuses[number], number == victim ? SIGKILL : 0);
}

INSTANTIATE_TEST_SUITE_P(Ranks, EmulatedNcclProcesses,
                         testing::Values(std::pair(2, 1), std::pair(2, 0), std::pair(3, 1)));

TEST(EmulatedNccl, RankThatLeftIsTold) {
  setenv("TP_EMULATED_SECONDS", "4", 1);
  std::vector<int> statuses = withoutRank(
      3, 1, [](Rank &rank) { rank.check(rank.nccl.commDestroy(rank.comm)); },
      [](Rank &rank, float *) {
        EXPECT_EQ(asyncErrorOf(rank), ncclOk);
        EXPECT_EQ(rank.driver.describe(rank.driver.streamSynchronize(rank.stream)),
                  "CUDA_ERROR_ILLEGAL_ADDRESS: emulated device: the host waits for ncclAllReduce "
                  "of 1 f32 on stream 1, which does not end: rank 1 has left");
      });
  for (int status : statuses)
    EXPECT_EQ(status, 0);
}

TEST(EmulatedNccl, ThreadsInProcesses) {
  onProcesses(
      4,
      [](Rank &rank) {
        int32_t *x = rank.put<int32_t>({1 << rank.number}), *all = rank.put<int32_t>({}, 4);
        rank.check(rank.nccl.allReduce(x, x, 1, ncclInt32, ncclSum, rank.comm, rank.stream));
        rank.check(rank.nccl.allGather(x, all, 1, ncclInt32, rank.comm, rank.stream));
        EXPECT_EQ(rank.get(all, 4), std::vector<int32_t>(4, 15));
      },
      2);
}

TEST(EmulatedNccl, LargeOperandsAreExchanged) {
  // More than sockets hold, of all at once.
  onProcesses(3, [](Rank &rank) {
    const size_t count = 1 << 19;
    float *x = rank.put(std::vector<float>(count, rank.number)), *y = rank.put<float>({}, count);
    rank.check(rank.nccl.groupStart());
    for (int peer = 0; peer < 3; ++peer)
      if (peer != rank.number)
        rank.check(rank.nccl.send(x, count, ncclFloat32, peer, rank.comm, rank.stream));
    for (int peer = 0; peer < 3; ++peer)
      if (peer != rank.number)
        rank.check(rank.nccl.recv(y, count, ncclFloat32, peer, rank.comm, rank.stream));
    rank.check(rank.nccl.groupEnd());
    EXPECT_EQ(rank.get(y, count), std::vector<float>(count, rank.number == 2 ? 1 : 2));
    rank.check(rank.nccl.allReduce(x, x, count, ncclFloat32, ncclSum, rank.comm, rank.stream));
    EXPECT_EQ(rank.get(x, count), std::vector<float>(count, 3));
  });
}

TEST(EmulatedNccl, DifferencesOfProcessesAreTold) {
  onProcesses(2, [](Rank &rank) {
    float *x = rank.put<float>({1, 2});
    rank.nccl.allReduce(x, x, rank.number + 1, ncclFloat32, ncclSum, rank.comm, rank.stream);
    EXPECT_EQ(fault(rank), "CUDA_ERROR_ILLEGAL_ADDRESS: emulated device: ranks of a communicator "
                           "differ: rank 0 calls ncclAllReduce of 1 f32, rank 1 ncclAllReduce of 2 "
                           "f32");
  });
}

TEST(EmulatedNccl, SizesOfMessagesAreTold) {
  onProcesses(2, [](Rank &rank) {
    float *x = rank.put<float>({1, 2});
    if (rank.number == 0) {
      rank.check(rank.nccl.send(x, 1, ncclFloat32, 1, rank.comm, rank.stream));
    } else {
      rank.nccl.recv(x, 2, ncclFloat32, 0, rank.comm, rank.stream);
      EXPECT_EQ(fault(rank), "CUDA_ERROR_ILLEGAL_ADDRESS: emulated device: rank 1 receives 8 "
                             "bytes, rank 0 sends 4");
    }
  });
}

TEST(EmulatedNccl, LateRankIsTold) {
  setenv("TP_EMULATED_SECONDS", "4", 1);
  for (int status : withoutRank(
           2, 1,
           [](Rank &rank) {
             std::this_thread::sleep_for(std::chrono::seconds(6));
             // A watch can end the waiting.
             rank.check(rank.nccl.commAbort(rank.comm));
           },
           [](Rank &rank, float *) {
             EXPECT_EQ(asyncErrorOf(rank), ncclOk);
             std::thread watch([&] {
               std::this_thread::sleep_for(std::chrono::milliseconds(300));
               rank.check(rank.nccl.commAbort(rank.comm));
             });
             rank.check(rank.driver.streamSynchronize(rank.stream));
             watch.join();
           }))
    EXPECT_EQ(status, 0);
}

TEST(EmulatedNccl, MissingRanksAreTold) {
  setenv("TP_EMULATED_SECONDS", "1", 1);
  const UniqueId id = newId();
  const Nccl &nccl = Nccl::get();
  Comm comm;
  EXPECT_EQ(nccl.commInitRankConfig(&comm, 2, id, 1, nullptr), ncclRemoteError);
  EXPECT_STREQ(nccl.getLastError(nullptr), "rank 0 of a communicator does not come within 1 s");
  EXPECT_EQ(nccl.commInitRankConfig(&comm, 2, id, 0, nullptr), ncclRemoteError);
  EXPECT_STREQ(nccl.getLastError(nullptr), "rank 1 of a communicator does not come within 1 s");
  Comm again;
  EXPECT_EQ(nccl.commInitRankConfig(&comm, 1, id, 0, nullptr), ncclOk);
  EXPECT_EQ(nccl.commInitRankConfig(&again, 1, id, 0, nullptr), ncclRemoteError);
  EXPECT_STREQ(nccl.getLastError(nullptr), "rank 0 of a communicator comes twice");
}

//===----------------------------------------------------------------------===//
// Calls that do not block
//===----------------------------------------------------------------------===//

/// Looks until the communicator's last call is done; what became of it.
NcclResult awaitComm(Comm comm) {
  NcclResult state = ncclInProgress;
  while (state == ncclInProgress) {
    EXPECT_EQ(Nccl::get().commGetAsyncError(comm, &state), ncclOk);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return state;
}

CommConfig notBlocking() {
  CommConfig config;
  config.blocking = 0;
  return config;
}

TEST(EmulatedNccl, CallsThatDoNotBlock) {
  const UniqueId id = newId();
  onRanks(2, [&](Rank &rank) {
    const Nccl &nccl = rank.nccl;
    CommConfig config = notBlocking();
    Comm comm = nullptr, part = nullptr;
    EXPECT_EQ(nccl.commInitRankConfig(&comm, 2, id, rank.number, &config), ncclInProgress);
    ASSERT_NE(comm, nullptr);
    EXPECT_EQ(awaitComm(comm), ncclOk);
    EXPECT_EQ(nccl.commSplit(comm, 0, -rank.number, &part, &config), ncclInProgress);
    EXPECT_EQ(awaitComm(comm), ncclOk);
    EXPECT_EQ(awaitComm(part), ncclOk);
    int32_t *mine = rank.put<int32_t>({rank.number}), *all = rank.put<int32_t>({}, 2);
    // The next call is refused before the end of the last has been seen.
    auto gather = [&] { return nccl.allGather(mine, all, 1, ncclInt32, part, rank.stream); };
    EXPECT_EQ(gather(), ncclInProgress);
    EXPECT_EQ(gather(), ncclInvalidArgument);
    EXPECT_STREQ(nccl.getLastError(part), "a communicator is used before ncclCommGetAsyncError "
                                          "has told that its last call is done");
    EXPECT_EQ(awaitComm(part), ncclOk);
    EXPECT_EQ(rank.get(all, 2), (std::vector<int32_t>{1, 0}));
    // A group is one call.
    rank.check(nccl.groupStart());
    EXPECT_EQ(gather(), ncclOk);
    EXPECT_EQ(gather(), ncclOk);
    EXPECT_EQ(nccl.groupEnd(), ncclInProgress);
    EXPECT_EQ(awaitComm(part), ncclOk);
    for (Comm one : {part, comm}) {
      EXPECT_EQ(nccl.commFinalize(one), ncclInProgress);
      EXPECT_EQ(awaitComm(one), ncclOk);
      EXPECT_EQ(nccl.commDestroy(one), ncclOk);
    }
  });
}

TEST(EmulatedNccl, RanksThatDoNotComeDoNotBlock) {
  setenv("TP_EMULATED_SECONDS", "1", 1);
  const Nccl &nccl = Nccl::get();
  CommConfig config = notBlocking();
  Comm comm;
  EXPECT_EQ(nccl.commInitRankConfig(&comm, 2, newId(), 0, &config), ncclInProgress);
  EXPECT_EQ(awaitComm(comm), ncclRemoteError);
  EXPECT_STREQ(nccl.getLastError(comm), "rank 1 of a communicator does not come within 1 s");
  EXPECT_EQ(nccl.commAbort(comm), ncclOk);
  // One that stalls is in progress until it is aborted.
  setenv("TP_EMULATED_STALLED_RANK", "1", 1);
  EXPECT_EQ(nccl.commInitRankConfig(&comm, 2, newId(), 1, &config), ncclInProgress);
  NcclResult state;
  EXPECT_EQ(nccl.commGetAsyncError(comm, &state), ncclOk);
  EXPECT_EQ(state, ncclInProgress);
  EXPECT_EQ(nccl.commFinalize(comm), ncclInvalidArgument);
  EXPECT_EQ(nccl.commAbort(comm), ncclOk);
  config.magic = 0;
  EXPECT_EQ(nccl.commInitRankConfig(&comm, 2, newId(), 0, &config), ncclInvalidArgument);
  EXPECT_STREQ(nccl.getLastError(nullptr), "a configuration that was not initialised");
}

//===----------------------------------------------------------------------===//
// Symmetric windows
//===----------------------------------------------------------------------===//

/// A window of so many bytes, which hold zeros.
char *openWindow(Rank &rank, size_t bytes, Window *window) {
  void *memory = nullptr;
  rank.check(rank.nccl.memAlloc(&memory, bytes));
  rank.check(
      rank.driver.memsetD8Async(reinterpret_cast<DevicePointer>(memory), 0, bytes, rank.stream));
  rank.check(rank.nccl.commWindowRegister(rank.comm, memory, bytes, window, symmetricWindow));
  return static_cast<char *>(memory);
}

TEST(EmulatedNccl, SymmetricWindows) {
  onProcessesAndThreads(2, [](Rank &rank) {
    Window window;
    char *memory = openWindow(rank, 4096, &window);
    rank.check(rank.nccl.allReduce(memory + 256, memory + 512, 4, ncclFloat32, ncclSum, rank.comm,
                                   rank.stream));
    EXPECT_EQ(rank.get(reinterpret_cast<float *>(memory + 512), 4), std::vector<float>(4, 0));
    rank.check(rank.nccl.commWindowDeregister(rank.comm, window));
    rank.check(rank.nccl.memFree(memory));
    EXPECT_EQ(rank.nccl.commWindowDeregister(rank.comm, nullptr), ncclInvalidArgument);
    EXPECT_STREQ(rank.nccl.getLastError(rank.comm),
                 "ncclCommWindowDeregister of what is no window");
    EXPECT_EQ(rank.nccl.memAlloc(reinterpret_cast<void **>(&memory), size_t(1) << 50),
              ncclUnhandledCudaError);
    EXPECT_STREQ(rank.nccl.getLastError(rank.comm), "ncclMemAlloc finds no memory");
  });
}

TEST(EmulatedNccl, WindowWithoutTheOtherRank) {
  onRanks(2, [](Rank &rank) {
    if (rank.number == 1) {
      rank.check(rank.nccl.commDestroy(rank.comm));
      return;
    }
    Window window;
    void *memory = nullptr;
    rank.check(rank.nccl.memAlloc(&memory, 4096));
    EXPECT_EQ(rank.nccl.commWindowRegister(rank.comm, memory, 4096, &window, symmetricWindow),
              ncclRemoteError);
    EXPECT_STREQ(rank.nccl.getLastError(rank.comm),
                 "ncclCommWindowRegister cannot be done: rank 1 has left");
  });
}

TEST(EmulatedNccl, WindowsOfDifferentSizes) {
  onRanks(2, [](Rank &rank) {
    Window window;
    void *memory = nullptr;
    rank.check(rank.nccl.memAlloc(&memory, 8192));
    EXPECT_EQ(rank.nccl.commWindowRegister(rank.comm, memory, 4096 << rank.number, &window,
                                           symmetricWindow),
              ncclInvalidArgument);
    EXPECT_STREQ(rank.nccl.getLastError(rank.comm),
                 "ranks register windows of 4096 and 8192 bytes");
  });
}

TEST(EmulatedNccl, DifferentPlacesInWindowsAreTold) {
  onProcesses(2, [](Rank &rank) {
    Window window;
    char *memory = openWindow(rank, 4096, &window) + 256 * rank.number;
    rank.nccl.allReduce(memory, memory, 4, ncclFloat32, ncclSum, rank.comm, rank.stream);
    EXPECT_EQ(fault(rank), "CUDA_ERROR_ILLEGAL_ADDRESS: emulated device: ranks differ in what "
                           "ncclAllReduce of 4 f32 takes of symmetric windows: bytes 0 to 0 on "
                           "rank 0, bytes 256 to 256 on rank 1");
  });
}

TEST(EmulatedNccl, WindowOfOneRankIsTold) {
  onProcesses(2, [](Rank &rank) {
    Window window;
    char *memory = openWindow(rank, 4096, &window);
    float *x = rank.number ? rank.put<float>({1, 2, 3, 4}) : reinterpret_cast<float *>(memory);
    rank.nccl.allReduce(x, x, 4, ncclFloat32, ncclSum, rank.comm, rank.stream);
    EXPECT_EQ(fault(rank), "CUDA_ERROR_ILLEGAL_ADDRESS: emulated device: ranks differ in what "
                           "ncclAllReduce of 4 f32 takes of symmetric windows: bytes 0 to 0 on "
                           "rank 0, nothing on rank 1");
  });
}

TEST(Nccl, Problems) {
  const std::string file = std::getenv("TPRT_NCCL");
  setenv("TPRT_NCCL", "libm.so.6", 1);
  EXPECT_EQ(Nccl().problem(), "libm.so.6 has no function ncclGetVersion, so it is not NCCL");
  setenv("TPRT_NCCL", "/none", 1);
  EXPECT_EQ(Nccl().problem(),
            "NCCL is not found (/none: cannot open shared object file: No such file or "
            "directory); install libnccl2 or the Python package nvidia-nccl-cu13, or set TPRT_NCCL "
            "to its libnccl.so.2");
  const std::string old = TP_BINARY_DIR "/Old.so", incomplete = TP_BINARY_DIR "/Incomplete.so";
  setenv("TPRT_NCCL", old.c_str(), 1);
  EXPECT_EQ(Nccl().problem(),
            old + " is NCCL 2.17.2, at least 2.18.0 is needed: install a newer one");
  setenv("TPRT_NCCL", incomplete.c_str(), 1);
  EXPECT_EQ(Nccl().problem(),
            incomplete + " lacks the function ncclGetUniqueId: install a newer NCCL");
  setenv("TPRT_NCCL", file.c_str(), 1);
  EXPECT_EQ(Nccl().version(), 22809);
  EXPECT_EQ(Nccl().windowProblem(), "");
  setenv("TP_EMULATED_NCCL", "22602", 1);
  EXPECT_EQ(Nccl().problem(), "");
  EXPECT_EQ(Nccl().windowProblem(), "NCCL 2.26.2 has none, 2.27.0 has");
}

} // namespace
