//===- Block.cpp -----------------------------------------------------------===//

#include "Block.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>
#include <utility>

using namespace llvm;
using namespace mlir::tp::emulator;

namespace {

// Around shared memory, in bytes; it is aligned to them.
constexpr size_t sharedMargin = 1024;

thread_local Block *currentBlock = nullptr;

uint32_t linear(const Dim3 &index, const Dim3 &size) {
  return (index.z * size.y + index.y) * size.x + index.x;
}

Dim3 unravel(uint32_t number, const Dim3 &size) {
  return {number % size.x, number / size.x % size.y, number / size.x / size.y};
}

std::string describe(const Meeting &meeting) {
  return (Twine(meeting.name) + " with mask 0x" + Twine::utohexstr(meeting.mask)).str();
}

std::string verbOf(AccessKind kind) {
  return kind == AccessKind::Read ? "reads " : kind == AccessKind::Write ? "writes " : "updates ";
}

std::string tuple(const Dim3 &index) {
  return ("(" + Twine(index.x) + ", " + Twine(index.y) + ", " + Twine(index.z) + ")").str();
}

} // namespace

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Block::Block(const LaunchContext &launch, FiberStacks &stacks, Dim3 index)
    : context(launch), stacks(stacks), blockIndex(index),
      blockNumber(linear(index, launch.config.grid)), threads(launch.config.block.count()),
      sharedStorage(new char[launch.sharedBytes + 2 * sharedMargin]) {
  uintptr_t base =
      llvm::alignTo(reinterpret_cast<uintptr_t>(sharedStorage.get()) + 1, sharedMargin);
  shared = std::make_unique<MemoryRegion>("shared memory", reinterpret_cast<char *>(base),
                                          launch.sharedBytes);
}

Block &Block::current() { return *currentBlock; }

Dim3 Block::threadIndex() const { return unravel(running, context.config.block); }

Error Block::run() {
  currentBlock = this;
  if (context.kernel.meets)
    runOnFibers();
  else
    runOnOneFiber();
  currentBlock = nullptr;
  if (failure.empty())
    return Error::success();
  return createStringError(failure);
}

void Block::runThread() {
  context.kernel.run(context.params);
  const Thread &thread = threads[running];
  if (thread.copies.empty() && thread.groups.empty())
    return;
  commitCopies();
  finishCopies(0);
}

void Block::runOnOneFiber() {
  fiber = &threads.front().fiber;
  fiber->start(
      stacks.get(0),
      [](void *argument) {
        auto &block = *static_cast<Block *>(argument);
        for (block.running = 0; block.running < block.threads.size(); ++block.running)
          block.runThread();
      },
      this);
  fiber->resume();
}

void Block::runOnFibers() {
  for (unsigned thread = 0; thread < threads.size(); ++thread)
    threads[thread].fiber.start(
        stacks.get(thread),
        [](void *argument) {
          auto &block = *static_cast<Block *>(argument);
          block.runThread();
          block.threads[block.running].state = State::Ended;
        },
        this);
  auto ended = [](const Thread &thread) { return thread.state == State::Ended; };
  while (!all_of(threads, ended)) {
    bool moved = false;
    for (unsigned first = 0; first < threads.size(); first += warpSize) {
      unsigned end = std::min<unsigned>(first + warpSize, threads.size());
      for (unsigned thread = first; thread < end; ++thread) {
        if (threads[thread].state != State::Ready)
          continue;
        running = thread;
        fiber = &threads[thread].fiber;
        fiber->resume();
        if (!failure.empty())
          return;
        moved = true;
      }
      moved |= finishMeetings(first);
    }
    if (!moved && !finishBarrier())
      return explainWait();
  }
}

//===----------------------------------------------------------------------===//
// Meeting in a warp
//===----------------------------------------------------------------------===//

void Block::meet(Meeting &meeting) {
  if (!(meeting.mask >> lane() & 1)) {
    std::string message = "calls " + describe(meeting) + ", which leaves it out";
    fault(std::move(message), meeting.site);
  }
  threads[running].meeting = &meeting;
  threads[running].state = State::AtMeeting;
  fiber->suspend();
}

bool Block::isAt(unsigned thread, const Meeting &meeting) const {
  const Thread &other = threads[thread];
  return other.state == State::AtMeeting && other.meeting->combine == meeting.combine &&
         other.meeting->mask == meeting.mask && other.meeting->qualifier == meeting.qualifier;
}

bool Block::finishMeetings(unsigned first) {
  unsigned size = std::min<size_t>(warpSize, threads.size() - first);
  // Lanes that the block does not have take part in no operation.
  uint32_t lanes = size == warpSize ? ~0u : (1u << size) - 1;
  bool finished = false;
  for (unsigned i = 0; i < size; ++i) {
    if (threads[first + i].state != State::AtMeeting)
      continue;
    const Meeting meeting = *threads[first + i].meeting;
    uint32_t mask = meeting.mask & lanes;
    void *data[warpSize] = {};
    bool complete = true;
    for (unsigned other = 0; other < size && complete; ++other)
      if (mask >> other & 1) {
        complete = isAt(first + other, meeting);
        data[other] = complete ? threads[first + other].meeting->data : nullptr;
      }
    if (!complete)
      continue;
    meeting.combine(data, mask, meeting.qualifier);
    for (unsigned other = 0; other < size; ++other)
      if (mask >> other & 1) {
        threads[first + other].state = State::Ready;
        if (meeting.ordersMemory && mask == lanes)
          ++threads[first + other].warpBarriers;
      }
    finished = true;
  }
  return finished;
}

