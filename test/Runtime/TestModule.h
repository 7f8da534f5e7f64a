//===- TestModule.h - modules written by hand -------------------*- C++ -*-===//
//
// Builds what a compiler would: a manifest with blocks, and entry functions in
// C++ beside it.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_TEST_RUNTIME_TESTMODULE_H
#define TPRT_TEST_RUNTIME_TESTMODULE_H

#include "tprt/tprt.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tprt_test {

/// A value of an entry; `axes` gives per dimension the mesh axes that cut it,
/// major to minor ({} for none).
struct TestValue {
  std::string name;
  std::string kind; ///< "parameter", "state", "input", or "" for a result
  std::string dtype;
  std::vector<int64_t> shape;
  std::vector<std::vector<int>> axes;
  std::string extra; ///< more JSON members: "\"source\": {...}"
};

struct TestEntry {
  std::string name;
  tprt_entry_fn function;
  std::vector<TestValue> arguments;
  std::vector<TestValue> results;
  int64_t arenaBytes = 0;
  int64_t symmetricBytes = 0;
};

class TestModule {
public:
  /// `groups` and `tail` are JSON: the groups table and more top-level members.
  TestModule(std::vector<int64_t> mesh, const std::vector<TestEntry> &entries,
             const std::string &groups = "[]", const std::string &tail = "");
  TestModule(const TestModule &) = delete;
  TestModule &operator=(const TestModule &) = delete;

  /// Makes it a program for GPUs whose kernels are in the images.
  void compileForGpus(const std::vector<std::string> &kernels,
                      const std::vector<tprt_image_t> &images);

  const tprt_module_t &module() const { return moduleTable; }
  const std::string &manifest() const { return text; }

private:
  std::string text;
  std::vector<std::string> names;
  std::vector<tprt_entry_t> table;
  std::vector<tprt_image_t> images;
  tprt_module_t moduleTable;
};

/// A JSON list of numbers.
std::string jsonList(const std::vector<int64_t> &numbers);

} // namespace tprt_test

#endif // TPRT_TEST_RUNTIME_TESTMODULE_H
