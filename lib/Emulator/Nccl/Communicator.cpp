//===- Communicator.cpp ----------------------------------------------------===//

#include "Communicator.h"

#include "../NarrowFloats.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <cstring>
#include <poll.h>
#include <thread>
#include <unistd.h>

using namespace mlir::tp::emulator;
using namespace tprt::cuda;

//===----------------------------------------------------------------------===//
// Group
//===----------------------------------------------------------------------===//

namespace {

/// Stands before what a rank brings: where the operation is, for who shares the memory.
struct Origin {
  pid_t process;
  const Operation *operation;
};

Group::Part partOf(llvm::StringRef bytes) {
  Origin origin;
  std::memcpy(&origin, bytes.data(), sizeof(origin));
  return {bytes.drop_front(sizeof(origin)).str(),
          origin.process == getpid() ? origin.operation : nullptr};
}

} // namespace

llvm::Expected<std::shared_ptr<Group>> Group::join(const std::string &name, int size, int rank) {
  System &system = System::get();
  std::optional<llvm::Expected<Connections>> connections;
  system.whileUnlocked([&] { connections.emplace(meet(name, size, rank, system.patience)); });
  if (!*connections)
    return connections->takeError();
  const std::vector<std::shared_ptr<Socket>> sockets = (*connections)->peers;
  std::shared_ptr<Group> group(new Group(name, std::move(**connections), rank));
  std::thread(readFrames, std::weak_ptr<Group>(group), sockets).detach();
  if (!group->exchange("", nullptr))
    return llvm::createStringError(group->problemText);
  return group;
}

Group::Group(std::string name, Connections connections, int rank)
    : name(std::move(name)), listener(std::move(connections.listener)), number(rank),
      peers(connections.peers.size()) {
  for (auto [peer, socket] : llvm::zip(peers, connections.peers))
    peer.socket = std::move(socket);
}

Group::~Group() {
  for (Peer &peer : peers)
    if (peer.socket)
      peer.socket->shutDown();
}

void Group::readFrames(std::weak_ptr<Group> group, std::vector<std::shared_ptr<Socket>> sockets) {
  for (;;) {
    std::vector<pollfd> waits;
    for (const std::shared_ptr<Socket> &socket : sockets)
      waits.push_back({socket ? socket->number : -1, POLLIN, 0});
    if (llvm::none_of(sockets, [](const auto &socket) { return socket != nullptr; }))
      return;
    poll(waits.data(), waits.size(), -1);
    for (auto [rank, wait] : llvm::enumerate(waits)) {
      if (!wait.revents)
        continue;
      Frame frame;
      const bool isOpen = sockets[rank]->read(frame);
      if (!isOpen)
        sockets[rank] = nullptr;
      auto lock = System::get().lock();
      if (std::shared_ptr<Group> alive = group.lock())
        alive->take(rank, isOpen ? &frame : nullptr);
      System::get().wakeAll();
    }
  }
}

void Group::take(int from, const Frame *frame) {
  if (!frame) {
    peers[from].isGone = true;
    return;
  }
  switch (frame->kind) {
  case FrameKind::Exchange:
    peers[from].parts.push_back(partOf(frame->bytes));
    return;
  case FrameKind::Message:
    peers[from].messages.push_back(partOf(frame->bytes));
    return;
  case FrameKind::Leave:
    peers[from].hasLeft = true;
    return;
  case FrameKind::Hello:
    return;
  }
}

bool Group::waitFor(llvm::ArrayRef<int> ranks, std::deque<Part> Peer::*queue) {
  System &system = System::get();
  auto isMissing = [&](int rank) { return (peers[rank].*queue).empty(); };
  auto cannotCome = [&](int rank) {
    return isMissing(rank) && (peers[rank].hasLeft || peers[rank].isGone);
  };
  system.waitFor([&] {
    return isAborted || llvm::none_of(ranks, isMissing) || llvm::any_of(ranks, cannotCome);
  });
  if (llvm::none_of(ranks, isMissing))
    return true;
  if (isAborted)
    return false;
  if (system.failed()) {
    problemText = system.faultText();
    return false;
  }
  // What comes later would be taken for the answer to something else.
  isAborted = true;
  auto first = llvm::find_if(ranks, cannotCome);
  if (first == ranks.end())
    first = llvm::find_if(ranks, isMissing);
  const Peer &peer = peers[*first];
  lost = peer.isGone && !peer.hasLeft;
  problemText =
      "rank " + std::to_string(*first) +
      (lost           ? " was lost"
       : peer.hasLeft ? " has left"
                      : " has not come within " + std::to_string(system.patience.count()) + " s");
  return false;
}

void Group::write(FrameKind kind, llvm::ArrayRef<std::shared_ptr<Socket>> to,
                  const std::string &bytes, const Operation *operation) {
  const Origin origin = {getpid(), operation};
  const std::string all =
      std::string(reinterpret_cast<const char *>(&origin), sizeof(origin)) + bytes;
  // Others read when they have their lock, for which they may wait for our reading.
  System::get().whileUnlocked([&] {
    for (const std::shared_ptr<Socket> &socket : to)
      socket->write(kind, number, all);
  });
}

std::optional<std::vector<Group::Part>> Group::exchange(const std::string &bytes,
                                                        const Operation *operation) {
  peers[number].parts.push_back({bytes, operation});
  std::vector<std::shared_ptr<Socket>> others;
  for (const Peer &peer : peers)
    if (peer.socket)
      others.push_back(peer.socket);
  write(FrameKind::Exchange, others, bytes, operation);
  if (!waitFor(llvm::to_vector(llvm::seq(size())), &Peer::parts))
    return std::nullopt;
  std::vector<Part> result;
  for (Peer &peer : peers) {
    result.push_back(std::move(peer.parts.front()));
    peer.parts.pop_front();
  }
  return result;
}

