//===- Device.h - where a rank's buffers lie --------------------*- C++ -*-===//
//
// What differs between a rank on processors and a rank on a GPU: where its memory
// is, how it gets there, and what runs its kernels and products. The host is one
// too, on which all of it happens at once; a GPU (cuda/CudaDevice.h) does what it is
// told later, in order.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_DEVICE_H
#define TPRT_CORE_DEVICE_H

#include "Buffer.h"

#include "tprt/status.h"

#include <cstdint>
#include <functional>
#include <string>

struct tprt_context;

namespace tprt {

struct Gemm;
class Recorder;
struct Span;

/// All functions throw `Error` where they fail, also for work that was begun before.
class Device {
public:
  virtual ~Device() = default;

  /// What a new buffer holds.
  enum class Content { Zero, Undefined };
  /// Throws an error that names `what` when there is no memory.
  virtual Buffer allocate(int64_t bytes, const std::string &what, Content content) = 0;
  /// Does early what the first use of memory costs.
  virtual void prepare(void *memory, int64_t bytes) = 0;

  /// Copies memory of the device to the host, behind all work before.
  virtual void read(void *to, const void *from, int64_t bytes) = 0;
  /// Sets each byte.
  virtual void fill(void *to, int value, int64_t bytes) = 0;
  /// What `memory` holds, behind all work before: where it lies, or in `copy`.
  virtual const void *view(const void *memory, int64_t bytes, std::string &copy) = 0;

  // Writing in place what is made on the host: `stage` gives memory of the host that
  // holds zeros (or is zeroed memory of the device itself), `unstage` writes it to where
  // it belongs, while the host goes on.
  /// Of how many bytes it is best done at once.
  virtual int64_t stageBytes() const = 0;
  virtual void *stage(void *to, int64_t bytes) = 0;
  virtual void unstage(void *to, void *staged, int64_t bytes) = 0;

  // What follows is called by the thread of the rank.
  /// The calling thread works for the device from now on.
  virtual void enter() = 0;
  /// The calls of abi.def.
  virtual void launch(int32_t stream, int32_t kernel, int64_t blocks, int32_t threads,
                      int32_t sharedBytes, const void *args, int32_t count) = 0;
  virtual void copy(int32_t stream, const void *from, void *to, int64_t bytes) = 0;
  /// A valid product that is not empty.
  virtual tprt_status_t gemm(tprt_context &ctx, int32_t stream, int32_t op, const Gemm &g) = 0;
  /// Decides how the program's products are done, before the first: as `choices` has it,
  /// the text of a file `path` with algorithms, which may be empty; with `measure`, by what
  /// is the fastest where it has none. Returns `choices` with what was measured.
  virtual std::string chooseProducts(const std::string &choices, const std::string &path,
                                     bool measure) = 0;
  /// Does what an entry does, which `body` enqueues: the same whenever it is called. A
  /// device may keep it, and enqueue it anew without `body` from then on.
  virtual tprt_status_t run(tprt_context &ctx, int entry,
                            const std::function<tprt_status_t()> &body) = 0;
  /// How the next call of the entry is enqueued and why, for people; empty where that
  /// goes without saying.
  virtual std::string howRun(int entry) const = 0;
  /// Waits for all work of the rank.
  virtual void synchronize() = 0;
  /// Where kernels tell the first check that fails (abi.def); null where none run.
  virtual int64_t *statusWords() = 0;
  /// Waits for all work of the rank, and fills `status` with what kernels have told since
  /// the last time: TPRT_STATUS_WORDS words, the first 0 where no check failed.
  virtual void synchronize(int64_t *status) = 0;
  /// Forgets what kernels have told.
  virtual void clearStatus() = 0;

  // The time of what is enqueued on a stream between the two, where it is measured; the
  // recorder is told at once, or when the rank has waited for the device.
  virtual int64_t beginSpan(Recorder &recorder, int32_t stream) = 0;
  virtual void endSpan(Recorder &recorder, int32_t stream, int64_t begun, const Span &span) = 0;
};

/// The processors of this machine; their memory is the host's.
class HostDevice final : public Device {
public:
  static HostDevice &get();

  Buffer allocate(int64_t bytes, const std::string &what, Content) override;
  void prepare(void *memory, int64_t bytes) override;
  void read(void *to, const void *from, int64_t bytes) override;
  void fill(void *to, int value, int64_t bytes) override;
  const void *view(const void *memory, int64_t, std::string &) override { return memory; }
  int64_t stageBytes() const override { return INT64_MAX; }
  void *stage(void *to, int64_t) override { return to; }
  void unstage(void *, void *, int64_t) override {}
  void enter() override {}
  void launch(int32_t, int32_t, int64_t, int32_t, int32_t, const void *, int32_t) override;
  void copy(int32_t, const void *from, void *to, int64_t bytes) override;
  tprt_status_t gemm(tprt_context &ctx, int32_t stream, int32_t op, const Gemm &g) override;
  std::string chooseProducts(const std::string &choices, const std::string &, bool) override {
    return choices;
  }
  tprt_status_t run(tprt_context &, int, const std::function<tprt_status_t()> &body) override {
    return body();
  }
  std::string howRun(int) const override { return ""; }
  void synchronize() override {}
  int64_t *statusWords() override { return nullptr; }
  void synchronize(int64_t *status) override { status[0] = 0; }
  void clearStatus() override {}
  int64_t beginSpan(Recorder &recorder, int32_t) override;
  void endSpan(Recorder &recorder, int32_t, int64_t begun, const Span &span) override;
};

} // namespace tprt

#endif // TPRT_CORE_DEVICE_H
