//===- memory.h - what a program takes of memory ----------------*- C++ -*-===//
//
// Memory is accounted from the manifest: a session allocates just this, and a
// report tells it before there is machine code. Every rank takes the same, as
// local buffers are padded to the largest block.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_MEMORY_H
#define TPRT_MEMORY_H

#include "tprt/manifest.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tprt {

enum class MemoryKind { Weights, State, Arena, Workspace };

/// Part of the memory of one rank.
struct MemoryItem {
  std::string name;
  MemoryKind kind;
  int64_t bytes;
};

/// Bytes of one rank.
struct MemoryUse {
  int64_t weights = 0;
  int64_t state = 0;
  int64_t arena = 0;
  int64_t workspace = 0; ///< inputs, results, communication buffers, that of products
  int64_t peak() const { return weights + state + arena + workspace; }
};

/// Everything that a rank allocates, the largest first: parameters and states
/// once for all entries, the arena of the largest entry, inputs and results of
/// each, the workspace of products, and `communicationBytes` of the communicator.
std::vector<MemoryItem> memoryItems(const Manifest &manifest, int64_t communicationBytes);

/// The sums of the items of each kind.
MemoryUse memoryUse(const std::vector<MemoryItem> &items);

/// Communication buffers of a rank that is a thread: two for each group in
/// which it has someone to talk to; none where it has a GPU, the collectives of
/// which need one only for blocks that are no rows of memory, and take it then.
int64_t threadCommunicationBytes(const Manifest &manifest);

/// What algorithms of matrix products on a GPU may use: all of Hopper's have enough.
constexpr int64_t kProductWorkspaceBytes = 32 << 20;

/// That of a rank: one for all products of a program for GPUs, none without any.
int64_t productWorkspaceBytes(const Manifest &manifest);

} // namespace tprt

#endif // TPRT_MEMORY_H
