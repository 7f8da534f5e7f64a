//===- ProcessWorld.h - one process per rank --------------------*- C++ -*-===//
//
// A World over a transport (the bytes of collectives and of messages) and a
// watch (failures).
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_PROCESSES_PROCESSWORLD_H
#define TPRT_PROCESSES_PROCESSWORLD_H

#include "../core/World.h"
#include "Mesh.h"
#include "Transport.h"
#include "Watch.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tprt {

struct ProcessOptions {
  double silenceSeconds = 3; ///< a process that is silent for so long is lost; 0: never
  double startSeconds = 60;  ///< for all processes to find each other
};

class ProcessWorld : public World {
public:
  /// Finds the other processes. `manifest` is the program's. Throws `Error` (exit
  /// code 3) where one of them does not answer.
  ProcessWorld(const tprt_transport_t &transport, const std::string &manifest,
               const ProcessOptions &options);

  int rank() const override { return number; }
  int size() const override { return count; }
  int sharing() const override;
  int localRank() const override;
  void checkProgram(int numRanks) override;
  std::unique_ptr<Team> join(Program &program, std::unique_ptr<Equipment> equipment) override;
  void send(int to, const std::string &message) override;
  std::string receive(int from) override;
  int end(const Error *error) override;

private:
  class ProcessTeam;
  /// Called between two looks at a request; throws where waiting has no use.
  using Check = std::function<void()>;

  /// `listener` is null where the transport connects the watch.
  std::vector<int> meet(Listener *listener, const ProcessInfo &mine, double startSeconds);
  std::vector<int> channels();
  void await(tprt_request_t request, const Check &check);
  void transfer(bool sends, int32_t communicator, int peer, int32_t tag, void *data, int64_t bytes,
                const Check &check);
  void sendMessage(int to, const std::string &message, const Check &check);
  std::string receiveMessage(int from, const Check &check);
  void check(int32_t code) const;
  Check checkFor(int peer);
  void tellTheEnd();

  const tprt_transport_t &transport;
  int32_t number = 0, count = 1;
  std::vector<ProcessInfo> processes; ///< by rank
  std::unique_ptr<Watch> watch;
};

} // namespace tprt

#endif // TPRT_PROCESSES_PROCESSWORLD_H
