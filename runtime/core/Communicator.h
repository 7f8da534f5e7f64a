//===- Communicator.h - what a communication backend provides ---*- C++ -*-===//
//
// One communicator per rank. The calls of the ABI are checked and described by
// core/Collectives.cpp; a backend only moves and combines bytes. The
// conformance suite in test/Runtime runs against every implementation.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_COMMUNICATOR_H
#define TPRT_CORE_COMMUNICATOR_H

#include "Device.h"
#include "tprt/tprt.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tprt {

class Recorder;

enum class CollectiveKind : int32_t { AllReduce, AllGather, ReduceScatter, AllToAll, Permute };

/// Arguments of one collective of one rank. `outer` and `inner` as in abi.def;
/// where that has one count it is `inner`, and `outer` is 1.
struct CollectiveCall {
  CollectiveKind kind;
  int32_t op;
  int32_t group;
  int32_t reduction; ///< -1 where nothing is combined
  int32_t dtype;
  const void *src;
  void *dst;
  int64_t outer;
  int64_t inner;
  const int32_t *sources; ///< permute only
  int32_t stream; ///< 0, or until `awaitStream` of it the collective runs beside computation
};

/// What ranks compare before a collective under --check-collectives.
struct CallHeader {
  uint64_t sequence; ///< collectives that this rank has begun before
  int32_t kind;
  int32_t op;
  int32_t reduction;
  int32_t dtype;
  int64_t outer;
  int64_t inner;
  uint64_t sources; ///< hash of permute's table

  bool operator==(const CallHeader &other) const;
};

/// A collective that a device keeps, to enqueue it anew with others.
struct KeptCollective {
  int32_t group;
  int32_t op;
};

class Communicator {
public:
  virtual ~Communicator() = default;

  /// Performs a collective over a group of at least two ranks, with valid
  /// arguments that are the same on all of them and at least one element.
  /// Returns TPRT_ABORTED when another rank failed; its own failures are
  /// recorded in the program.
  virtual tprt_status_t run(const CollectiveCall &call) = 0;

  /// What follows on the stream of computation is behind the last collective of this one, if
  /// there is one that has not been waited for.
  virtual void awaitStream(int32_t stream) { (void)stream; }

  /// What comes next on the device's stream of communication is behind all computation so far;
  /// false where it has none, and collectives are done when they return.
  virtual bool follow() { return false; }

  /// Gives every rank of the group all headers, in group order.
  virtual tprt_status_t exchange(int32_t group, int32_t op, const CallHeader &mine,
                                 CallHeader *all) = 0;

  /// Told of `collectives` that `launch`, which throws where it fails, enqueues anew.
  virtual void replay(const std::vector<KeptCollective> &collectives,
                      const std::function<void()> &launch) {
    (void)collectives;
    launch();
  }

  /// Memory in which small collectives may be faster, undefined as that of `Device::allocate`.
  virtual Buffer allocate(Device &device, int64_t bytes, const std::string &what) {
    return device.allocate(bytes, what, Device::Content::Undefined);
  }
  /// Small collectives take what lies in `memory`, at the same places on all ranks; null: no
  /// more, before it is given back.
  virtual void setSymmetric(void *memory, int64_t bytes) { (void)memory, (void)bytes; }
  /// How those are done, for people; empty where that goes without saying.
  virtual std::string howSmall() const { return ""; }

  /// Bytes that this rank uses for communication buffers.
  virtual int64_t workspaceBytes() const = 0;

  /// Told how long this rank waits for others; null unless time is measured.
  Recorder *recorder = nullptr;
};

/// "all_reduce", ..., by the number of a CollectiveKind.
const char *collectiveName(int32_t kind);

} // namespace tprt

#endif // TPRT_CORE_COMMUNICATOR_H
