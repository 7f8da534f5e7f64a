//===- Watch.cpp - how processes learn of each other's end ----------------===//

#include "Watch.h"

#include "../core/Blob.h"
#include "../core/Faults.h"
#include "../core/OutputFile.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace tprt;

namespace {

using Seconds = std::chrono::duration<double>;

constexpr double kBeatSeconds = 0.2;
// A launcher that sees a process die ends the others: Open MPI's asks them at
// once and kills them a second later.
constexpr double kSettleAfterLossSeconds = 0.3;
constexpr double kEndAfterLossSeconds = 0.5;
// Nobody has ended yet when a rank only fails.
constexpr double kSettleSeconds = 2;
constexpr double kEndSeconds = 2.5;
// How long a process that is asked to end waits for the news of why.
constexpr double kNewsSeconds = 0.5;
constexpr useconds_t kReadMicroseconds = 50000;
// Others wait this long for the process that prints.
constexpr double kPrinterSeconds = 2;
constexpr double kPrinterAfterLossSeconds = 1.5;
// Signs of life are not kept for a process that does not take them.
constexpr size_t kMaxUnsent = 1 << 16;

enum class Frame : uint8_t { Life, Failure, Settled, Leaving, Terminated };

// The number of a program in which a process fails that runs none, and so ends: all.
constexpr uint32_t kAllPrograms = UINT32_MAX;

// Notices on the watch's own pipe.
constexpr char kWake = 'w';
constexpr char kTerminate = 't';
constexpr char kFault = 'f';

// What signal handlers know of the watch.
std::atomic<int> noticePipe{-1};
std::atomic<const char *> faultText{nullptr};

void notice(char what) {
  const int saved = errno;
  const ssize_t written = write(noticePipe.load(), &what, 1);
  (void)written;
  errno = saved;
}

void handleTermination(int) { notice(kTerminate); }

/// On the thread of the fault, in its signal handler: the watch ends the
/// process.
void handOverFault(const char *message) {
  faultText.store(message);
  notice(kFault);
  for (;;)
    pause();
}

std::string frameOf(Frame kind, BlobWriter blob = {}) {
  return std::string(1, char(kind)) + blob.bytes;
}

} // namespace

Watch::Watch(int rank, std::vector<WatchedPeer> links, double silenceSeconds, void (*drain)())
    : rank(rank), silenceSeconds(silenceSeconds), drain(drain) {
  lastBeat = lastLook = Clock::now();
  for (WatchedPeer &link : links) {
    peers.emplace_back();
    peers.back().link = std::move(link);
    peers.back().heard = lastLook;
    if (peers.back().link.socket >= 0)
      fcntl(peers.back().link.socket, F_SETFL, O_NONBLOCK);
  }
  if (pipe2(wakePipe, O_CLOEXEC | O_NONBLOCK))
    throw runFailure("no pipe can be made: the limit of open files is too low");
  noticePipe.store(wakePipe[1]);
  struct sigaction action = {};
  action.sa_handler = handleTermination;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, nullptr);
  faultReporter.store(handOverFault);
  thread = std::thread([this] { run(); });
}

Watch::~Watch() {
  faultReporter.store(nullptr);
  signal(SIGTERM, SIG_DFL);
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  notice(kWake);
  thread.join();
  noticePipe.store(-1);
  for (Peer &peer : peers)
    if (peer.link.socket >= 0)
      close(peer.link.socket);
  close(wakePipe[0]);
  close(wakePipe[1]);
}

//===----------------------------------------------------------------------===//
// What the process says
//===----------------------------------------------------------------------===//

void Watch::attach(Program *newProgram, const Progress *newProgress) {
  std::lock_guard<std::mutex> lock(mutex);
  ++generation;
  program = newProgram;
  progress = newProgress;
  trouble.store(false);
  settledHere = printed = false;
  program->onFailure = [this](int, const Failure &failure) {
    report(failure.error(), failure.status);
  };
  // What is lost stays lost, and others may have failed in it already.
  for (size_t peer = 0; peer < peers.size(); ++peer)
    if (const Failed *failure = failureOf(int(peer))) {
      if (int(peer) < program->numRanks())
        program->failElsewhere(int(peer), {failure->status, failure->message, failure->notes});
      raiseTrouble();
    }
}

void Watch::detach() {
  std::lock_guard<std::mutex> lock(mutex);
  program->onFailure = nullptr;
  program = nullptr;
  progress = nullptr;
}

void Watch::report(const Error &error, tprt_status_t status) {
  std::lock_guard<std::mutex> lock(mutex);
  reportMine({error.exitCode(), status, error.what(), error.notes()});
}

