//===- ProcessBackend.cpp - the conformance suite on processes ------------===//
//
// The main of tprt_process_tests: every process that mpirun, or what sets the variables of
// torchrun, has started runs the same tests in the same order. A program of fewer ranks leaves the
// last processes waiting.
//
//===----------------------------------------------------------------------===//

#include "ProcessBackend.h"

#include "Backend.h"
#include "processes/Launch.h"

#include <gtest/gtest.h>

#include <cstdio>

using namespace tprt;
using namespace tprt_test;

namespace {

std::unique_ptr<World> world;

Failure runOnProcesses(const RunSpec &spec, const Body &body, int repeats) {
  std::vector<MeshAxis> mesh;
  for (size_t axis = 0; axis < spec.mesh.size(); ++axis)
    mesh.push_back({std::string(1, char('a' + axis)), spec.mesh[axis]});
  ProgramOptions options = spec.options;
  options.sharing = world->sharing();
  Program program(mesh, spec.groups, spec.operations, options);
  const std::unique_ptr<Team> team = world->join(program);
  int done = 0;
  do // also where a rank has failed before this process begins
    team->run(body);
  while (++done < repeats && !program.aborted());
  return program.firstFailure();
}

/// The other processes say what fails, and nothing else.
class FailuresOnly : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult &result) override {
    if (result.failed())
      std::printf("rank %d: %s:%d: %s\n", world->rank(), result.file_name(), result.line_number(),
                  result.message());
  }
};

} // namespace

const std::vector<Backend> &tprt_test::allBackends() {
  static const std::vector<Backend> backends = {
      {"processes", [](int32_t, int32_t) { return true; }, runOnProcesses}};
  return backends;
}

World &tprt_test::theWorld() { return *world; }

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  try {
    world = startWorld("auto", "conformance suite", {});
    if (!world)
      throw badInput("start it by mpirun, as several processes");
  } catch (const Error &error) {
    return endAlone(error);
  }
  if (world->rank()) {
    testing::TestEventListeners &listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOnly);
  }
  const int result = RUN_ALL_TESTS();
  std::fflush(stdout);
  world->end(nullptr);
  return result;
}