void Group::send(int to, const std::string &bytes, const Operation *operation) {
  if (to == number)
    peers[to].messages.push_back({bytes, operation});
  else
    write(FrameKind::Message, {peers[to].socket}, bytes, operation);
}

std::optional<Group::Part> Group::receive(int from) {
  if (!waitFor({from}, &Peer::messages))
    return std::nullopt;
  Part part = std::move(peers[from].messages.front());
  peers[from].messages.pop_front();
  return part;
}

int64_t Group::placeOf(const char *address, size_t bytes) const {
  int64_t before = 0;
  for (const MemoryWindow &window : windows) {
    if (window.base && address >= window.base && address + bytes <= window.base + window.bytes)
      return before + (address - window.base);
    before += window.bytes;
  }
  return -1;
}

void Group::leave() {
  left = true;
  for (Peer &peer : peers)
    if (peer.socket)
      write(FrameKind::Leave, {peer.socket}, "", nullptr);
}

void Group::abort() {
  if (!lost)
    problemText = "the communicator was aborted";
  left = isAborted = true;
  for (Peer &peer : peers)
    if (peer.socket)
      peer.socket->shutDown();
  System::get().wakeAll();
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

namespace {

const char *nameOf(CollectiveKind kind) {
  switch (kind) {
  case CollectiveKind::AllReduce:
    return "ncclAllReduce";
  case CollectiveKind::ReduceScatter:
    return "ncclReduceScatter";
  case CollectiveKind::AllGather:
    return "ncclAllGather";
  }
  llvm_unreachable("a kind has a name");
}

const char *nameOf(NcclType type) {
  static const char *const names[] = {"i8",  "u8",  "i32", "u32", "i64",
                                      "u64", "f16", "f32", "f64", "bf16"};
  return names[type];
}

/// What is combined of elements of a type, and how they are read and written.
template <typename T> struct Element {
  using Value = T;
  static T read(const char *from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return value;
  }
  static void write(char *to, T value) { std::memcpy(to, &value, sizeof(T)); }
};

// Summed in f32, rounded once.
template <float (*widen)(uint16_t), uint16_t (*round)(float)> struct Narrow {
  uint16_t bits;
};
template <float (*widen)(uint16_t), uint16_t (*round)(float)> struct Element<Narrow<widen, round>> {
  using Value = float;
  static float read(const char *from) { return widen(Element<uint16_t>::read(from)); }
  static void write(char *to, float value) { Element<uint16_t>::write(to, round(value)); }
};
using Float16 = Narrow<fromF16, roundToF16>;
using BFloat16 = Narrow<fromBF16, roundToBF16>;

template <typename Value> Value combine(Value a, Value b, NcclReduction reduction) {
  switch (reduction) {
  case ncclSum:
    return a + b;
  case ncclProd:
    return a * b;
  case ncclMax:
    return a > b ? a : b;
  case ncclMin:
    return a < b ? a : b;
  }
  llvm_unreachable("a reduction that the call has refused");
}

/// to[i] = the operands' elements begin + i combined, in the order of ranks.
template <typename T>
void reduce(llvm::ArrayRef<llvm::StringRef> operands, NcclReduction reduction, size_t begin,
            size_t count, char *to) {
  for (size_t i = 0; i < count; ++i) {
    auto total = Element<T>::read(operands[0].data() + (begin + i) * sizeof(T));
    for (llvm::StringRef operand : operands.drop_front())
      total = combine(total, Element<T>::read(operand.data() + (begin + i) * sizeof(T)), reduction);
    Element<T>::write(to + i * sizeof(T), total);
  }
}

void reduce(const Collective &collective, llvm::ArrayRef<llvm::StringRef> operands, size_t begin,
            char *to) {
  const size_t count = collective.count;
  const NcclReduction reduction = collective.reduction;
  switch (collective.type) {
  case ncclInt8:
    return reduce<int8_t>(operands, reduction, begin, count, to);
  case ncclUint8:
    return reduce<uint8_t>(operands, reduction, begin, count, to);
  case ncclInt32:
    return reduce<int32_t>(operands, reduction, begin, count, to);
  case ncclUint32:
    return reduce<uint32_t>(operands, reduction, begin, count, to);
  case ncclInt64:
    return reduce<int64_t>(operands, reduction, begin, count, to);
  case ncclUint64:
    return reduce<uint64_t>(operands, reduction, begin, count, to);
  case ncclFloat16:
    return reduce<Float16>(operands, reduction, begin, count, to);
  case ncclFloat32:
    return reduce<float>(operands, reduction, begin, count, to);
  case ncclFloat64:
    return reduce<double>(operands, reduction, begin, count, to);
  case ncclBfloat16:
    return reduce<BFloat16>(operands, reduction, begin, count, to);
  }
}

} // namespace

std::string Collective::describe() const {
  return std::string(nameOf(kind)) + " of " + std::to_string(count) + " " + nameOf(type);
}

size_t mlir::tp::emulator::elementBytes(NcclType type) {
  static const size_t bytes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};
  return type >= ncclInt8 && type <= ncclBfloat16 ? bytes[type] : 0;
}

std::string mlir::tp::emulator::perform(const Collective &collective,
                                        llvm::ArrayRef<llvm::StringRef> operands, int rank) {
  std::string result;
  if (collective.kind == CollectiveKind::AllGather) {
    for (llvm::StringRef operand : operands)
      result += operand;
    return result;
  }
  result.resize(collective.count * elementBytes(collective.type));
  const bool isScattered = collective.kind == CollectiveKind::ReduceScatter;
  reduce(collective, operands, isScattered ? rank * collective.count : 0, result.data());
  return result;
}
