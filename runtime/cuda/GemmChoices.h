//===- GemmChoices.h - algorithms of matrix products, in a file --*- C++ -*-===//

#ifndef TPRT_CUDA_GEMMCHOICES_H
#define TPRT_CUDA_GEMMCHOICES_H

#include "CublasLt.h"

#include <map>
#include <optional>
#include <string>

namespace tprt::cuda {

/// What was measured to be the fastest, by name of the device, version of cublasLt and
/// product.
class GemmChoices {
public:
  struct Place {
    std::string device, version;

    bool operator<(const Place &other) const {
      return device != other.device ? device < other.device : version < other.version;
    }
  };

  /// Adds what the text of a file has, which may be empty. Throws an error of the user, with
  /// `path`, where it is malformed.
  void add(const std::string &text, const std::string &path);
  /// All that there is, as the text of a file.
  std::string text() const;

  std::optional<LtAlgo> find(const Place &place, const std::string &product) const;
  void set(const Place &place, const std::string &product, const LtAlgo &algo, double microseconds);

private:
  struct Choice {
    LtAlgo algo;
    double microseconds;
  };

  std::map<Place, std::map<std::string, Choice>> choices;
};

} // namespace tprt::cuda

#endif // TPRT_CUDA_GEMMCHOICES_H
