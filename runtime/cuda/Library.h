//===- Library.h - NVIDIA's libraries, found at run time ---------*- C++ -*-===//

#ifndef TPRT_CUDA_LIBRARY_H
#define TPRT_CUDA_LIBRARY_H

#include <string>
#include <vector>

namespace tprt::cuda {

/// A shared library that is opened when it is needed.
class Library {
public:
  /// Opens the file that environment variable `variable` names; without one the first of
  /// `names` that the loader finds, then the first that lies where Python's packages of
  /// NVIDIA are: below $VIRTUAL_ENV, the user's and the system's site-packages.
  Library(const char *variable, const std::vector<std::string> &names);

  explicit operator bool() const { return handle != nullptr; }
  /// What was opened, as it was found.
  const std::string &name() const { return opened; }
  /// Why nothing was opened: what the loader says of each name.
  const std::string &problem() const { return problemText; }
  /// Null where the library does not have it.
  void *find(const char *symbol) const;
  /// What to say then, `newer` being what has it: "a newer driver".
  std::string lacks(const char *symbol, const char *newer) const;

private:
  void *handle = nullptr;
  std::string opened, problemText;
};

} // namespace tprt::cuda

#endif // TPRT_CUDA_LIBRARY_H