void Watch::reportMine(const Failed &failure) {
  if (failureOf(rank))
    return;
  const uint32_t in = program ? generation : kAllPrograms;
  BlobWriter blob;
  blob.put(in);
  blob.put(int32_t(failure.exitCode));
  blob.put(failure.status);
  blob.putText(failure.message);
  blob.putTexts(failure.notes);
  sendToAll(frameOf(Frame::Failure, blob));
  peers[size_t(rank)].failures.emplace_back(in, failure);
  raiseTrouble();
}

Error Watch::settle() {
  std::unique_lock<std::mutex> lock(mutex);
  settledHere = true;
  saySettled();
  while (!allSettled()) {
    const double patience = someoneLost ? kSettleAfterLossSeconds : kSettleSeconds;
    const auto deadline =
        troubleSince + std::chrono::duration_cast<Clock::duration>(Seconds(patience));
    if (Clock::now() >= deadline)
      break;
    changed.wait_until(lock, deadline);
  }
  const Failed failed = verdict();
  return Error(failed.exitCode, failed.message, failed.notes);
}

void Watch::saySettled() {
  if (peers[size_t(rank)].settled == generation)
    return;
  peers[size_t(rank)].settled = generation;
  BlobWriter blob;
  blob.put(generation);
  sendToAll(frameOf(Frame::Settled, blob));
}

void Watch::conclude(const Error &error) {
  std::unique_lock<std::mutex> lock(mutex);
  const double patience = someoneLost ? kPrinterAfterLossSeconds : kPrinterSeconds;
  changed.wait_for(lock, Seconds(patience), [this] { return printed || prints(); });
  if (prints())
    print(error);
  leaveLocked();
}

void Watch::print(const Error &error) {
  printed = true;
  reportError(error);
  // The launcher reads it before it learns that the process has ended.
  usleep(kReadMicroseconds);
}

void Watch::leave() {
  std::lock_guard<std::mutex> lock(mutex);
  leaveLocked();
}

void Watch::leaveLocked() {
  BlobWriter blob;
  blob.put(printed);
  sendToAll(frameOf(Frame::Leaving, blob));
  if (drain)
    drain();
}

bool Watch::hasLeft(int peer) const {
  std::lock_guard<std::mutex> lock(mutex);
  return peers[size_t(peer)].left;
}

std::string Watch::nameOf(int peer) const {
  const WatchedPeer &link = peers[size_t(peer)].link;
  return "rank " + std::to_string(peer) + " (process " + std::to_string(link.pid) + " on " +
         link.host + ")";
}

ProgressReport Watch::progressOf(int peer) const {
  std::lock_guard<std::mutex> lock(mutex);
  const ProgressReport &report = peers[size_t(peer)].progress;
  return report.generation == generation ? report : ProgressReport();
}

//===----------------------------------------------------------------------===//
// What is known
//===----------------------------------------------------------------------===//

const Watch::Failed *Watch::failureOf(int peer) const {
  for (const auto &[number, failure] : peers[size_t(peer)].failures)
    if (number == generation || number == kAllPrograms)
      return &failure;
  return peers[size_t(peer)].lost ? &*peers[size_t(peer)].lost : nullptr;
}

Watch::Failed Watch::verdict() const {
  // Who waits for a process that is lost may have failed by that.
  const Failed *first = nullptr, *lost = nullptr;
  int firstRank = 0;
  for (size_t peer = peers.size(); peer-- > 0;)
    if (peers[peer].lost) {
      lost = &*peers[peer].lost;
    } else if (const Failed *failure = failureOf(int(peer))) {
      first = failure;
      firstRank = int(peer);
    }
  if (lost)
    return *lost;
  if (!first)
    return {kExitFailed, TPRT_INTERNAL, "another process has ended", {}};
  Failed result = *first;
  if (firstRank && result.message.rfind("rank ", 0) != 0)
    result.message = "rank " + std::to_string(firstRank) + " on " +
                     peers[size_t(firstRank)].link.host + ": " + result.message;
  return result;
}

bool Watch::allSettled() const {
  for (const Peer &peer : peers)
    if (!peer.lost && !peer.left && peer.settled < generation)
      return false;
  return true;
}

bool Watch::prints() const {
  if (printed)
    return false;
  for (int peer = 0; peer < rank; ++peer)
    if (!peers[size_t(peer)].lost && !peers[size_t(peer)].left)
      return false;
  return true;
}

