//===- ThreadIntrinsics.cpp - Registers, barriers, copies ------------------===//

#include "Block.h"
#include "Intrinsics.h"

using namespace mlir::tp::emulator;

namespace {

Block &block() { return Block::current(); }

template <uint32_t Dim3::*Member> uint32_t tid() { return block().threadIndex().*Member; }
template <uint32_t Dim3::*Member> uint32_t ctaid() { return block().index().*Member; }
template <uint32_t Dim3::*Member> uint32_t ntid() { return block().launch().config.block.*Member; }
template <uint32_t Dim3::*Member> uint32_t nctaid() { return block().launch().config.grid.*Member; }

uint32_t laneid() { return block().lane(); }
uint32_t warpid() { return block().threadNumber() / warpSize; }
uint32_t warpsize() { return warpSize; }
uint32_t lanemaskLt() { return (1u << block().lane()) - 1; }
uint32_t lanemaskEq() { return 1u << block().lane(); }
uint32_t dynamicSharedBytes() { return block().launch().config.sharedBytes; }

template <bool Aligned> void sync(uint32_t site, uint32_t barrier) {
  block().waitForBlock(barrier, 0, Aligned, site);
}
uint32_t syncPopc(uint32_t site, uint32_t barrier, uint32_t value) {
  return block().waitForBlock(barrier, value, true, site);
}
uint32_t syncOr(uint32_t site, uint32_t barrier, uint32_t value) {
  return block().waitForBlock(barrier, value, true, site) != 0;
}
uint32_t syncAnd(uint32_t site, uint32_t barrier, uint32_t value) {
  return block().waitForBlock(barrier, value, true, site) == block().launch().config.block.count();
}
// Accesses of one thread of the host are in order.
void fence() {}

template <unsigned Bytes> void copy(uint32_t site, void *to, const void *from) {
  block().copyLater(to, from, Bytes, 0, site);
}
/// Copies the first `bytes`; the rest becomes 0.
template <unsigned Bytes> void copyPart(uint32_t site, void *to, const void *from, uint32_t bytes) {
  if (bytes > Bytes) {
    std::string message =
        "copies " + std::to_string(bytes) + " of " + std::to_string(Bytes) + " bytes";
    block().fault(std::move(message), site);
  }
  block().copyLater(to, from, bytes, Bytes - bytes, site);
}
void commitGroup() { block().commitCopies(); }
void waitGroup(uint32_t pending) { block().finishCopies(pending); }
void waitAll() {
  block().commitCopies();
  block().finishCopies(0);
}

const IntrinsicForm table[] = {
    {"read.ptx.sreg.tid.x", address(tid<&Dim3::x>)},
    {"read.ptx.sreg.tid.y", address(tid<&Dim3::y>)},
    {"read.ptx.sreg.tid.z", address(tid<&Dim3::z>)},
    {"read.ptx.sreg.ctaid.x", address(ctaid<&Dim3::x>)},
    {"read.ptx.sreg.ctaid.y", address(ctaid<&Dim3::y>)},
    {"read.ptx.sreg.ctaid.z", address(ctaid<&Dim3::z>)},
    {"read.ptx.sreg.ntid.x", address(ntid<&Dim3::x>)},
    {"read.ptx.sreg.ntid.y", address(ntid<&Dim3::y>)},
    {"read.ptx.sreg.ntid.z", address(ntid<&Dim3::z>)},
    {"read.ptx.sreg.nctaid.x", address(nctaid<&Dim3::x>)},
    {"read.ptx.sreg.nctaid.y", address(nctaid<&Dim3::y>)},
    {"read.ptx.sreg.nctaid.z", address(nctaid<&Dim3::z>)},
    {"read.ptx.sreg.laneid", address(laneid)},
    {"read.ptx.sreg.warpid", address(warpid)},
    {"read.ptx.sreg.warpsize", address(warpsize)},
    {"read.ptx.sreg.lanemask.lt", address(lanemaskLt)},
    {"read.ptx.sreg.lanemask.eq", address(lanemaskEq)},
    {"read.ptx.sreg.dynamic.smem.size", address(dynamicSharedBytes)},
    {"barrier.cta.sync.aligned.all", address(sync<true>), true, true},
    {"barrier.cta.sync.all", address(sync<false>), true, true},
    {"barrier.cta.red.popc.aligned.all", address(syncPopc), true, true},
    {"barrier.cta.red.or.aligned.all", address(syncOr), true, true},
    {"barrier.cta.red.and.aligned.all", address(syncAnd), true, true},
    {"membar.cta", address(fence)},
    {"membar.gl", address(fence)},
    {"membar.sys", address(fence)},
    {"cp.async.ca.shared.global.4", address(copy<4>), true},
    {"cp.async.ca.shared.global.8", address(copy<8>), true},
    {"cp.async.ca.shared.global.16", address(copy<16>), true},
    {"cp.async.cg.shared.global.16", address(copy<16>), true},
    {"cp.async.ca.shared.global.4.s", address(copyPart<4>), true},
    {"cp.async.ca.shared.global.8.s", address(copyPart<8>), true},
    {"cp.async.ca.shared.global.16.s", address(copyPart<16>), true},
    {"cp.async.cg.shared.global.16.s", address(copyPart<16>), true},
    {"cp.async.commit.group", address(commitGroup)},
    {"cp.async.wait.group", address(waitGroup)},
    {"cp.async.wait.all", address(waitAll)},
};

} // namespace

llvm::ArrayRef<IntrinsicForm> mlir::tp::emulator::getThreadIntrinsics() { return table; }

void mlir::tp::emulator::tp_emulator_access(uint32_t site, uint32_t kind, void *address,
                                            uint64_t bytes) {
  block().access(reinterpret_cast<uintptr_t>(address), bytes, static_cast<AccessKind>(kind), site);
}

void *mlir::tp::emulator::tp_emulator_shared_memory() { return block().sharedMemory(); }

void mlir::tp::emulator::tp_emulator_trap(uint32_t site) { block().fault("traps", site); }
