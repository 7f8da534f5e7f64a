//===- Buffer.cpp - a rank's memory ---------------------------------------===//

#include "Buffer.h"

#include "tprt/error.h"

#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

using namespace tprt;

namespace {
constexpr int64_t kHugePage = 2 << 20;
} // namespace

Buffer::Buffer(int64_t bytes, const std::string &what) : size(bytes) {
  // The system may promise more than it has, and end the process that uses it.
  static const int64_t machine = int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGE_SIZE);
  if (bytes > machine)
    throw runFailure("cannot allocate " + std::to_string(bytes) + " bytes for " + what +
                     ", this machine has " + std::to_string(machine));
  if (bytes >= kLarge) {
    // Room to start at a huge page.
    mapped = bytes + kHugePage;
    void *base = mmap(nullptr, size_t(mapped), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base != MAP_FAILED) {
      uintptr_t begin = reinterpret_cast<uintptr_t>(base);
      uintptr_t aligned = (begin + kHugePage - 1) / kHugePage * kHugePage;
      if (aligned > begin)
        munmap(base, aligned - begin);
      mapped -= int64_t(aligned - begin);
      memory = reinterpret_cast<void *>(aligned);
      madvise(memory, size_t(mapped), MADV_HUGEPAGE); // advice: may fail
    }
  } else {
    // Buffers of no bytes have an address too.
    int64_t rounded = (bytes + kAlignment) / kAlignment * kAlignment;
    memory = std::aligned_alloc(kAlignment, size_t(rounded));
    if (memory)
      std::memset(memory, 0, size_t(rounded));
  }
  if (!memory)
    throw runFailure("cannot allocate " + std::to_string(bytes) + " bytes for " + what);
}

Buffer::Buffer(void *memory, int64_t bytes, std::function<void(void *)> release)
    : memory(memory), size(bytes), release(std::move(release)) {}

Buffer::Buffer(const Buffer &whole, int64_t offset, int64_t bytes)
    : memory(static_cast<char *>(whole.memory) + offset), size(bytes), isPart(true) {}

Buffer::~Buffer() {
  if (isPart)
    return;
  if (release)
    release(memory);
  else if (mapped)
    munmap(memory, size_t(mapped));
  else
    std::free(memory);
}

Buffer::Buffer(Buffer &&other) noexcept
    : memory(std::exchange(other.memory, nullptr)), size(std::exchange(other.size, 0)),
      mapped(std::exchange(other.mapped, 0)), isPart(std::exchange(other.isPart, false)),
      release(std::exchange(other.release, nullptr)) {}

Buffer &Buffer::operator=(Buffer &&other) noexcept {
  std::swap(memory, other.memory);
  std::swap(size, other.size);
  std::swap(mapped, other.mapped);
  std::swap(isPart, other.isPart);
  std::swap(release, other.release);
  return *this;
}
