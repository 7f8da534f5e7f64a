//===- Progress.h - how far a rank is ---------------------------*- C++ -*-===//
//
// A rank notes what it has begun and whom it waits for; the watch tells the
// other processes a few times a second, so that a rank that waits long can find
// out that what it waits for will never come.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_PROCESSES_PROGRESS_H
#define TPRT_PROCESSES_PROGRESS_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tprt {

/// A reading of another rank's progress.
struct ProgressReport {
  uint32_t serial = 0;         ///< of the report; 0: none yet
  uint32_t generation = 0;     ///< number of the program
  uint32_t runs = 0;           ///< begun
  bool inside = false;         ///< a run
  std::vector<uint32_t> begun; ///< collectives, per group
  uint32_t epoch = 0;          ///< odd while it waits
  int32_t peer = -1;
  int32_t op = -1;
  int32_t group = -1;
  uint32_t number = 0; ///< of the group's collective in which it waits
  std::string details; ///< of equipment
};

/// Written by the rank's thread, read by the watch.
struct Progress {
  explicit Progress(size_t groups) : groups(groups), begun(new std::atomic<uint32_t>[groups]()) {}

  const size_t groups;
  std::atomic<uint32_t> runs{0};
  std::atomic<bool> inside{false};
  const std::unique_ptr<std::atomic<uint32_t>[]> begun;
  std::atomic<uint32_t> epoch{0};
  std::atomic<int32_t> peer{-1}, op{-1}, group{-1};
  std::atomic<uint32_t> number{0};

  void beginWait(int32_t newPeer, int32_t newOp, int32_t newGroup, uint32_t newNumber) {
    peer.store(newPeer);
    op.store(newOp);
    group.store(newGroup);
    number.store(newNumber);
    epoch.fetch_add(1);
  }
  void endWait() { epoch.fetch_add(1); }

  /// What equipment adds to each report, by the watch's thread; null: nothing any more.
  void setDetails(std::function<std::string()> describe) {
    std::lock_guard<std::mutex> lock(detailsMutex);
    details = std::move(describe);
  }

  ProgressReport read() const {
    ProgressReport report;
    report.epoch = epoch.load();
    report.peer = peer.load();
    report.op = op.load();
    report.group = group.load();
    report.number = number.load();
    if (epoch.load() != report.epoch) // it has just begun or ended
      report.epoch = 0;
    // Left after begun: who is seen outside has begun no more than is seen.
    report.runs = runs.load();
    report.inside = inside.load();
    for (size_t i = 0; i < groups; ++i)
      report.begun.push_back(begun[i].load());
    std::lock_guard<std::mutex> lock(detailsMutex);
    if (details)
      report.details = details();
    return report;
  }

private:
  mutable std::mutex detailsMutex;
  std::function<std::string()> details;
};

} // namespace tprt

#endif // TPRT_PROCESSES_PROGRESS_H
