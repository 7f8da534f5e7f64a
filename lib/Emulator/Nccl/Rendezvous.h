//===- Rendezvous.h - Ranks find each other ---------------------*- C++ -*-===//

#ifndef TP_EMULATOR_NCCL_RENDEZVOUS_H
#define TP_EMULATOR_NCCL_RENDEZVOUS_H

#include "Frames.h"
#include "llvm/Support/Error.h"
#include <chrono>
#include <memory>
#include <vector>

namespace mlir::tp::emulator {

/// What joins a rank to the others of its communicator.
struct Connections {
  /// Holds the rank's name, as long as it is there.
  std::shared_ptr<Socket> listener;
  /// To each rank; null for itself.
  std::vector<std::shared_ptr<Socket>> peers;
};

/// Connects with all other ranks of that name, which are threads of this process or of
/// others of the host. Fails where one does not come within `patience`, comes twice, or
/// has another size.
llvm::Expected<Connections> meet(const std::string &name, int size, int rank,
                                 std::chrono::seconds patience);

} // namespace mlir::tp::emulator

#endif // TP_EMULATOR_NCCL_RENDEZVOUS_H
