//===- CommunicationOrder.h - communication beside computation ---*- C++ -*-===//
//
// A device has one stream for computation and one for communication. A collective is
// behind the computation that was enqueued before it, and what is computed waits for it
// at once, or later where it has a stream of the ABI's numbers (tprt/abi.def).
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CUDA_COMMUNICATIONORDER_H
#define TPRT_CUDA_COMMUNICATIONORDER_H

#include "CudaDevice.h"

#include <vector>

namespace tprt::cuda {

class CommunicationOrder {
public:
  explicit CommunicationOrder(CudaDevice &device);
  ~CommunicationOrder();
  CommunicationOrder(const CommunicationOrder &) = delete;
  CommunicationOrder &operator=(const CommunicationOrder &) = delete;

  /// What comes next is communicated behind all computation so far.
  void follow();
  /// A collective has been enqueued on `stream`: what is computed from now on is behind it
  /// where that is 0, else from `wait` on.
  void end(int32_t stream);
  void wait(int32_t stream);

private:
  struct Collective {
    Event ended = nullptr;
    bool isAwaited = false; ///< begun, and not waited for
  };

  CudaDevice &device;
  const Driver &driver = Driver::get();
  Event computed = nullptr;
  std::vector<Collective> last; ///< per stream
};

} // namespace tprt::cuda

#endif // TPRT_CUDA_COMMUNICATIONORDER_H
