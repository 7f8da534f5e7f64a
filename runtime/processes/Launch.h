//===- Launch.h - whether ranks are threads or processes --------*- C++ -*-===//

#ifndef TPRT_PROCESSES_LAUNCH_H
#define TPRT_PROCESSES_LAUNCH_H

#include "ProcessWorld.h"

#include <memory>
#include <optional>
#include <string>

namespace tprt {

/// How a launcher has started this process, by the environment that it has set.
struct Launcher {
  std::string name;   ///< "mpirun", "srun", "torchrun"
  int size = 0;       ///< processes; 0: not said
  int rank = -1;      ///< of this one; -1: not said
  int localRank = -1; ///< among those of its host; -1: not said
  /// Whether it says where rank 0 waits for the others (MASTER_ADDR and MASTER_PORT).
  bool tellsPlace = false;
};

/// The launcher, where there is one that starts several processes: torchrun and what
/// sets the same variables, Open MPI's, MPICH's or Intel's mpirun, Slurm's srun.
std::optional<Launcher> findLauncher();

/// The processes that run the program together: null where ranks are to be
/// threads. `launch` is "auto" (processes where findLauncher finds one, by TCP where it
/// tells the place, else by MPI), "threads", "tcp" or "mpi". Throws `Error` when the
/// library with MPI is missing, what the launcher says does not fit (exit code 2), or
/// processes do not find each other. What only this process knows of, such as a token
/// that rank 0 does not take, ends it with the error.
std::unique_ptr<World> startWorld(const std::string &launch, const std::string &manifest,
                                  const ProcessOptions &options);

/// Whether this process speaks where nothing else is known of the others: it is
/// rank 0 of its launcher's, or there is none.
bool isFirstProcess();

/// Ends a process for which there is no World (yet): prints the error where it
/// is the first, and returns the exit code. The others wait
/// a little, since launchers end all processes when one does.
int endAlone(const Error &error);

} // namespace tprt

#endif // TPRT_PROCESSES_LAUNCH_H
