//===- Launch.cpp - whether ranks are threads or processes ----------------===//

#include "Launch.h"

#include "StarTransport.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <initializer_list>
#include <unistd.h>

using namespace tprt;

namespace {

constexpr const char *kLibrary = "libtprt_mpi.so";
constexpr int kOthersMicroseconds = 1000000;

constexpr int kMostProcesses = 1 << 20;

std::string textIn(const char *variable) {
  const char *text = std::getenv(variable);
  return text ? text : "";
}

/// A whole number in the environment; -1 where there is none. Throws an error with the
/// variable where it is something else.
int numberIn(const char *variable, int least, int most) {
  const std::string text = textIn(variable);
  if (text.empty())
    return -1;
  int value = 0;
  const char *end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc() || rest != end || value < least || value > most)
    throw badInput(std::string(variable) + " is '" + text + "', expected a whole number from " +
                   std::to_string(least) + " to " + std::to_string(most));
  return value;
}

/// The same of the first variable that is set.
int firstIn(std::initializer_list<const char *> variables, int least, int most) {
  int result = -1;
  for (const char *variable : variables)
    if (result < 0)
      result = numberIn(variable, least, most);
  return result;
}

/// A number that must be there.
int requiredIn(const char *variable, int least, int most) {
  const int value = numberIn(variable, least, most);
  if (value < 0)
    throw badInput(std::string(variable) + " is not set: processes that meet by TCP need their "
                                           "number, how many there are, and where rank 0 waits",
                   {"torchrun sets RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT; mpirun and srun "
                    "the first two in their own way"});
  return value;
}

/// What processes of this job know and others do not, or hardly: what the user says, or
/// the launcher's name of the job.
std::string tokenOfJob() {
  if (const std::string chosen = textIn("TPRT_TOKEN"); !chosen.empty())
    return chosen;
  std::string result;
  for (const char *variable : {"TORCHELASTIC_RUN_ID", "TORCHELASTIC_RESTART_COUNT", "SLURM_JOB_ID",
                               "SLURM_STEP_ID", "PMIX_NAMESPACE", "PMI_KVSNAME"})
    if (const std::string part = textIn(variable); !part.empty())
      result += (result.empty() ? "" : ".") + part;
  return result.substr(0, Rendezvous::kMaxToken);
}

Rendezvous findRendezvous(const std::optional<Launcher> &launcher, double seconds) {
  Rendezvous result;
  if (launcher && launcher->name != "torchrun" && launcher->size > 0 && launcher->rank >= 0) {
    result.size = launcher->size;
    result.rank = launcher->rank;
  } else {
    result.size = requiredIn("WORLD_SIZE", 1, kMostProcesses);
    result.rank = requiredIn("RANK", 0, kMostProcesses - 1);
  }
  result.address = textIn("MASTER_ADDR");
  if (result.address.empty())
    throw badInput("MASTER_ADDR is not set: processes that meet by TCP need the host of rank 0",
                   {"it is a name or an address of that host; torchrun sets it"});
  result.port = uint16_t(requiredIn("MASTER_PORT", 1, 65535));
  // At that port torchrun itself then serves its workers.
  if (textIn("TORCHELASTIC_USE_AGENT_STORE") == "True")
    result.port = result.port == 65535 ? uint16_t(1024) : uint16_t(result.port + 1);
  if (const int port = numberIn("TPRT_PORT", 1, 65535); port > 0)
    result.port = uint16_t(port);
  result.token = tokenOfJob();
  result.seconds = seconds;
  return result;
}

/// Ends a process that alone knows why, where rank 0 does not say it: the launcher ends
/// all when the first ends, and the lowest speaks first.
[[noreturn]] void endAsOther(const Error &error, int rank) {
  usleep(useconds_t(kOthersMicroseconds * std::min(rank, 4)));
  _exit(error.status() == TPRT_ABORTED ? error.exitCode() : reportError(error));
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
         "where MASTER_ADDR and MASTER_PORT say where rank 0 waits, processes need no MPI",
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
  launcher.tellsPlace = !textIn("MASTER_ADDR").empty() && !textIn("MASTER_PORT").empty();
  launcher.localRank =
      firstIn({"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}, 0,
              kMostProcesses - 1);
  Launcher torchrun = launcher;
  torchrun.name = "torchrun";
  torchrun.size = std::max(numberIn("WORLD_SIZE", 1, kMostProcesses), 1);
  torchrun.rank = numberIn("RANK", 0, kMostProcesses - 1);
  const bool isTorchrun = torchrun.rank >= 0 && torchrun.size != 1;
  if (isTorchrun && torchrun.tellsPlace)
    return torchrun;
  launcher.name = std::getenv("SLURM_STEP_ID") ? "srun" : "mpirun";
  launcher.size = std::max(
      firstIn({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}, 0, kMostProcesses), 0);
  launcher.rank = firstIn({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"}, 0,
                          kMostProcesses - 1);
  if (launcher.size > 1 || (launcher.size == 0 && std::getenv("PMIX_RANK")))
    return launcher;
  return isTorchrun ? std::optional(torchrun) : std::nullopt;
}

std::unique_ptr<World> tprt::startWorld(const std::string &launch, const std::string &manifest,
                                        const ProcessOptions &options) {
  if (launch == "threads")
    return nullptr;
  const std::optional<Launcher> launcher = findLauncher();
  if (launch == "auto" && !launcher)
    return nullptr;
  if (launch == "tcp" ||
      (launch == "auto" && (launcher->tellsPlace || launcher->name == "torchrun"))) {
    const Rendezvous rendezvous = findRendezvous(launcher, options.startSeconds);
    try {
      return std::make_unique<ProcessWorld>(starTransport(rendezvous), manifest, options);
    } catch (const Error &error) {
      if (rendezvous.rank > 0)
        endAsOther(error, rendezvous.rank);
      throw;
    }
  }
  auto world = std::make_unique<ProcessWorld>(loadTransport(), manifest, options);
  if (launcher && launcher->size && launcher->size != world->size())
    throw runFailure(launcher->name + " has started " + std::to_string(launcher->size) +
                         " processes, MPI knows of " + std::to_string(world->size()),
                     {"libtprt_mpi.so must be built with the MPI whose launcher is used; with "
                      "srun, --mpi=pmix or --mpi=pmi2"});
  return world;
}

bool tprt::isFirstProcess() {
  try {
    const std::optional<Launcher> launcher = findLauncher();
    return !launcher || launcher->rank <= 0;
  } catch (const Error &) { // which number it has is not known
    return true;
  }
}

int tprt::endAlone(const Error &error) {
  if (isFirstProcess())
    return reportError(error);
  usleep(kOthersMicroseconds);
  return error.exitCode();
}