void Watch::raiseTrouble() {
  if (!trouble.load()) {
    troubleSince = Clock::now();
    trouble.store(true, std::memory_order_release);
  }
  changed.notify_all();
}

void Watch::addFailure(int peer, uint32_t number, const Failed &failure) {
  peers[size_t(peer)].failures.emplace_back(number, failure);
  if (number != generation &&
      number != kAllPrograms) // of a program that this process has not begun, or left
    return;
  if (program && peer < program->numRanks())
    program->failElsewhere(peer, {failure.status, failure.message, failure.notes});
  raiseTrouble();
}

void Watch::lose(int peer, const std::string &why) {
  Peer &lost = peers[size_t(peer)];
  if (lost.lost || lost.left)
    return;
  lost.lost = Failed{kExitFailed, TPRT_PEER_LOST, nameOf(peer) + " was lost: " + why, {}};
  // What follows is counted from here, also after an earlier failure.
  if (!someoneLost)
    troubleSince = Clock::now();
  someoneLost = true;
  if (program && peer < program->numRanks())
    program->failElsewhere(peer, {TPRT_PEER_LOST, lost.lost->message});
  raiseTrouble();
}

//===----------------------------------------------------------------------===//
// Connections
//===----------------------------------------------------------------------===//

void Watch::send(Peer &peer, const std::string &payload) {
  if (peer.link.socket < 0)
    return;
  const uint32_t size = uint32_t(payload.size());
  peer.out.append(reinterpret_cast<const char *>(&size), sizeof size);
  peer.out += payload;
  flush(peer);
}

void Watch::sendToAll(const std::string &payload) {
  for (Peer &peer : peers)
    send(peer, payload);
}

void Watch::flush(Peer &peer) {
  while (!peer.out.empty()) {
    const ssize_t sent = ::send(peer.link.socket, peer.out.data(), peer.out.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent < 0)
      return; // later, or the end is read
    peer.out.erase(0, size_t(sent));
  }
}

void Watch::readFrom(int number) {
  Peer &peer = peers[size_t(number)];
  bool ended = false;
  for (char buffer[4096];;) {
    const ssize_t got = recv(peer.link.socket, buffer, sizeof buffer, 0);
    if (got > 0) {
      peer.in.append(buffer, size_t(got));
      peer.heard = Clock::now();
      continue;
    }
    if (got < 0 && errno == EINTR)
      continue;
    ended = got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
    break;
  }
  uint32_t size;
  while (peer.in.size() >= sizeof size) {
    std::memcpy(&size, peer.in.data(), sizeof size);
    if (peer.in.size() - sizeof size < size)
      break;
    const std::string frame = peer.in.substr(sizeof size, size);
    peer.in.erase(0, sizeof size + size);
    handle(number, frame);
  }
  if (!ended)
    return;
  close(peer.link.socket);
  peer.link.socket = -1;
  lose(number, "its process has ended");
}

void Watch::handle(int number, const std::string &frame) {
  Peer &peer = peers[size_t(number)];
  const std::string payload = frame.substr(1);
  BlobReader blob(payload);
  switch (Frame(frame[0])) {
  case Frame::Life: {
    ProgressReport &report = peer.progress;
    report.serial = blob.get<uint32_t>();
    report.generation = blob.get<uint32_t>();
    report.runs = blob.get<uint32_t>();
    report.inside = blob.get<bool>();
    report.epoch = blob.get<uint32_t>();
    report.peer = blob.get<int32_t>();
    report.op = blob.get<int32_t>();
    report.group = blob.get<int32_t>();
    report.number = blob.get<uint32_t>();
    report.begun = blob.getList<uint32_t>();
    report.details = blob.getText();
    return;
  }
  case Frame::Failure: {
    Failed failure;
    const uint32_t in = blob.get<uint32_t>();
    failure.exitCode = blob.get<int32_t>();
    failure.status = blob.get<tprt_status_t>();
    failure.message = blob.getText();
    failure.notes = blob.getTexts();
    return addFailure(number, in, failure);
  }
  case Frame::Settled:
    peer.settled = blob.get<uint32_t>();
    changed.notify_all();
    return;
  case Frame::Leaving:
    peer.left = true;
    printed |= blob.get<bool>();
    changed.notify_all();
    return;
  case Frame::Terminated:
    if (terminatedAt) // all are
      peer.left = true;
    else
      lose(number, "its process was asked to end (signal 15)");
    return;
  }
}

