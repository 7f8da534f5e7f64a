//===- Communicator.cpp ----------------------------------------------------===//

#include "Communicator.h"

#include "../NarrowFloats.h"
#include <cstring>

using namespace mlir::tp::emulator;
using namespace tprt::cuda;

//===----------------------------------------------------------------------===//
// Group
//===----------------------------------------------------------------------===//

bool Group::meet(int rank, void *mine, llvm::function_ref<void(llvm::ArrayRef<void *>)> combine) {
  if (aborted)
    return false;
  data[rank] = mine;
  const uint64_t meeting = meetings;
  if (++arrived == size()) {
    combine(data);
    arrived = 0;
    ++meetings;
    System::get().wakeAll();
    return true;
  }
  System::get().wait([&] { return meetings != meeting || aborted; });
  return meetings != meeting;
}

void Group::abort() {
  aborted = true;
  System::get().wakeAll();
}

void Group::send(int from, int to, Message message) {
  messages[{from, to}].push_back(std::move(message));
  System::get().wakeAll();
}

std::optional<Group::Message> Group::receive(int from, int to) {
  std::deque<Message> &queue = messages[{from, to}];
  System::get().wait([&] { return !queue.empty() || aborted; });
  if (queue.empty())
    return std::nullopt;
  Message message = std::move(queue.front());
  queue.pop_front();
  return message;
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

/// to[i] = the parts' elements begin + i combined, in the order of ranks.
template <typename T>
void reduce(llvm::ArrayRef<const Collective *> parts, size_t begin, size_t count, char *to) {
  for (size_t i = 0; i < count; ++i) {
    auto total = Element<T>::read(parts[0]->from + (begin + i) * sizeof(T));
    for (const Collective *part : parts.drop_front())
      total =
          combine(total, Element<T>::read(part->from + (begin + i) * sizeof(T)), part->reduction);
    Element<T>::write(to + i * sizeof(T), total);
  }
}

void reduce(llvm::ArrayRef<const Collective *> parts, size_t begin, size_t count, char *to) {
  switch (parts.front()->type) {
  case ncclInt8:
    return reduce<int8_t>(parts, begin, count, to);
  case ncclUint8:
    return reduce<uint8_t>(parts, begin, count, to);
  case ncclInt32:
    return reduce<int32_t>(parts, begin, count, to);
  case ncclUint32:
    return reduce<uint32_t>(parts, begin, count, to);
  case ncclInt64:
    return reduce<int64_t>(parts, begin, count, to);
  case ncclUint64:
    return reduce<uint64_t>(parts, begin, count, to);
  case ncclFloat16:
    return reduce<Float16>(parts, begin, count, to);
  case ncclFloat32:
    return reduce<float>(parts, begin, count, to);
  case ncclFloat64:
    return reduce<double>(parts, begin, count, to);
  case ncclBfloat16:
    return reduce<BFloat16>(parts, begin, count, to);
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

void mlir::tp::emulator::perform(llvm::ArrayRef<const Collective *> parts) {
  const Collective &first = *parts.front();
  const size_t bytes = elementBytes(first.type);
  // Results may lie where operands do, so that all are made before any is stored.
  std::vector<std::string> results;
  for (size_t rank = 0; rank < parts.size(); ++rank) {
    std::string result;
    if (first.kind == CollectiveKind::AllGather) {
      for (const Collective *part : parts)
        result.append(part->from, first.count * bytes);
    } else {
      size_t begin = first.kind == CollectiveKind::ReduceScatter ? rank * first.count : 0;
      result.resize(first.count * bytes);
      reduce(parts, begin, first.count, result.data());
    }
    results.push_back(std::move(result));
  }
  for (size_t rank = 0; rank < parts.size(); ++rank)
    std::memcpy(parts[rank]->to, results[rank].data(), results[rank].size());
}
