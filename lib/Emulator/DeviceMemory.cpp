//===- DeviceMemory.cpp ----------------------------------------------------===//

#include "tp/Emulator/DeviceMemory.h"

#include "llvm/ADT/STLExtras.h"
#include <cstdlib>

using namespace llvm;
using namespace mlir::tp::emulator;

namespace {

using Regions = std::map<uintptr_t, std::unique_ptr<MemoryRegion>>;

// No two allocations are nearer than this to each other.
constexpr size_t gap = 4096;

uintptr_t toInteger(const void *address) { return reinterpret_cast<uintptr_t>(address); }

std::string sizeText(size_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

const char *verbOf(AccessKind kind) { return kind == AccessKind::Read ? " reads " : " writes "; }

/// The last region that begins at or before the address; null where none does.
MemoryRegion *lastBefore(const Regions &regions, uintptr_t address) {
  auto next = regions.upper_bound(address);
  return next == regions.begin() ? nullptr : std::prev(next)->second.get();
}

/// Bits of the bytes of [begin, end) that word `word` holds.
uint64_t bitsOf(size_t word, size_t begin, size_t end) {
  uint64_t bits = ~uint64_t(0);
  if (word == begin / 64)
    bits &= ~uint64_t(0) << begin % 64;
  if (word == end / 64)
    bits &= ~(~uint64_t(0) << end % 64);
  return bits;
}

} // namespace

//===----------------------------------------------------------------------===//
// WrittenBytes
//===----------------------------------------------------------------------===//

void WrittenBytes::set(size_t begin, size_t end) {
  for (size_t word = begin / 64; word * 64 < end; ++word)
    words[word] |= bitsOf(word, begin, end);
}

size_t WrittenBytes::firstUnwritten(size_t begin, size_t end) const {
  for (size_t word = begin / 64; word * 64 < end; ++word)
    if (uint64_t missing = ~words[word] & bitsOf(word, begin, end))
      return word * 64 + __builtin_ctzll(missing);
  return end;
}

//===----------------------------------------------------------------------===//
// DeviceMemory
//===----------------------------------------------------------------------===//

DeviceMemory::~DeviceMemory() {
  for (auto &entry : allocations)
    std::free(entry.second->base - gap);
}

void *DeviceMemory::allocate(size_t bytes) {
  size_t rounded = (bytes + gap - 1) / gap * gap;
  auto *raw = static_cast<char *>(std::aligned_alloc(gap, rounded + 2 * gap));
  if (!raw)
    return nullptr;
  char *base = raw + gap;
  // Freed allocations that lay here are forgotten.
  auto last = freed.lower_bound(toInteger(base) + rounded + gap);
  auto first = last;
  while (first != freed.begin() &&
         std::prev(first)->first + std::prev(first)->second >= toInteger(raw))
    --first;
  freed.erase(first, last);
  allocations[toInteger(base)] =
      std::make_unique<MemoryRegion>("the allocation of " + sizeText(bytes), base, bytes);
  return base;
}

Error DeviceMemory::begin(void *address, const Operation &operation) {
  MemoryRegion &region = *allocations.at(toInteger(address));
  return note(region, 0, region.bytes, AccessKind::Write, operation);
}

Error DeviceMemory::free(void *address, const Operation &operation) {
  auto it = allocations.find(toInteger(address));
  if (it == allocations.end())
    return createStringError("what is freed is not the start of an allocation, but " +
                             describe(toInteger(address)));
  if (Error error = note(*it->second, 0, it->second->bytes, AccessKind::Write, operation))
    return error;
  llvm::erase(used, it->second.get());
  freed[it->first] = it->second->bytes;
  std::free(it->second->base - gap);
  allocations.erase(it);
  return Error::success();
}

void DeviceMemory::addVariable(const std::string &name, char *base, size_t bytes) {
  auto region = std::make_unique<MemoryRegion>("variable '" + name + "'", base, bytes);
  region->written.set(0, bytes);
  variables[toInteger(base)] = std::move(region);
}

void DeviceMemory::removeVariable(const char *base) {
  forgetAccesses();
  variables.erase(toInteger(base));
}

MemoryRegion *DeviceMemory::find(uintptr_t address) {
  for (const Regions *regions : {&allocations, &variables})
    if (MemoryRegion *region = lastBefore(*regions, address); region && region->contains(address))
      return region;
  return nullptr;
}

std::string DeviceMemory::describe(uintptr_t address) const {
  for (const Regions *regions : {&allocations, &variables}) {
    if (MemoryRegion *before = lastBefore(*regions, address)) {
      if (before->contains(address))
        return sizeText(address - before->begin()) + " into " + before->name;
      if (address - before->end() < gap)
        return address == before->end()
                   ? "just behind " + before->name
                   : sizeText(address - before->end()) + " behind " + before->name;
    }
    auto next = regions->upper_bound(address);
    if (next != regions->end() && next->first - address <= gap)
      return sizeText(next->first - address) + " before " + next->second->name;
  }
  auto next = freed.upper_bound(address);
  if (next != freed.begin() && address - std::prev(next)->first < std::prev(next)->second)
    return "in an allocation of " + sizeText(std::prev(next)->second) + " that was freed";
  return "in no memory of the device";
}

Expected<MemoryRegion *> DeviceMemory::findRange(const void *address, size_t bytes, AccessKind kind,
                                                 const Operation &operation) {
  MemoryRegion *region = find(toInteger(address));
  auto what = [&] { return operation.name + verbOf(kind) + sizeText(bytes); };
  if (bytes != 0 && !region)
    return createStringError(what() + " at an address " + describe(toInteger(address)));
  if (bytes != 0 && bytes > region->end() - toInteger(address))
    return createStringError(what() + ", the last " + describe(toInteger(address) + bytes - 1));
  return region;
}

Error DeviceMemory::note(MemoryRegion &region, size_t begin, size_t end, AccessKind kind,
                         const Operation &operation) {
  if (region.history.isEmpty())
    noteUse(region);
  Access access;
  access.operation = &operation;
  access.kind = kind;
  std::optional<Access> other = region.history.note(begin, end, access);
  if (!other)
    return Error::success();
  return createStringError(operation.name + verbOf(kind) + sizeText(end - begin) + " of " +
                           region.name + " that " + other->operation->name + verbOf(other->kind) +
                           "with nothing that orders the two");
}

Error DeviceMemory::read(const void *address, size_t bytes, const Operation &operation) {
  Expected<MemoryRegion *> region = findRange(address, bytes, AccessKind::Read, operation);
  if (!region || bytes == 0)
    return region.takeError();
  size_t begin = toInteger(address) - (*region)->begin();
  size_t unwritten = (*region)->written.firstUnwritten(begin, begin + bytes);
  if (unwritten != begin + bytes)
    return createStringError(operation.name + " reads byte " + std::to_string(unwritten) + " of " +
                             (*region)->name + ", which was never written");
  return note(**region, begin, begin + bytes, AccessKind::Read, operation);
}

Error DeviceMemory::write(void *address, size_t bytes, const Operation &operation) {
  Expected<MemoryRegion *> region = findRange(address, bytes, AccessKind::Write, operation);
  if (!region || bytes == 0)
    return region.takeError();
  size_t begin = toInteger(address) - (*region)->begin();
  (*region)->written.set(begin, begin + bytes);
  return note(**region, begin, begin + bytes, AccessKind::Write, operation);
}

void DeviceMemory::forgetAccesses() {
  for (MemoryRegion *region : used)
    region->history.clear();
  used.clear();
}