void Watch::beat() {
  BlobWriter blob;
  const ProgressReport report = progress ? progress->read() : ProgressReport();
  blob.put(++serial);
  blob.put(generation);
  blob.put(report.runs);
  blob.put(report.inside);
  blob.put(report.epoch);
  blob.put(report.peer);
  blob.put(report.op);
  blob.put(report.group);
  blob.put(report.number);
  blob.putList(report.begun);
  blob.putText(report.details);
  const std::string frame = frameOf(Frame::Life, blob);
  for (Peer &peer : peers)
    if (peer.out.size() < kMaxUnsent)
      send(peer, frame);
}

//===----------------------------------------------------------------------===//
// The thread
//===----------------------------------------------------------------------===//

void Watch::run() {
  // Signals are for the thread that computes; a fault has its own thread.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  std::unique_lock<std::mutex> lock(mutex);
  while (!stopping) {
    std::vector<pollfd> waits = {{wakePipe[0], POLLIN, 0}};
    std::vector<int> ranks = {-1};
    for (size_t peer = 0; peer < peers.size(); ++peer)
      if (peers[peer].link.socket >= 0) {
        const short events = short(POLLIN | (peers[peer].out.empty() ? 0 : POLLOUT));
        waits.push_back({peers[peer].link.socket, events, 0});
        ranks.push_back(int(peer));
      }
    lock.unlock();
    poll(waits.data(), nfds_t(waits.size()), int(kBeatSeconds * 1000 / 4));
    lock.lock();

    const auto now = Clock::now();
    // When this process itself was stopped, it knows nothing of the others' silence.
    const auto pause = now - lastLook;
    lastLook = now;
    if (Seconds(pause).count() > 5 * kBeatSeconds)
      for (Peer &peer : peers)
        peer.heard += pause;

    for (size_t i = 1; i < waits.size(); ++i)
      if (waits[i].revents & POLLOUT)
        flush(peers[size_t(ranks[i])]);
    for (size_t i = 1; i < waits.size(); ++i)
      if (waits[i].revents & (POLLIN | POLLHUP | POLLERR))
        readFrom(ranks[i]);
    for (char what; read(wakePipe[0], &what, 1) == 1;)
      handleNotice(what);
    if (Seconds(now - lastBeat).count() >= kBeatSeconds) {
      lastBeat = now;
      beat();
    }
    checkDeadlines();
  }
}

void Watch::handleNotice(char what) {
  if (what == kTerminate && !terminatedAt)
    terminatedAt = Clock::now();
  if (what == kFault) { // the thread of the fault does nothing more
    faulted = true;
    reportMine({kExitFailed, TPRT_INTERNAL, faultText.load(), {}});
    saySettled();
  }
}

void Watch::checkDeadlines() {
  const auto now = Clock::now();
  auto since = [&](Clock::time_point begin) { return Seconds(now - begin).count(); };
  auto isSilent = [&](const Peer &peer) {
    return peer.lost || (peer.link.socket >= 0 && since(peer.heard) > silenceSeconds);
  };
  if (silenceSeconds > 0)
    for (size_t peer = 0; peer < peers.size(); ++peer)
      if (peers[peer].link.socket >= 0 && isSilent(peers[peer])) {
        const int through = peers[peer].link.through;
        if (through >= 0 && isSilent(peers[size_t(through)]))
          continue; // it may well have said something
        char text[80];
        std::snprintf(text, sizeof text, "it has not answered for %g s", silenceSeconds);
        lose(int(peer), text);
      }
  if (troubled()) {
    // A rank that computes for long, or waits where nothing can wake it, does not
    // end by itself; one that has had a fault leaves it to the watch.
    const double waited = since(troubleSince);
    const bool hurried = someoneLost || terminatedAt;
    const bool late = waited > (hurried ? kEndAfterLossSeconds : kEndSeconds);
    const bool agreed = allSettled() || waited > kSettleSeconds;
    if (!settledHere && (late || (faulted && agreed && (printed || prints()))))
      endProcess();
    return;
  }
  if (terminatedAt && since(*terminatedAt) > kNewsSeconds) {
    sendToAll(frameOf(Frame::Terminated));
    if (drain)
      drain();
    OutputFile::removeUnfinished();
    sigset_t termination;
    sigemptyset(&termination);
    sigaddset(&termination, SIGTERM);
    signal(SIGTERM, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &termination, nullptr);
    raise(SIGTERM);
  }
}

void Watch::endProcess() {
  const Failed failed = verdict();
  if (prints())
    print(Error(failed.exitCode, failed.message, failed.notes));
  OutputFile::removeUnfinished();
  leaveLocked();
  _exit(failed.exitCode);
}
