//===- Equipment.h - what a rank of a process works with --------*- C++ -*-===//

#ifndef TPRT_CORE_EQUIPMENT_H
#define TPRT_CORE_EQUIPMENT_H

#include "../processes/Progress.h"
#include "Communicator.h"
#include "Device.h"

#include <functional>
#include <memory>

namespace tprt {

/// What the rank of a process has in the place of processors and of messages through the
/// processes' transport; as Fabric is for ranks that are threads.
class Equipment {
public:
  virtual ~Equipment() = default;

  virtual Device &device() = 0;
  /// The communicator of the rank, while all other processes make theirs. `host` joins
  /// the processes; `mine` is told how far the rank is, and `others` tells it of others.
  virtual std::unique_ptr<Communicator> join(std::unique_ptr<Communicator> host, Progress &mine,
                                             const std::function<ProgressReport(int)> &others) = 0;
};

} // namespace tprt

#endif // TPRT_CORE_EQUIPMENT_H
