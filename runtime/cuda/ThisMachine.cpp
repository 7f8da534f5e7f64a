//===- ThisMachine.cpp - The devices of this machine ----------------------===//

#include "Driver.h"
#include "tprt/device.h"
#include "tprt/error.h"

#include <cstring>

using namespace tprt;
using namespace tprt::cuda;

std::string tprt::imageForThisMachine() {
  const Driver &driver = Driver::get();
  if (!driver.available())
    throw runFailure(driver.problem());
  auto check = [&](Result result, const char *what) {
    if (result != ok)
      throw runFailure(std::string("cannot ") + what + ": " + driver.describe(result));
  };
  Device device;
  check(driver.init(0), "start the CUDA driver");
  check(driver.deviceGet(&device, 0), "use the first CUDA device");
  char name[64] = "";
  check(driver.deviceGetName(name, sizeof(name), device), "ask for a device's name");
  if (std::strcmp(name, "emulated device") == 0)
    return "emulated";
  int major = 0, minor = 0;
  check(driver.deviceGetAttribute(&major, computeCapabilityMajor, device),
        "ask for a device's compute capability");
  check(driver.deviceGetAttribute(&minor, computeCapabilityMinor, device),
        "ask for a device's compute capability");
  return "sm_" + std::to_string(10 * major + minor);
}
