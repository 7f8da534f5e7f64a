//===- ProcessorsTest.cpp - the processors near a GPU ---------------------===//

#include "cuda/Processors.h"
#include "TempDir.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sched.h>
#include <thread>

using namespace tprt::cuda;
using namespace tprt_test;

namespace {

/// Files as those below /sys.
struct System {
  System(const std::string &node, const std::string &processors) {
    write("bus/pci/devices/0000:3b:00.0/numa_node", node);
    write("devices/system/node/node1/cpulist", processors);
  }
  void write(const std::string &name, const std::string &text) {
    const std::filesystem::path path = std::filesystem::path(folder.path()) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << "\n";
  }
  std::vector<int> near(const std::string &device) const {
    return processorsNear(folder.path(), device);
  }
  TempDir folder;
};

} // namespace

TEST(Processors, AreThoseOfTheNode) {
  EXPECT_EQ(System("1", "2-4,8,10-11").near("0000:3B:00.0"),
            (std::vector<int>{2, 3, 4, 8, 10, 11}));
}

TEST(Processors, AreUnknownWhereTheSystemDoesNotTell) {
  EXPECT_EQ(System("-1", "0-3").near("0000:3b:00.0"), std::vector<int>());
  EXPECT_EQ(System("1", "0-3").near("0000:3c:00.0"), std::vector<int>());
  EXPECT_EQ(System("1", "a-b").near("0000:3b:00.0"), std::vector<int>());
  EXPECT_EQ(System("2", "0-3").near("0000:3b:00.0"), std::vector<int>());
}

TEST(Processors, BindThreadsToThoseThatTheyMayUse) {
  std::thread([] {
    cpu_set_t all, found;
    ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
    int first = 0;
    while (!CPU_ISSET(first, &all))
      ++first;
    int absent = 0;
    while (CPU_ISSET(absent, &all))
      ++absent;
    for (const std::vector<int> &useless : {std::vector<int>{}, std::vector<int>{absent}}) {
      runNear(useless);
      ASSERT_EQ(sched_getaffinity(0, sizeof found, &found), 0);
      EXPECT_TRUE(CPU_EQUAL(&found, &all));
    }
    runNear({first, absent});
    ASSERT_EQ(sched_getaffinity(0, sizeof found, &found), 0);
    EXPECT_EQ(CPU_COUNT(&found), 1);
    EXPECT_TRUE(CPU_ISSET(first, &found));
  }).join();
}
