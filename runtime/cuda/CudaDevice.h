//===- CudaDevice.h - a GPU as a rank's device -------------------*- C++ -*-===//
//
// Work goes to two streams: computation, on which memory is written, filled and read
// too, and communication. Collectives order the two by events, so that the host waits
// only where it reads.
//
// What an entry enqueues is the same in each call, since its arguments lie where they
// lie, unless the entry reads from the device and decides by that. So the first call
// makes what is made once, the second is captured as a graph, and it and all later ones
// launch that.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CUDA_CUDADEVICE_H
#define TPRT_CUDA_CUDADEVICE_H

#include "../core/Communicator.h"
#include "../core/Device.h"
#include "../core/Recorder.h"
#include "Driver.h"
#include "Gemm.h"
#include "tprt/manifest.h"
#include "tprt/tprt.h"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tprt::cuda {

class CudaDevice final : public tprt::Device {
public:
  /// GPU `number` with the kernels of `module` that `manifest` names. Throws where it does
  /// not start, or runs none of the module's images.
  CudaDevice(int number, const tprt_module_t &module, const Manifest &manifest);
  /// The same GPU with the same kernels for another rank; not beyond the life of `other`.
  explicit CudaDevice(const CudaDevice &other);
  ~CudaDevice() override;

  Buffer allocate(int64_t bytes, const std::string &what, Content content) override;
  void prepare(void *, int64_t) override {}
  void read(void *to, const void *from, int64_t bytes) override;
  void fill(void *to, int value, int64_t bytes) override;
  const void *view(const void *memory, int64_t bytes, std::string &copy) override;
  int64_t stageBytes() const override;
  void *stage(void *to, int64_t bytes) override;
  void unstage(void *to, void *staged, int64_t bytes) override;
  void enter() override;
  void launch(int32_t stream, int32_t kernel, int64_t blocks, int32_t threads, int32_t sharedBytes,
              const void *args, int32_t count) override;
  void copy(int32_t stream, const void *from, void *to, int64_t bytes) override;
  tprt_status_t gemm(tprt_context &ctx, int32_t stream, int32_t op, const tprt::Gemm &g) override;
  std::string chooseProducts(const std::string &choices, const std::string &path,
                             bool measure) override;
  tprt_status_t run(tprt_context &ctx, int entry,
                    const std::function<tprt_status_t()> &body) override;
  std::string howRun(int entry) const override;
  void synchronize() override;
  /// Waits for all work of the rank, amid what is being measured.
  void wait();
  int64_t *statusWords() override { return static_cast<int64_t *>(status.data()); }
  void synchronize(int64_t *told) override;
  void clearStatus() override;
  int64_t beginSpan(Recorder &recorder, int32_t stream) override;
  void endSpan(Recorder &recorder, int32_t stream, int64_t begun, const Span &span) override;

  /// The number of a kernel by its name; -1 where the program has none.
  int32_t findKernel(const std::string &name) const;
  Stream compute() const { return streams[0]; }
  Stream communication() const { return streams[1]; }
  /// Copies `rows` rows of `bytes` bytes on the communication stream; pitches in bytes.
  void copyRows(const void *from, int64_t fromPitch, void *to, int64_t toPitch, int64_t bytes,
                int64_t rows);
  /// Whether work is noted for a graph, and does not run.
  bool isCapturing() const { return capturing; }
  /// Notes that such work has a collective.
  void keep(const KeptCollective &collective) { capturing->collectives.push_back(collective); }
  bool hasGraphs() const;
  /// Forgets all graphs, which have to go before the communicators of their collectives.
  void dropGraphs();
  /// Whether the rank waits for the device.
  bool isAwaited() const { return awaited.load(std::memory_order_acquire); }

private:
  struct Kernel {
    std::string name;
    Function function;
    int32_t sharedBytes; ///< that it may ask for
  };
  /// Memory of the host that copies to the device read.
  struct Slot {
    void *memory = nullptr;
    Event copied = nullptr;
  };

  /// A span between two of the events, for the recorder.
  struct Timed {
    Recorder *recorder;
    Span span;
    size_t begin, end;
  };
  struct Times {
    std::vector<Event> events; ///< made so far; those in use come first
    size_t used = 0;
    int64_t first = 0; ///< of the first, by the recorder's clock
    std::vector<Timed> spans;
  };
  /// What becomes of an entry.
  struct EntryGraph {
    enum State { New, Known, Kept, Single } state = New;
    GraphExec exec = nullptr;
    std::vector<KeptCollective> collectives;
    Times times; ///< between events that each launch records
  };

  Gemm &getProducts(std::shared_ptr<GemmChoices> choices = nullptr);
  DevicePointer workspace(int32_t stream);
  void measure(const GemmShape &shape);
  tprt_status_t capture(EntryGraph &graph, const std::function<tprt_status_t()> &body);
  Times &times() { return capturing ? capturing->times : ownTimes; }
  tprt_status_t enqueue(tprt_context &ctx, int entry, const std::function<tprt_status_t()> &body);
  void start();
  /// Memory that the host cannot move, which the device copies to and from by itself.
  void *allocateOnHost(int64_t bytes) const;
  size_t recordTime(int32_t stream);
  void tellTimes(const Times &times) const;
  std::string describe() const;
  int attribute(DeviceAttribute which) const;
  Module load(const tprt_module_t &module) const;
  Stream stream(int32_t number) const { return streams[number ? 1 : 0]; }

  const Driver &driver;
  const int number;
  std::string name;
  Context context = nullptr;
  Stream streams[2] = {};
  Module code = nullptr; ///< of the kernels; null where they are another's
  std::vector<Kernel> kernels;
  std::vector<GemmShape> shapes;   ///< of the program's products
  bool tf32;                       ///< of products of f32
  std::unique_ptr<Gemm> products;  ///< null before the first
  Buffer workspaces[2];            ///< of products, per stream
  std::vector<void *> parameters;  ///< of the launch
  Buffer status;                   ///< what kernels tell
  int64_t *statusOnHost = nullptr; ///< where it is copied to
  Slot slots[2];
  size_t nextSlot = 0;
  std::vector<char> large; ///< what is staged and has no room in a slot
  std::atomic<bool> awaited{false};
  Times ownTimes;                       ///< since the rank waited last
  std::map<int, EntryGraph> graphs;     ///< per entry
  EntryGraph *capturing = nullptr;      ///< the one that is being made
  const EntryGraph *launched = nullptr; ///< since the rank waited last
  const char *against = nullptr;        ///< why there are none
  bool hasRead = false;                 ///< since the entry began
  Recorder *inEntry = nullptr;          ///< of the rank, while an entry is enqueued
};

} // namespace tprt::cuda

#endif // TPRT_CUDA_CUDADEVICE_H