void Block::explainMeeting(unsigned waiting) {
  const Meeting &meeting = *threads[waiting].meeting;
  unsigned first = waiting / warpSize * warpSize;
  for (unsigned i = 0; i < warpSize && first + i < threads.size(); ++i)
    if (meeting.mask >> i & 1 && !isAt(first + i, meeting))
      return record(nameOf(waiting) + " waits in " + describe(meeting) + " for " +
                        nameOf(first + i) + ", which " + waitText(first + i),
                    meeting.site);
}

//===----------------------------------------------------------------------===//
// Barriers of the block
//===----------------------------------------------------------------------===//

uint32_t Block::waitForBlock(uint32_t barrier, uint32_t value, bool aligned, uint32_t site) {
  Thread &thread = threads[running];
  thread.barrier = barrier;
  thread.barrierValue = value;
  thread.barrierSite = site;
  thread.aligned = aligned;
  thread.state = State::AtBarrier;
  fiber->suspend();
  return thread.barrierValue;
}

bool Block::finishBarrier() {
  const Thread &first = threads.front();
  for (const auto &[number, thread] : enumerate(threads)) {
    bool sameWarp = thread.aligned || first.aligned;
    const Thread &leader = threads[number / warpSize * warpSize];
    if (thread.state != State::AtBarrier || thread.barrier != first.barrier ||
        (sameWarp && thread.barrierSite != leader.barrierSite))
      return false;
  }
  uint32_t count = count_if(threads, [](const Thread &t) { return t.barrierValue != 0; });
  for (Thread &thread : threads) {
    thread.barrierValue = count;
    ++thread.blockBarriers;
    thread.state = State::Ready;
  }
  return true;
}

void Block::explainWait() {
  // Who waits for a part of the threads says more than who waits for all.
  for (unsigned number = 0; number < threads.size(); ++number)
    if (threads[number].state == State::AtMeeting)
      return explainMeeting(number);
  auto waiting = find_if(threads, [](const Thread &t) { return t.state == State::AtBarrier; });
  for (unsigned number = 0; number < threads.size(); ++number) {
    const Thread &thread = threads[number];
    if (thread.state == State::AtBarrier && thread.barrier == waiting->barrier &&
        thread.barrierSite == waiting->barrierSite)
      continue;
    return record(nameOf(waiting - threads.begin()) + " waits at barrier " +
                      std::to_string(waiting->barrier) + " of the block for " + nameOf(number) +
                      ", which " + waitText(number),
                  waiting->barrierSite);
  }
}

