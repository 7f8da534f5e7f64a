//===- Fabric.h - what joins ranks that are threads -------------*- C++ -*-===//

#ifndef TPRT_THREADS_FABRIC_H
#define TPRT_THREADS_FABRIC_H

#include "../core/Communicator.h"
#include "../core/Device.h"

#include <memory>

namespace tprt {

/// The devices of all ranks, and what joins them.
class Fabric {
public:
  virtual ~Fabric() = default;

  virtual Device &device(int rank) = 0;
  /// The communicator of a rank, by its thread while all others ask for theirs. Throws
  /// `Error`.
  virtual std::unique_ptr<Communicator> join(int rank) = 0;
  /// Begins anew behind a failure; no rank has a communicator.
  virtual void restart() = 0;
};

} // namespace tprt

#endif // TPRT_THREADS_FABRIC_H
