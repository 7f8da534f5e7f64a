// Kernels with one fault each, which a GPU may hide.

#include "../../runtime/cuda/kernels/Device.h"

using namespace tprt;

/// A barrier that half of the warps have left behind.
TPRT_GLOBAL void ended_before_barrier(float *x) {
  if (threadX() >= 32)
    return;
  syncBlock();
  x[threadX()] = 1;
}

/// Two barriers where one was meant.
TPRT_GLOBAL void two_barriers(float *x) {
  if (threadX() % 2)
    x[threadX()] = __nvvm_bar0_popc(1);
  else
    syncBlock();
}

/// A shuffle in a branch, with the mask of the whole warp.
TPRT_GLOBAL void shuffle_in_branch(float *x) {
  float mine = x[threadX()];
  if (threadX() < 16)
    mine += shuffleXor(mine, 1);
  x[threadX()] = mine;
}

/// Threads of a warp in different operations.
TPRT_GLOBAL void mixed_operations(float *x) {
  float mine = x[threadX()];
  if (threadX() < 16)
    mine = __nvvm_shfl_sync_down_f32(wholeWarp, mine, 1, 31);
  else
    mine = __nvvm_shfl_sync_up_f32(wholeWarp, mine, 1, 0);
  x[threadX()] = mine;
}

/// A mask that leaves the caller out.
TPRT_GLOBAL void outside_mask(float *x) {
  x[threadX()] = __nvvm_shfl_sync_bfly_f32(0xFFFF, x[threadX()], 1, 31);
}

/// One thread too many.
TPRT_GLOBAL void beyond_end(float *x) { x[threadX() + 1] = 1; }

TPRT_GLOBAL void before_start(const float *x, float *y) { y[threadX()] = x[(int)threadX() - 1]; }

/// One element too many of an array, into its neighbour.
TPRT_GLOBAL void beyond_shared_array(float *x) {
  __shared__ float first[32], second[32];
  first[threadX() + 1] = x[threadX()];
  second[threadX()] = 0;
  syncBlock();
  x[threadX()] = first[threadX()] + second[threadX()];
}

/// Neighbours through shared memory, without a barrier.
TPRT_GLOBAL void no_barrier(float *x) {
  __shared__ float buffer[64];
  buffer[threadX()] = 0;
  syncBlock();
  buffer[threadX()] = x[threadX()];
  x[threadX()] = buffer[threadX() ^ 1];
}

/// A barrier before the read, none before the next write.
TPRT_GLOBAL void one_barrier_in_loop(float *x) {
  __shared__ float buffer[64];
  float sum = 0;
  for (u32 i = 0; i < 4; ++i) {
    buffer[threadX()] = x[threadX()] + i;
    syncBlock();
    sum += buffer[(threadX() + 1) % 64];
  }
  x[threadX()] = sum;
}

/// A barrier of the warp where the block has two.
TPRT_GLOBAL void warp_barrier_only(float *x) {
  __shared__ float buffer[64];
  buffer[threadX()] = x[threadX()];
  syncWarp();
  x[threadX()] = buffer[63 - threadX()];
}

/// All blocks add to one element.
TPRT_GLOBAL void add_without_atomic(float *x) {
  if (threadX() == 0)
    *x += 1;
}

/// A sum in memory that nobody has set to 0.
TPRT_GLOBAL void unset_sum(float *sum) { *sum += 1; }

/// Shared memory that only half of the threads have written.
TPRT_GLOBAL void half_written(float *x) {
  __shared__ float buffer[64];
  if (threadX() < 32)
    buffer[threadX()] = x[threadX()];
  syncBlock();
  x[threadX()] = buffer[threadX()];
}

/// Reads what an asynchronous copy has not brought yet.
TPRT_GLOBAL void copy_not_awaited(const float *x, float *y) {
  __shared__ alignas(16) float buffer[4 * 32];
  copyAsync16(buffer + 4 * threadX(), x + 4 * threadX());
  commitCopies();
  syncBlock();
  y[threadX()] = buffer[threadX()];
}

/// Awaits its own copies only.
TPRT_GLOBAL void copy_of_others(const float *x, float *y) {
  __shared__ alignas(16) float buffer[4 * 32];
  copyAsync16(buffer + 4 * threadX(), x + 4 * threadX());
  commitCopies();
  waitForCopies<0>();
  y[threadX()] = buffer[threadX()];
}

/// 8 bytes at an address of 4.
TPRT_GLOBAL void misaligned(const float *x, double *y) { *y = *(const double *)(x + 1); }

TPRT_GLOBAL void traps(const float *x) {
  if (x[threadX()] < 0)
    __builtin_trap();
}
