//===- GemmChoices.h - algorithms of matrix products, in a file --*- C++ -*-===//

#ifndef TPRT_CUDA_GEMMCHOICES_H
#define TPRT_CUDA_GEMMCHOICES_H

#include "CublasLt.h"

#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace tprt::cuda {

/// What was measured to be the fastest, by name of the device, version of cublasLt and
/// product. All ranks of a process share one; for several threads at once.
class GemmChoices {
public:
  struct Place {
    std::string device, version;

    bool operator<(const Place &other) const {
      return device != other.device ? device < other.device : version < other.version;
    }
  };

  /// Adds what a file has. A file that is not there has nothing; one that is malformed
  /// is an error of the user.
  void read(const std::string &path);
  /// Writes all that there is; throws where the file cannot be written.
  void write(const std::string &path) const;

  std::optional<LtAlgo> find(const Place &place, const std::string &product) const;
  void set(const Place &place, const std::string &product, const LtAlgo &algo, double microseconds);

private:
  struct Choice {
    LtAlgo algo;
    double microseconds;
  };

  mutable std::mutex mutex;
  std::map<Place, std::map<std::string, Choice>> choices;
};

} // namespace tprt::cuda

#endif // TPRT_CUDA_GEMMCHOICES_H
