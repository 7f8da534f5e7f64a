//===- Backend.h - backends under the conformance suite ---------*- C++ -*-===//
//
// A test describes a mesh and what each rank does; a backend runs it. Threads are
// the backend of tprt_tests (Backend.cpp). tprt_process_tests runs as several
// processes, which all go through the same tests (ProcessBackend.cpp): there `run`
// calls `body` for the rank of each process, so bodies must not share variables. What
// calls get lies on the rank's device (DeviceVector), which for test/Emulator is a GPU.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_TEST_RUNTIME_BACKEND_H
#define TPRT_TEST_RUNTIME_BACKEND_H

#include "core/Context.h"
#include "tprt/manifest.h"

#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace tprt_test {

using Body = std::function<tprt_status_t(tprt_context &)>;

struct RunSpec {
  std::vector<int64_t> mesh; ///< sizes of axes "a", "b", ...
  std::vector<std::vector<tprt::AxisPart>> groups;
  std::vector<tprt::Operation> operations = {{"op0", "model.mlir:1:1", "because"}};
  tprt::ProgramOptions options;
};

/// Values where calls of the rank find them.
template <typename T> class DeviceVector {
public:
  DeviceVector(tprt_context &ctx, const std::vector<T> &values)
      : device(*ctx.device), count(values.size()),
        buffer(device.allocate(bytes(), "a test", tprt::Device::Content::Undefined)) {
    void *staged = device.stage(data(), bytes());
    if (count)
      std::memcpy(staged, values.data(), size_t(bytes()));
    device.unstage(data(), staged, bytes());
  }

  T *data() const { return static_cast<T *>(buffer.data()); }
  std::vector<T> read() const {
    std::vector<T> values(count);
    device.read(values.data(), data(), bytes());
    return values;
  }

private:
  int64_t bytes() const { return int64_t(count * sizeof(T)); }

  tprt::Device &device;
  const size_t count;
  tprt::Buffer buffer;
};

struct Backend {
  const char *name;
  /// Whether it has the reduction, where that is defined.
  bool (*reduces)(int32_t kind, int32_t dtype);
  /// Runs `body` on every rank; `repeats` times in the same program while no
  /// rank fails. Returns the failure that is reported.
  std::function<tprt::Failure(const RunSpec &, const Body &body, int repeats)> run;
};

const std::vector<Backend> &allBackends();

inline int numRanks(const RunSpec &spec) {
  int64_t ranks = 1;
  for (int64_t size : spec.mesh)
    ranks *= size;
  return int(ranks);
}

/// Part of a whole axis of size `size`.
inline tprt::AxisPart wholeAxis(int axis, int64_t size) { return {axis, 1, size}; }

} // namespace tprt_test

#endif // TPRT_TEST_RUNTIME_BACKEND_H
