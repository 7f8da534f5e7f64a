//===- Profiler.h - what ranks do, named for a profiler ---------*- C++ -*-===//
//
// Ranges of NVTX 3, which Nsight Systems and others show beside what the device does.
// NVTX is a protocol and has no library of its own: a profiler names its library in
// NVTX_INJECTION64_PATH, and that library fills in a table of functions.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_PROFILER_H
#define TPRT_CORE_PROFILER_H

#include <string>

namespace tprt {

/// The profiler that runs this process.
class Profiler {
public:
  /// Null where there is none, or where it does not take ranges. The first call looks.
  static const Profiler *get();

  /// Opens a range of the calling thread, within those that are open.
  void push(const std::string &name) const { pushRange(name.c_str()); }
  /// Closes the innermost range of the calling thread.
  void pop() const { popRange(); }

private:
  Profiler();

  int (*pushRange)(const char *name) = nullptr;
  int (*popRange)() = nullptr;
};

/// A range for as long as it lives. `getName` is called where there is a profiler.
class ProfiledRange {
public:
  template <typename GetName>
  ProfiledRange(const Profiler *profiler, GetName &&getName) : profiler(profiler) {
    if (profiler)
      profiler->push(getName());
  }
  ProfiledRange(const ProfiledRange &) = delete;
  ProfiledRange &operator=(const ProfiledRange &) = delete;
  ~ProfiledRange() {
    if (profiler)
      profiler->pop();
  }

private:
  const Profiler *profiler;
};

} // namespace tprt

#endif // TPRT_CORE_PROFILER_H
