//===- Processors.cpp - the processors near a GPU --------------------------===//

#include "Processors.h"

#include "Driver.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sched.h>
#include <sstream>

std::vector<int> tprt::cuda::processorsNear(const std::string &root, const std::string &pciDevice) {
  std::string device = pciDevice;
  std::transform(device.begin(), device.end(), device.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  int node = -1;
  std::ifstream(root + "/bus/pci/devices/" + device + "/numa_node") >> node;
  std::vector<int> result;
  if (node < 0) // one node, or a virtual machine that does not tell
    return result;
  // "0-15,32-47".
  std::ifstream file(root + "/devices/system/node/node" + std::to_string(node) + "/cpulist");
  for (std::string part; std::getline(file, part, ',');) {
    std::istringstream range(part);
    int first = 0, last = 0;
    char dash = 0;
    if (!(range >> first))
      return {};
    last = first;
    if (range >> dash && !(dash == '-' && range >> last))
      return {};
    for (int processor = first; processor <= last && processor < CPU_SETSIZE; ++processor)
      result.push_back(processor);
  }
  return result;
}

void tprt::cuda::runNear(const std::vector<int> &processors) {
  cpu_set_t allowed, near;
  CPU_ZERO(&near);
  if (sched_getaffinity(0, sizeof allowed, &allowed))
    return;
  for (int processor : processors)
    if (CPU_ISSET(processor, &allowed))
      CPU_SET(processor, &near);
  if (CPU_COUNT(&near) > 0)
    sched_setaffinity(0, sizeof near, &near);
}

void tprt::cuda::runNearGpu(int number, const std::string &root) {
  const Driver &driver = Driver::get();
  char place[32] = "";
  driver.check(driver.deviceGetPciBusId(place, sizeof place, number), "cuDeviceGetPCIBusId");
  runNear(processorsNear(root, place));
}
