//===- Communicator.h - Ranks that meet -------------------------*- C++ -*-===//
//
// A communicator of emulated NCCL joins threads of this process. An operation happens
// when all its ranks have come; then the work that each did before is behind all that
// any does after.
//
//===----------------------------------------------------------------------===//

#ifndef TP_EMULATOR_NCCL_COMMUNICATOR_H
#define TP_EMULATOR_NCCL_COMMUNICATOR_H

#include "../Driver/System.h"
#include "runtime/cuda/NcclApi.h"

#include <deque>

namespace mlir::tp::emulator {

enum class CollectiveKind { AllReduce, ReduceScatter, AllGather };

/// One rank's part of a collective; `count` as NCCL counts for the kind.
struct Collective {
  CollectiveKind kind;
  size_t count;
  tprt::cuda::NcclType type;
  tprt::cuda::NcclReduction reduction;
  const char *from;
  char *to;

  bool matches(const Collective &other) const {
    return kind == other.kind && count == other.count && type == other.type &&
           reduction == other.reduction;
  }
  std::string describe() const;
};

/// Bytes of an element; 0 for a type that is not emulated.
size_t elementBytes(tprt::cuda::NcclType type);

/// Performs a collective of all ranks; parts[r] is rank r's.
void perform(llvm::ArrayRef<const Collective *> parts);

/// What the ranks of a communicator share.
class Group {
public:
  explicit Group(int size) : data(size) {}

  int size() const { return data.size(); }

  /// Waits until each rank has come with something, then lets the last run `combine` on
  /// all of it. False where the communicator was aborted, or something has failed. With
  /// the system's lock held.
  bool meet(int rank, void *mine, llvm::function_ref<void(llvm::ArrayRef<void *>)> combine);
  void abort();

  struct Message {
    std::string content;
    const Operation *sender;
  };
  void send(int from, int to, Message message);
  /// The next message of a rank; none where the communicator was aborted.
  std::optional<Message> receive(int from, int to);

private:
  std::vector<void *> data;
  int arrived = 0;
  uint64_t meetings = 0;
  bool aborted = false;
  std::map<std::pair<int, int>, std::deque<Message>> messages;
};

/// What ncclComm_t points to.
struct CommState {
  std::shared_ptr<Group> group;
  int rank;
};

} // namespace mlir::tp::emulator

#endif // TP_EMULATOR_NCCL_COMMUNICATOR_H
