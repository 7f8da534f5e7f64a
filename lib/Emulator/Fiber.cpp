//===- Fiber.cpp -----------------------------------------------------------===//

#include "Fiber.h"

#include "llvm/Support/Compiler.h"
#include "llvm/Support/ErrorHandling.h"
#include <boost/context/detail/fcontext.hpp>
#include <sys/mman.h>
#include <unistd.h>
#if LLVM_ADDRESS_SANITIZER_BUILD
#include <sanitizer/common_interface_defs.h>
#endif

using namespace mlir::tp::emulator;
namespace fcontext = boost::context::detail;

namespace {

// The address sanitizer must know on which stack the thread is.
void beginSwitch([[maybe_unused]] void **frames, [[maybe_unused]] const void *stack,
                 [[maybe_unused]] size_t bytes) {
#if LLVM_ADDRESS_SANITIZER_BUILD
  __sanitizer_start_switch_fiber(frames, stack, bytes);
#endif
}
void endSwitch([[maybe_unused]] void *frames, [[maybe_unused]] const void **oldStack,
               [[maybe_unused]] size_t *oldBytes) {
#if LLVM_ADDRESS_SANITIZER_BUILD
  __sanitizer_finish_switch_fiber(frames, oldStack, oldBytes);
#endif
}

} // namespace

FiberStacks::~FiberStacks() {
  for (char *stack : stacks)
    munmap(stack, bytes);
}

char *FiberStacks::get(size_t index) {
  while (stacks.size() <= index) {
    void *stack = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED)
      llvm::report_bad_alloc_error("no memory for the stack of a fiber");
    // A fiber that needs more faults, and does not write into its neighbour.
    mprotect(stack, sysconf(_SC_PAGESIZE), PROT_NONE);
    stacks.push_back(static_cast<char *>(stack));
  }
  return stacks[index];
}

struct Fiber::Entry {
  static void run(fcontext::transfer_t transfer) {
    auto *fiber = static_cast<Fiber *>(transfer.data);
    endSwitch(nullptr, &fiber->outsideStack, &fiber->outsideBytes);
    fiber->outside = transfer.fctx;
    fiber->function(fiber->argument);
    fiber->hasEnded = true;
    fiber->suspend();
    llvm_unreachable("fibers that have ended are not resumed");
  }
};

void Fiber::start(char *stack, Function function, void *argument) {
  this->stack = stack;
  this->function = function;
  this->argument = argument;
  hasEnded = false;
  inside = fcontext::make_fcontext(stack + FiberStacks::bytes, FiberStacks::bytes, Entry::run);
}

void Fiber::resume() {
  beginSwitch(&outsideFrames, stack, FiberStacks::bytes);
  inside = fcontext::jump_fcontext(inside, this).fctx;
  endSwitch(outsideFrames, nullptr, nullptr);
}

void Fiber::suspend() {
  beginSwitch(hasEnded ? nullptr : &insideFrames, outsideStack, outsideBytes);
  outside = fcontext::jump_fcontext(outside, nullptr).fctx;
  endSwitch(insideFrames, &outsideStack, &outsideBytes);
}
