//===- Mesh.h - a connection between every two processes --------*- C++ -*-===//
//
// The connections of the watch: TCP, since processes may be on several hosts.
// What one has to know of the other comes through the transport.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_PROCESSES_MESH_H
#define TPRT_PROCESSES_MESH_H

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace tprt {

/// What processes know of each other.
struct ProcessInfo {
  std::string host;                   ///< name
  std::string machine;                ///< equal where processors are shared
  std::string network;                ///< equal where 127.0.0.1 is the same
  std::string processors;             ///< that it may run on
  std::vector<std::string> addresses; ///< of all its network interfaces
  uint16_t port = 0;                  ///< where it listens
  int64_t pid = 0;
  uint64_t program = 0; ///< hash of the manifest

  std::string pack() const;
  static ProcessInfo unpack(const std::string &bytes);
};

/// This process, without port and program.
ProcessInfo describeThisProcess();

/// Listens on a port of all interfaces that the system chooses.
class Listener {
public:
  Listener();
  ~Listener();
  Listener(const Listener &) = delete;
  Listener &operator=(const Listener &) = delete;

  uint16_t port() const { return number; }

  /// Connects this process with all others; the sockets by rank, -1 at its own.
  /// `token` is known to the processes of this program only. Throws `Error` (exit
  /// code 3) that names whom it could not reach, and where.
  std::vector<int> connectAll(int rank, const std::vector<ProcessInfo> &processes,
                              const std::string &token,
                              std::chrono::steady_clock::time_point deadline);

private:
  int socket = -1;
  uint16_t number = 0;
};

} // namespace tprt

#endif // TPRT_PROCESSES_MESH_H
