//===- ProcessWait.cpp - waiting for other processes ----------------------===//
//
// Every wait ends: the message arrives, a rank fails or is lost, the peer leaves
// the program, ranks wait for each other in a circle, or the time is up. What is
// known of other ranks is what their watches have told last.
//
//===----------------------------------------------------------------------===//

#include "../core/Recorder.h"
#include "Patience.h"
#include "ProcessCommunicator.h"
#include "ProcessStop.h"

using namespace tprt;

namespace {

constexpr int64_t kLongestSleepNanoseconds = 1000000;
// How often a rank that waits looks at what may end its wait.
constexpr double kCheckSeconds = 0.05;
// Between two readings of who waits for whom: more than a report may take.
constexpr uint32_t kReportsBetween = 2;

/// Whether that rank waits for something that its peer, by what is known, has not
/// begun.
bool waitsInVain(const ProgressReport &waiting, const ProgressReport &peer) {
  const size_t group = size_t(waiting.group);
  return waiting.epoch % 2 && waiting.group >= 0 && group < peer.begun.size() &&
         int32_t(peer.begun[group] - waiting.number) < 0;
}

} // namespace

void ProcessCommunicator::stop(tprt_status_t status, const std::string &reason) {
  if (status != TPRT_ABORTED)
    program.fail(rank, status, op, reason);
  throw Stopped{status};
}

void ProcessCommunicator::check(int32_t code) {
  if (code)
    stop(program.aborted() ? tprt_status_t(TPRT_ABORTED) : tprt_status_t(TPRT_INTERNAL),
         transport.problem());
}

void ProcessCommunicator::wait(Pending &one) {
  Patience patience(kLongestSleepNanoseconds);
  double checked = 0;
  bool waiting = false;
  tprt_status_t status = TPRT_OK;
  auto done = [&] {
    int32_t ended = 0;
    check(transport.test(&one.request, &ended));
    return ended != 0;
  };
  auto sleep = [&] {
    if (!waiting)
      progress.beginWait((*place->ranks)[size_t(one.member)], op, group,
                         progress.begun[size_t(group)].load());
    waiting = true;
    patience.sleep();
    if (program.aborted())
      status = TPRT_ABORTED;
    else if (patience.seconds() - checked > kCheckSeconds) {
      checked = patience.seconds();
      if (!done())
        status = checkPeer(one.member, checked);
      else
        return false;
    }
    return status == TPRT_OK;
  };
  try {
    spin.wait(done, sleep);
  } catch (const Stopped &) {
    if (waiting)
      progress.endWait();
    throw;
  }
  if (waiting)
    progress.endWait();
  if (status == TPRT_OK && program.aborted())
    status = TPRT_ABORTED;
  if (status != TPRT_OK)
    throw Stopped{status};
}

tprt_status_t ProcessCommunicator::checkPeer(int member, double waitedSeconds) {
  const int peer = (*place->ranks)[size_t(member)];
  const ProgressReport report = watch.progressOf(peer);
  const uint32_t runs = progress.runs.load();
  const bool left =
      report.serial && (report.runs != runs ? int32_t(report.runs - runs) > 0 : !report.inside);
  if (left && int32_t(report.begun[size_t(group)] - progress.begun[size_t(group)].load()) < 0)
    return program.fail(rank, TPRT_PEER_LOST, op,
                        "rank " + std::to_string(peer) +
                            " has left the program and will not take part");
  const std::string circle = findCircle();
  if (!circle.empty())
    return program.fail(rank, TPRT_MISMATCH, op, "ranks wait for each other: " + circle);
  const double limit = program.options().timeoutSeconds;
  if (limit > 0 && waitedSeconds > limit)
    return program.fail(rank, TPRT_TIMED_OUT, op,
                        "rank " + std::to_string(peer) + " did not arrive within " +
                            std::to_string(limit) + " s");
  return TPRT_OK;
}

std::string ProcessCommunicator::findCircle() {
  // Follow who waits for whom from this rank until it comes back. What others
  // tell is of different moments; a wait that was there before the last of them
  // and is still the same after it was there at that moment.
  auto read = [&](int one) { return one == rank ? progress.read() : watch.progressOf(one); };
  std::vector<int> path;
  std::vector<ProgressReport> reports;
  int current = rank;
  do {
    const ProgressReport report = read(current);
    if (int(path.size()) > program.numRanks() || report.peer < 0 ||
        !waitsInVain(report, read(report.peer)))
      return "";
    path.push_back(current);
    reports.push_back(report);
    current = report.peer;
  } while (current != rank);

  bool same = circleSeen.size() == path.size();
  for (size_t i = 0; same && i < path.size(); ++i)
    same = circleSeen[i].peer == reports[i].peer && circleSeen[i].epoch == reports[i].epoch;
  if (!same) {
    circleSeen = reports;
    return "";
  }
  std::string text;
  for (size_t i = 0; i < path.size(); ++i) {
    if (path[i] != rank && reports[i].serial - circleSeen[i].serial < kReportsBetween)
      return "";
    text += (i ? ", " : "") + std::string("rank ") + std::to_string(path[i]) + " in " +
            program.describeOperation(reports[i].op) + " for rank " +
            std::to_string(reports[i].peer);
  }
  return text;
}
