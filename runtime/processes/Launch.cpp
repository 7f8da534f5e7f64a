//===- Launch.cpp - whether ranks are threads or processes ----------------===//

#include "Launch.h"

#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

using namespace tprt;

namespace {

constexpr const char *kLibrary = "libtprt_mpi.so";
constexpr int kOthersMicroseconds = 1000000;

int numberIn(const char *variable, int absent) {
  const char *text = std::getenv(variable);
  return text && *text ? std::atoi(text) : absent;
}

/// The transport of the MPI that this executable finds: the file in TPRT_MPI, or
/// libtprt_mpi.so beside the executable, where it was linked (its run path), or
/// where the loader looks.
const tprt_transport_t &loadTransport() {
  const char *chosen = std::getenv("TPRT_MPI");
  const std::string name = chosen && *chosen ? chosen : kLibrary;
  // MPI libraries load parts of themselves that look for the others' symbols.
  void *handle = dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!handle)
    throw runFailure(
        "MPI cannot be loaded: " + std::string(dlerror()),
        {"tp builds libtprt_mpi.so where it finds MPI (Debian packages openmpi-bin and "
         "libopenmpi-dev): cmake --build build --target tp-tools; put it beside the executable or "
         "its path into TPRT_MPI",
         "--launch threads runs all ranks as threads of each process"});
  const auto get = reinterpret_cast<tprt_transport_fn>(dlsym(handle, TPRT_TRANSPORT_SYMBOL));
  if (!get)
    throw runFailure(name + " has no function " TPRT_TRANSPORT_SYMBOL
                            ", so it is not the runtime's MPI library");
  const tprt_transport_t *transport = get();
  if (transport->version != TPRT_TRANSPORT_VERSION)
    throw runFailure(name + " has version " + std::to_string(transport->version) +
                     " of the runtime's interface to MPI, the executable has " +
                     std::to_string(TPRT_TRANSPORT_VERSION));
  return *transport;
}

} // namespace

std::optional<Launcher> tprt::findLauncher() {
  Launcher launcher;
  launcher.name = std::getenv("SLURM_STEP_ID") ? "srun" : "mpirun";
  launcher.size =
      numberIn("OMPI_COMM_WORLD_SIZE", numberIn("PMI_SIZE", numberIn("SLURM_STEP_NUM_TASKS", 0)));
  launcher.rank =
      numberIn("OMPI_COMM_WORLD_RANK",
               numberIn("PMI_RANK", numberIn("PMIX_RANK", numberIn("SLURM_PROCID", -1))));
  if (launcher.size > 1 || (launcher.size == 0 && std::getenv("PMIX_RANK")))
    return launcher;
  return std::nullopt;
}

std::unique_ptr<World> tprt::startWorld(const std::string &launch, const std::string &manifest,
                                        const ProcessOptions &options) {
  const std::optional<Launcher> launcher = findLauncher();
  if (launch == "threads" || (launch == "auto" && !launcher))
    return nullptr;
  auto world = std::make_unique<ProcessWorld>(loadTransport(), manifest, options);
  if (launcher && launcher->size && launcher->size != world->size())
    throw runFailure(launcher->name + " has started " + std::to_string(launcher->size) +
                         " processes, MPI knows of " + std::to_string(world->size()),
                     {"libtprt_mpi.so must be built with the MPI whose launcher is used; with "
                      "srun, --mpi=pmix or --mpi=pmi2"});
  return world;
}

bool tprt::isFirstProcess() {
  const std::optional<Launcher> launcher = findLauncher();
  return !launcher || launcher->rank <= 0;
}

int tprt::endAlone(const Error &error) {
  if (isFirstProcess())
    return reportError(error);
  usleep(kOthersMicroseconds);
  return error.exitCode();
}
