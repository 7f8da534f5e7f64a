// Kernels that are right, one per thing that an emulated device must do.

#include "../../runtime/cuda/kernels/Device.h"

using namespace tprt;

/// y[i] = a * x[i] + y[i].
TPRT_GLOBAL void axpy(float a, const float *x, float *y, u32 n) {
  u32 i = blockX() * threadsX() + threadX();
  if (i < n)
    y[i] = a * x[i] + y[i];
}

/// As a check of the compiler's does: where x[0] is negative, `status` says that operation 0
/// has found it, truncated, outside [0, upper).
TPRT_GLOBAL void check(long long *status, const float *x, long long upper) {
  if (x[0] >= 0 || status[0] != 0)
    return;
  status[0] = 1;
  status[1] = 0;
  status[2] = (long long)x[0];
  status[3] = 0;
  status[4] = upper;
}

/// *sum += all of x; any grid, blocks of a multiple of 32 threads.
TPRT_GLOBAL void block_sum(const float *x, float *sum, u32 n) {
  __shared__ float parts[32];
  float mine = 0;
  for (u32 i = blockX() * threadsX() + threadX(); i < n; i += blocksX() * threadsX())
    mine += x[i];
  for (u32 mask = 16; mask; mask /= 2)
    mine += shuffleXor(mine, mask);
  if (threadX() % 32 == 0)
    parts[threadX() / 32] = mine;
  syncBlock();
  if (threadX() < 32) {
    mine = threadX() < threadsX() / 32 ? parts[threadX()] : 0.0f;
    for (u32 mask = 16; mask; mask /= 2)
      mine += shuffleXor(mine, mask);
    if (threadX() == 0)
      __nvvm_atom_add_gen_f(sum, mine);
  }
}

extern __shared__ float launchSized[];

/// Reverses each row of blockDim elements through shared memory whose size the launch says.
TPRT_GLOBAL void reverse(const float *x, float *y) {
  u32 row = blockX() * threadsX();
  launchSized[threadX()] = x[row + threadX()];
  syncBlock();
  y[row + threadX()] = launchSized[threadsX() - 1 - threadX()];
}

/// Each warp reverses its 32 elements; only the warp waits.
TPRT_GLOBAL void reverse_warps(const float *x, float *y) {
  __shared__ float buffer[256];
  u32 first = threadX() / 32 * 32;
  buffer[threadX()] = x[threadX()];
  syncWarp();
  y[threadX()] = buffer[first + 31 - threadX() % 32];
}

/// bits[w] = which of the 32 x from 32 w on are positive; counts[i] = how many there are in
/// the block.
TPRT_GLOBAL void votes(const float *x, u32 *bits, u32 *counts) {
  bool positive = x[threadX()] > 0;
  u32 ballot = __nvvm_vote_ballot_sync(wholeWarp, positive);
  if (threadX() % 32 == 0)
    bits[threadX() / 32] = ballot;
  counts[threadX()] = __nvvm_bar0_popc(positive);
}

struct Scale {
  float factors[4];
};

__constant__ float table[4] = {1, 10, 100, 1000};

/// A parameter by value, a table in constant memory, bf16.
TPRT_GLOBAL void scale(const Scale by, const bf16 *x, bf16 *y) {
  u32 i = threadX();
  y[i] = (bf16)((float)x[i] * by.factors[i % 4] * table[i % 4]);
}

/// c[16][8] = a[16][16] * b[16][8] in tensor cores; b is row-major.
TPRT_GLOBAL void multiply(const bf16 *a, const bf16 *b, float *c) {
  __shared__ alignas(16) bf16 tileA[16 * 16], tileB[16 * 8];
  u32 lane = threadX();
  // 16 bytes per copy: A has 32 of them, B 16.
  copyAsync16(tileA + lane * 8, a + lane * 8);
  if (lane < 16)
    copyAsync16(tileB + lane * 8, b + lane * 8);
  commitCopies();
  waitForCopies<0>();
  syncBlock();
  // Rows of the four 8 x 8 quarters of A; of the two halves of B.
  auto *sharedA = (const u32 *)tileA;
  u32 row = lane / 4, column = lane % 4;
  u32 fa[4] = {sharedA[row * 8 + column], sharedA[(row + 8) * 8 + column],
               sharedA[row * 8 + column + 4], sharedA[(row + 8) * 8 + column + 4]};
  u32 fb[2];
  for (u32 half = 0; half < 2; ++half) {
    union {
      bf16 elements[2];
      u32 bits;
    } pair;
    for (u32 i = 0; i < 2; ++i)
      pair.elements[i] = tileB[(half * 8 + column * 2 + i) * 8 + row];
    fb[half] = pair.bits;
  }
  Accumulator sum = {};
  multiplyAdd(sum, fa, fb);
  for (u32 i = 0; i < 4; ++i)
    c[(row + i / 2 * 8) * 8 + column * 2 + i % 2] = sum.values[i];
}