std::string Block::waitText(unsigned number) const {
  const Thread &thread = threads[number];
  switch (thread.state) {
  case State::Ended:
    return "has ended";
  case State::AtMeeting:
    return "waits in " + describe(*thread.meeting) + " at " + siteText(thread.meeting->site);
  case State::AtBarrier:
    return "waits at barrier " + std::to_string(thread.barrier) + " of the block at " +
           siteText(thread.barrierSite);
  case State::Ready:
    return "runs";
  }
  llvm_unreachable("a state has a text");
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void Block::access(uintptr_t address, size_t bytes, AccessKind kind, uint32_t site) {
  if (bytes == 0)
    return;
  if (fiber->isOnStack(address))
    return;
  if (address - (shared->begin() - sharedMargin) < shared->bytes + 2 * sharedMargin) {
    size_t begin = address - shared->begin();
    if (!findShared(begin, begin + bytes)) {
      std::string message =
          verbOf(kind) + std::to_string(bytes) + " bytes of shared memory " + placeInShared(begin);
      fault(std::move(message), site);
    }
    return touch(*shared, address, bytes, kind, site);
  }
  MemoryRegion *region = findGlobal(address);
  if (!region) {
    std::string message = verbOf(kind) + std::to_string(bytes) + " bytes at an address that is " +
                          context.memory.describe(address);
    fault(std::move(message), site);
  }
  if (region->history.isEmpty())
    context.memory.noteUse(*region);
  touch(*region, address, bytes, kind, site);
}

MemoryRegion *Block::findGlobal(uintptr_t address) {
  auto *found =
      find_if(recent, [&](MemoryRegion *region) { return region && region->contains(address); });
  if (found == recent.end()) {
    found = std::prev(recent.end());
    *found = context.memory.find(address);
  }
  std::rotate(recent.begin(), found, std::next(found));
  return recent.front();
}

size_t Block::endOf(const SharedVariable &variable) const {
  return variable.bytes ? variable.offset + variable.bytes : shared->bytes;
}

const SharedVariable *Block::findShared(size_t begin, size_t end) const {
  for (const SharedVariable &variable : context.shared)
    if (begin >= variable.offset && begin < endOf(variable) && end <= endOf(variable))
      return &variable;
  return nullptr;
}

std::string Block::placeInShared(size_t begin) const {
  const SharedVariable *last = nullptr;
  for (const SharedVariable &variable : context.shared)
    if (variable.offset <= begin && begin < shared->bytes + sharedMargin)
      last = &variable;
  if (!last)
    return "before its first variable";
  if (begin < endOf(*last))
    return "over the end of variable '" + last->name + "'";
  return std::to_string(begin - endOf(*last)) + " bytes behind the end of variable '" + last->name +
         "'";
}

std::string Block::byteText(const MemoryRegion &region, size_t offset) const {
  if (&region != shared.get())
    return "byte " + std::to_string(offset) + " of " + region.name;
  const SharedVariable *variable = findShared(offset, offset + 1);
  return "byte " + std::to_string(offset - variable->offset) + " of shared variable '" +
         variable->name + "'";
}

void Block::touch(MemoryRegion &region, uintptr_t address, size_t bytes, AccessKind kind,
                  uint32_t site) {
  size_t begin = address - region.begin();
  size_t end = begin + bytes;
  std::string message = findProblem(region, begin, end, kind, site);
  if (!message.empty())
    fault(std::move(message), site);
  region.written.set(begin, end);
}

std::string Block::findProblem(MemoryRegion &region, size_t begin, size_t end, AccessKind kind,
                               uint32_t site) {
  size_t bytes = end - begin;
  auto what = [&] { return verbOf(kind) + std::to_string(bytes) + " bytes"; };
  if ((region.begin() + begin) % std::min<size_t>(bytes & -bytes, 16) != 0)
    return what() + " at an address that is not aligned to them: " + byteText(region, begin);
  if (end > region.bytes)
    return what() + " from " + byteText(region, begin) + " on, over its end";
  if (kind != AccessKind::Write) {
    size_t unwritten = region.written.firstUnwritten(begin, end);
    if (unwritten != end)
      return "reads " + byteText(region, unwritten) + ", which was never written";
  }
  const Thread &thread = threads[running];
  Access now = {
      &context.operation,  blockNumber, static_cast<uint16_t>(running), kind, thread.blockBarriers,
      thread.warpBarriers, site};
  std::optional<Access> other = region.history.note(begin, end, now);
  if (!other)
    return "";
  return what() + " from " + byteText(region, begin) + " on, which " + nameOf(*other) +
         verbOf(other->kind) + placeOf(*other) + "with nothing that orders the two";
}

void Block::copyLater(void *to, const void *from, size_t bytes, size_t zeros, uint32_t site) {
  threads[running].copies.push_back({to, from, bytes, zeros, site});
}

void Block::commitCopies() {
  Thread &thread = threads[running];
  thread.groups.push_back(std::move(thread.copies));
  thread.copies.clear();
}

void Block::finishCopies(size_t pending) {
  std::vector<std::vector<Copy>> &groups = threads[running].groups;
  if (groups.size() <= pending)
    return;
  auto end = groups.end() - pending;
  for (const std::vector<Copy> &group : make_range(groups.begin(), end))
    for (const Copy &copy : group)
      this->copy(copy);
  groups.erase(groups.begin(), end);
}

void Block::copy(const Copy &copy) {
  access(reinterpret_cast<uintptr_t>(copy.from), copy.bytes, AccessKind::Read, copy.site);
  access(reinterpret_cast<uintptr_t>(copy.to), copy.bytes + copy.zeros, AccessKind::Write,
         copy.site);
  std::memcpy(copy.to, copy.from, copy.bytes);
  std::memset(static_cast<char *>(copy.to) + copy.bytes, 0, copy.zeros);
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

std::string Block::nameOf(unsigned thread) const {
  return "thread " + tuple(unravel(thread, context.config.block)) + " of block " +
         tuple(blockIndex);
}

std::string Block::nameOf(const Access &access) const {
  if (access.operation != &context.operation)
    return access.operation->name + " ";
  if (access.block == Access::anyBlock)
    return "threads of several blocks ";
  std::string block = " of block " + tuple(unravel(access.block, context.config.grid)) + " ";
  if (access.thread == Access::anyThread)
    return "more than one thread" + block;
  return "thread " + tuple(unravel(access.thread, context.config.block)) + block;
}

std::string Block::placeOf(const Access &access) const {
  // Sites are of this module.
  return access.operation == &context.operation ? "at " + siteText(access.site) + " " : "";
}

void Block::record(const std::string &message, uint32_t site) {
  if (failure.empty())
    failure = siteText(site) + ": in kernel '" + context.kernel.name + "': " + message;
}

void Block::fault(std::string &&message, uint32_t site) {
  record(nameOf(running) + " " + std::exchange(message, ""), site);
  fiber->suspend();
  llvm_unreachable("a block that failed is not resumed");
}
