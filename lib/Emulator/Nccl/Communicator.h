//===- Communicator.h - Ranks that meet -------------------------*- C++ -*-===//
//
// A communicator of emulated NCCL joins threads and processes of a host. An operation
// happens when all its ranks have come; then the work that each did before is behind all
// that any does after, as far as both are of one process.
//
//===----------------------------------------------------------------------===//

#ifndef TP_EMULATOR_NCCL_COMMUNICATOR_H
#define TP_EMULATOR_NCCL_COMMUNICATOR_H

#include "../Driver/System.h"
#include "Rendezvous.h"
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
  /// Where the two are in the communicator's windows; -1 where they are in none.
  int64_t fromPlace = -1, toPlace = -1;

  bool isSymmetric() const { return fromPlace >= 0 && toPlace >= 0; }
  bool matches(const Collective &other) const {
    return kind == other.kind && count == other.count && type == other.type &&
           reduction == other.reduction;
  }
  std::string describe() const;
};

/// Bytes of an element; 0 for a type that is not emulated.
size_t elementBytes(tprt::cuda::NcclType type);

/// The result of rank `rank`; operands[r] are the bytes of rank r.
std::string perform(const Collective &collective, llvm::ArrayRef<llvm::StringRef> operands,
                    int rank);

/// One rank's end of a communicator. All with the system's lock held.
class Group {
public:
  /// What a rank has brought; the operation is null where it is of another process.
  struct Part {
    std::string bytes;
    const Operation *operation;
  };

  /// Waits until all ranks of the name have come, and fails as `meet` does.
  static llvm::Expected<std::shared_ptr<Group>> join(const std::string &name, int size, int rank);
  ~Group();

  int size() const { return peers.size(); }
  int rank() const { return number; }
  /// A name for the parts of the next split.
  std::string nextName() { return name + "/" + std::to_string(numSplits++); }

  /// Waits until each rank has brought something; what all have, by rank. None where that
  /// cannot happen any more, or takes too long: `problem` says why.
  std::optional<std::vector<Part>> exchange(const std::string &bytes, const Operation *operation);
  /// Does not wait for the other.
  void send(int to, const std::string &bytes, const Operation *operation);
  /// The next of a rank, or none as above.
  std::optional<Part> receive(int from);

  /// Says that this rank needs no others any more.
  void leave();
  bool hasLeft() const { return left; }
  /// Memory that each rank has told the others of; places in them are counted through. The
  /// window's number is one more than its place in the list.
  struct MemoryWindow {
    const char *base;
    size_t bytes;
  };
  std::vector<MemoryWindow> windows;
  /// The place of [address, address + bytes) in the windows, -1 for none.
  int64_t placeOf(const char *address, size_t bytes) const;

  /// Ends all waiting, of this rank now and of those that wait for it.
  void abort();

  const std::string &problem() const { return problemText; }
  /// Whether a rank that was waited for ended without leaving; `problem` names it.
  bool isLost() const { return lost; }

private:
  struct Peer {
    /// Null for this rank itself.
    std::shared_ptr<Socket> socket;
    bool hasLeft = false, isGone = false;
    std::deque<Part> parts, messages;
  };

  Group(std::string name, Connections connections, int rank);

  static void readFrames(std::weak_ptr<Group> group, std::vector<std::shared_ptr<Socket>> sockets);
  /// Null where there are no more.
  void take(int from, const Frame *frame);
  void write(FrameKind kind, llvm::ArrayRef<std::shared_ptr<Socket>> to, const std::string &bytes,
             const Operation *operation);
  /// Waits for what one queue of each of these has.
  bool waitFor(llvm::ArrayRef<int> ranks, std::deque<Part> Peer::*queue);

  const std::string name;
  const std::shared_ptr<Socket> listener;
  const int number;
  std::vector<Peer> peers;
  unsigned numSplits = 0;
  bool left = false, isAborted = false, lost = false;
  std::string problemText;
};

/// How far a communicator is whose calls do not block.
struct Progress {
  /// ncclInProgress while its ranks meet, and why they do not.
  tprt::cuda::NcclResult state = tprt::cuda::ncclInProgress;
  std::string problem;
  /// Nobody has asked since the last call, which is done.
  bool isUnseen = false;
};

/// What ncclComm_t points to.
struct CommState {
  /// Null while its ranks meet.
  std::shared_ptr<Group> group;
  /// Null where calls block.
  std::shared_ptr<Progress> progress;

  bool isReady() const {
    return !progress || (progress->state == tprt::cuda::ncclOk && !progress->isUnseen);
  }
};

} // namespace mlir::tp::emulator

#endif // TP_EMULATOR_NCCL_COMMUNICATOR_H
