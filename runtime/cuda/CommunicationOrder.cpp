//===- CommunicationOrder.cpp - communication beside computation -----------===//

#include "CommunicationOrder.h"

using namespace tprt::cuda;

CommunicationOrder::CommunicationOrder(CudaDevice &device) : device(device) {
  driver.check(driver.eventCreate(&computed, eventDisableTiming), "cuEventCreate");
}

CommunicationOrder::~CommunicationOrder() {
  for (const Collective &collective : last)
    driver.eventDestroy(collective.ended);
  driver.eventDestroy(computed);
}

void CommunicationOrder::follow() {
  driver.check(driver.eventRecord(computed, device.compute()), "cuEventRecord");
  driver.check(driver.streamWaitEvent(device.communication(), computed, 0), "cuStreamWaitEvent");
}

void CommunicationOrder::end(int32_t stream) {
  while (last.size() <= size_t(stream)) {
    Collective collective;
    driver.check(driver.eventCreate(&collective.ended, eventDisableTiming), "cuEventCreate");
    last.push_back(collective);
  }
  Collective &collective = last[size_t(stream)];
  driver.check(driver.eventRecord(collective.ended, device.communication()), "cuEventRecord");
  collective.isAwaited = true;
  if (stream == 0)
    wait(0);
}

void CommunicationOrder::wait(int32_t stream) {
  // One that was alone has done without.
  if (size_t(stream) >= last.size() || !last[size_t(stream)].isAwaited)
    return;
  last[size_t(stream)].isAwaited = false;
  driver.check(driver.streamWaitEvent(device.compute(), last[size_t(stream)].ended, 0),
               "cuStreamWaitEvent");
}
