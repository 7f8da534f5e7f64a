//===- StarTransport.cpp - messages through rank 0 ------------------------===//
//
// A thread reads what arrives: messages are kept until they are received, those for
// others passed on, and the bytes of the watch's connections put into sockets whose
// other ends the watch has. A process that ends closes its connection, of which rank 0
// tells the others.
//
//===----------------------------------------------------------------------===//

#include "StarTransport.h"

#include "../core/Blob.h"
#include "tprt/error.h"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <fcntl.h>
#include <map>
#include <memory>
#include <mutex>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <thread>
#include <tuple>
#include <unistd.h>

using namespace tprt;

namespace {

enum class Kind : uint32_t { Message, Watch, WatchEnd };

struct Header {
  Kind kind;
  int32_t from, to; ///< ranks
  int32_t tag;      ///< of messages, as `comm` is
  uint64_t comm;
  uint64_t size; ///< of what follows
};

// Of messages of the transport itself; others' are not negative.
constexpr int32_t kSplitTag = -1, kPartTag = -2, kDoneTag = -3, kGoTag = -4;
constexpr std::chrono::seconds kLastWords(2);
constexpr std::chrono::milliseconds kDrainPatience(300), kDrainPause(1);

/// Bytes that go out when the socket takes them.
struct Outgoing {
  std::string bytes;
  size_t sent = 0;

  bool empty() const { return sent == bytes.size(); }
  void flush(int socket) {
    while (!empty()) {
      const ssize_t now =
          send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (now < 0 && errno == EINTR)
        continue;
      if (now < 0)
        return; // later, or the end is read
      sent += size_t(now);
    }
    bytes.clear();
    sent = 0;
  }
};

/// With rank 0, or of rank 0 with another.
struct Link {
  int socket = -1;
  std::string in;
  Outgoing out;
};

/// This end of what the watch takes for a connection with another process.
struct Channel {
  int socket = -1;
  int process = -1;   ///< pidfd of the other; -1: elsewhere, or not known
  Outgoing out;       ///< for the watch, also before it has its end
  bool ended = false; ///< nothing more comes
};

using Key = std::tuple<int32_t, uint64_t, int32_t>; ///< from, communicator, tag

struct Receive {
  Key key;
  void *data;
  int64_t bytes;
  bool done = false, wrongSize = false;
};

struct Queue {
  std::deque<std::string> arrived;
  std::deque<uint64_t> waiting; ///< receives, in order
};

struct Comm {
  uint64_t id = 0;
  std::vector<int> ranks;
};

class Star {
public:
  explicit Star(const Rendezvous &rendezvous) : rendezvous(rendezvous) {}

  void start();
  int rank() const { return rendezvous.rank; }
  int size() const { return rendezvous.size; }
  int32_t split(int32_t parent, int32_t color, int32_t key, int32_t *comm);
  void send(int32_t comm, int32_t peer, int32_t tag, const void *data, int64_t bytes);
  uint64_t receive(int32_t comm, int32_t peer, int32_t tag, void *data, int64_t bytes);
  /// Whether the receive has ended; -1 with a message of another size.
  int test(uint64_t request);
  void drop(uint64_t request);
  int32_t finish();
  int channel(int peer, int64_t pid);
  void drain();

  std::string problem;

private:
  using Lock = std::unique_lock<std::mutex>;

  void serve();
  void readLink(int peer);
  void readChannel(int peer);
  void handle(const Header &header, std::string payload);
  void deliver(const Key &key, std::string payload);
  void linkEnded(int peer);
  void endChannel(int peer);
  void flush(Channel &channel);
  void post(const Header &header, const void *data);
  void wake();
  bool allSent() const;
  /// The next message; empty where rank 0 is gone.
  std::string await(Lock &lock, const Key &key);

  const Rendezvous rendezvous;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Link> links;       ///< by rank; of others than rank 0 the first only
  std::vector<Channel> channels; ///< by rank
  std::map<Key, Queue> queues;
  std::map<uint64_t, Receive> receives;
  uint64_t lastReceive = 0;
  std::vector<Comm> comms;
  uint64_t commsMade = 0;
  bool alone = false;     ///< the connection with rank 0 has ended
  bool finishing = false; ///< all have said that they end
  int wakeup = -1;
  std::thread thread;
};

void Star::start() {
  const std::vector<int> sockets = meetAtRankZero(rendezvous);
  links.resize(size_t(size()));
  channels.resize(size_t(size()));
  Comm all;
  for (int peer = 0; peer < size(); ++peer) {
    links[size_t(peer)].socket = sockets[size_t(peer)];
    all.ranks.push_back(peer);
  }
  comms.push_back(all);
  wakeup = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wakeup < 0)
    throw runFailure("no pipe can be made: the limit of open files is too low");
  thread = std::thread([this] { serve(); });
  thread.detach();
}

void Star::wake() {
  const uint64_t one = 1;
  const ssize_t written = write(wakeup, &one, sizeof one);
  (void)written;
}

//===----------------------------------------------------------------------===//
// What the process says
//===----------------------------------------------------------------------===//

/// With the mutex held. What is for a process that is gone is dropped: the watch knows.
void Star::post(const Header &header, const void *data) {
  Link &link = links[size_t(rank() ? 0 : header.to)];
  if (link.socket < 0)
    return;
  link.out.bytes.append(reinterpret_cast<const char *>(&header), sizeof header);
  link.out.bytes.append(static_cast<const char *>(data), size_t(header.size));
  link.out.flush(link.socket);
  if (!link.out.empty())
    wake();
}

void Star::send(int32_t comm, int32_t peer, int32_t tag, const void *data, int64_t bytes) {
  Lock lock(mutex);
  const Comm &in = comms[size_t(comm)];
  post({Kind::Message, rank(), in.ranks[size_t(peer)], tag, in.id, uint64_t(bytes)}, data);
}

uint64_t Star::receive(int32_t comm, int32_t peer, int32_t tag, void *data, int64_t bytes) {
  Lock lock(mutex);
  const Comm &in = comms[size_t(comm)];
  const Key key(in.ranks[size_t(peer)], in.id, tag);
  receives.emplace(++lastReceive, Receive{key, data, bytes});
  Queue &queue = queues[key];
  queue.waiting.push_back(lastReceive);
  if (!queue.arrived.empty()) {
    std::string payload = std::move(queue.arrived.front());
    queue.arrived.pop_front();
    deliver(key, std::move(payload));
  }
  return lastReceive;
}

int Star::test(uint64_t request) {
  Lock lock(mutex);
  const auto found = receives.find(request);
  if (found == receives.end()) // a send, which is copied
    return 1;
  if (!found->second.done)
    return 0;
  const bool wrong = found->second.wrongSize;
  receives.erase(found);
  return wrong ? -1 : 1;
}

void Star::drop(uint64_t request) {
  Lock lock(mutex);
  const auto found = receives.find(request);
  if (found == receives.end())
    return;
  std::deque<uint64_t> &waiting = queues[found->second.key].waiting;
  waiting.erase(std::remove(waiting.begin(), waiting.end(), request), waiting.end());
  receives.erase(found);
}

std::string Star::await(Lock &lock, const Key &key) {
  Queue &queue = queues[key];
  const int from = std::get<0>(key);
  changed.wait(lock, [&] {
    return !queue.arrived.empty() || alone || (rank() == 0 && links[size_t(from)].socket < 0);
  });
  if (queue.arrived.empty())
    return "";
  std::string payload = std::move(queue.arrived.front());
  queue.arrived.pop_front();
  return payload;
}

/// The first member of the parent hears what all want and tells each the part it is in.
int32_t Star::split(int32_t parent, int32_t color, int32_t key, int32_t *comm) {
  struct Wish {
    int32_t color, key;
  };
  Lock lock(mutex);
  const Comm in = comms[size_t(parent)];
  const Wish mine{color, key};
  auto sendTo = [&](int to, int32_t tag, const std::string &bytes) {
    post({Kind::Message, rank(), to, tag, in.id, bytes.size()}, bytes.data());
  };
  auto lost = [&] {
    problem = "a process has ended while groups were made";
    return 1;
  };
  std::string part;
  if (rank() == in.ranks[0]) {
    std::map<int32_t, std::vector<std::pair<int32_t, int>>> members; // by color: key, rank
    for (int member : in.ranks) {
      Wish wish = mine;
      if (member != rank()) {
        const std::string bytes = await(lock, {member, in.id, kSplitTag});
        if (bytes.size() != sizeof wish)
          return lost();
        std::memcpy(&wish, bytes.data(), sizeof wish);
      }
      members[wish.color].push_back({wish.key, member});
    }
    for (auto &[wished, list] : members) {
      std::sort(list.begin(), list.end());
      std::vector<int> ranks;
      for (const auto &[order, member] : list)
        ranks.push_back(member);
      BlobWriter blob;
      blob.put((uint64_t(rank() + 1) << 40) + ++commsMade);
      blob.putList(wished < 0 ? std::vector<int>() : ranks);
      for (int member : ranks)
        if (member == rank())
          part = blob.bytes;
        else
          sendTo(member, kPartTag, blob.bytes);
    }
  } else {
    sendTo(in.ranks[0], kSplitTag, std::string(reinterpret_cast<const char *>(&mine), sizeof mine));
    part = await(lock, {in.ranks[0], in.id, kPartTag});
    if (part.empty())
      return lost();
  }
  BlobReader reader(part);
  Comm made;
  made.id = reader.get<uint64_t>();
  made.ranks = reader.getList<int>();
  *comm = -1;
  if (made.ranks.empty())
    return 0;
  *comm = int32_t(comms.size());
  comms.push_back(std::move(made));
  return 0;
}

int32_t Star::finish() {
  Lock lock(mutex);
  auto signal = [&](int to, int32_t tag) { post({Kind::Message, rank(), to, tag, 0, 1}, ""); };
  auto lost = [&] {
    problem = "a process has ended before all had done their work";
    return 1;
  };
  if (rank()) {
    signal(0, kDoneTag);
    return await(lock, {0, 0, kGoTag}).empty() ? lost() : 0;
  }
  for (int peer = 1; peer < size(); ++peer)
    if (await(lock, {peer, 0, kDoneTag}).empty())
      return lost();
  finishing = true;
  for (int peer = 1; peer < size(); ++peer)
    signal(peer, kGoTag);
  changed.wait_for(lock, kLastWords, [&] { return allSent(); });
  return 0;
}

bool Star::allSent() const {
  return std::all_of(links.begin(), links.end(),
                     [](const Link &link) { return link.socket < 0 || link.out.empty(); });
}

void Star::drain() {
  auto allRead = [&] {
    return std::all_of(channels.begin(), channels.end(), [](const Channel &channel) {
      int unread = 0;
      return channel.socket < 0 || ioctl(channel.socket, FIONREAD, &unread) || unread == 0;
    });
  };
  const auto deadline = std::chrono::steady_clock::now() + kDrainPatience;
  for (Lock lock(mutex); !(allRead() && allSent()) && std::chrono::steady_clock::now() < deadline;)
    changed.wait_for(lock, kDrainPause);
}

int Star::channel(int peer, int64_t pid) {
  Lock lock(mutex);
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends)) {
    problem = "no socket can be made: the limit of open files is too low";
    return -1;
  }
  Channel &made = channels[size_t(peer)];
  made.socket = ends[0];
#ifdef SYS_pidfd_open
  if (pid > 0)
    made.process = int(syscall(SYS_pidfd_open, pid_t(pid), 0));
#endif
  flush(made);
  wake();
  return ends[1];
}

//===----------------------------------------------------------------------===//
// What arrives
//===----------------------------------------------------------------------===//

void Star::deliver(const Key &key, std::string payload) {
  Queue &queue = queues[key];
  if (queue.waiting.empty()) {
    queue.arrived.push_back(std::move(payload));
    changed.notify_all();
    return;
  }
  Receive &receive = receives.at(queue.waiting.front());
  queue.waiting.pop_front();
  receive.done = true;
  receive.wrongSize = int64_t(payload.size()) != receive.bytes;
  if (!receive.wrongSize && !payload.empty())
    std::memcpy(receive.data, payload.data(), payload.size());
}

void Star::handle(const Header &header, std::string payload) {
  if (header.to != rank()) {
    if (header.to > 0 && header.to < size() && rank() == 0)
      post(header, payload.data());
    return;
  }
  if (header.from < 0 || header.from >= size())
    return;
  Channel &channel = channels[size_t(header.from)];
  switch (header.kind) {
  case Kind::Message:
    finishing |= header.tag == kGoTag;
    return deliver({header.from, header.comm, header.tag}, std::move(payload));
  case Kind::Watch:
    channel.out.bytes += payload;
    return flush(channel);
  case Kind::WatchEnd:
    return endChannel(header.from);
  }
}

void Star::flush(Channel &channel) {
  if (channel.socket < 0)
    return;
  channel.out.flush(channel.socket);
  if (!channel.ended || !channel.out.empty())
    return;
  close(channel.socket);
  channel.socket = -1;
}

void Star::endChannel(int peer) {
  if (finishing)
    return;
  channels[size_t(peer)].ended = true;
  flush(channels[size_t(peer)]);
}

void Star::linkEnded(int peer) {
  close(links[size_t(peer)].socket);
  links[size_t(peer)].socket = -1;
  endChannel(peer);
  if (rank() == 0) {
    for (int other = 1; other < size() && !finishing; ++other)
      if (other != peer)
        post({Kind::WatchEnd, peer, other, 0, 0, 0}, "");
  } else {
    // The others cannot be heard any more. Those that live on this machine are not lost,
    // so that the lowest of them, and no other, says what has happened.
    alone = true;
    for (int other = 1; other < size(); ++other) {
      pollfd ended{channels[size_t(other)].process, POLLIN, 0};
      if (ended.fd < 0 || poll(&ended, 1, 0) != 0)
        endChannel(other);
    }
  }
  changed.notify_all();
}

void Star::readLink(int peer) {
  Link &link = links[size_t(peer)];
  static thread_local std::string buffer(1 << 18, 0);
  const ssize_t got = recv(link.socket, buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (got < 0 && (errno == EINTR || errno == EAGAIN))
    return;
  if (got <= 0)
    return linkEnded(peer);
  link.in.append(buffer.data(), size_t(got));
  size_t at = 0;
  for (Header header; link.in.size() - at >= sizeof header; at += sizeof header + header.size) {
    std::memcpy(&header, link.in.data() + at, sizeof header);
    if (link.in.size() - at - sizeof header < header.size)
      break;
    handle(header, link.in.substr(at + sizeof header, size_t(header.size)));
  }
  link.in.erase(0, at);
}

void Star::readChannel(int peer) {
  Channel &channel = channels[size_t(peer)];
  char buffer[4096];
  const ssize_t got = recv(channel.socket, buffer, sizeof buffer, MSG_DONTWAIT);
  if (got < 0 && (errno == EINTR || errno == EAGAIN))
    return;
  if (got > 0)
    return post({Kind::Watch, rank(), peer, 0, 0, uint64_t(got)}, buffer);
  close(channel.socket);
  channel.socket = -1;
  post({Kind::WatchEnd, rank(), peer, 0, 0, 0}, "");
}

void Star::serve() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  Lock lock(mutex);
  for (;;) {
    std::vector<pollfd> waits = {{wakeup, POLLIN, 0}};
    std::vector<std::pair<bool, int>> sources = {{false, -1}}; // of a channel; rank
    auto add = [&](int socket, bool ofChannel, size_t peer, const Outgoing &out) {
      if (socket < 0)
        return;
      waits.push_back({socket, short(POLLIN | (out.empty() ? 0 : POLLOUT)), 0});
      sources.push_back({ofChannel, int(peer)});
    };
    for (size_t peer = 0; peer < links.size(); ++peer) {
      add(links[peer].socket, false, peer, links[peer].out);
      add(channels[peer].socket, true, peer, channels[peer].out);
    }
    lock.unlock();
    poll(waits.data(), nfds_t(waits.size()), -1);
    lock.lock();
    uint64_t count;
    while (read(wakeup, &count, sizeof count) > 0)
      ;
    for (size_t i = 1; i < waits.size(); ++i) {
      const auto [ofChannel, peer] = sources[i];
      Link &link = links[size_t(peer)];
      Channel &channel = channels[size_t(peer)];
      if ((ofChannel ? channel.socket : link.socket) != waits[i].fd) // ended meanwhile
        continue;
      if (waits[i].revents & POLLOUT)
        ofChannel ? flush(channel) : link.out.flush(link.socket);
      if (!(waits[i].revents & (POLLIN | POLLHUP | POLLERR)))
        continue;
      if (!ofChannel)
        readLink(peer);
      else if (channel.socket >= 0)
        readChannel(peer);
    }
    changed.notify_all();
  }
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

// Its thread runs until the process ends.
Star *star = nullptr;

const char *problem() { return star->problem.c_str(); }

int32_t start(int32_t *rank, int32_t *size) {
  star->start();
  *rank = star->rank();
  *size = star->size();
  return 0;
}

int32_t split(int32_t parent, int32_t color, int32_t key, int32_t *comm) {
  return star->split(parent, color, key, comm);
}

int32_t sendMessage(int32_t comm, int32_t peer, int32_t tag, const void *data, int64_t bytes,
                    tprt_request_t *request) {
  star->send(comm, peer, tag, data, bytes);
  request->storage = 0;
  return 0;
}

int32_t receiveMessage(int32_t comm, int32_t peer, int32_t tag, void *data, int64_t bytes,
                       tprt_request_t *request) {
  request->storage = star->receive(comm, peer, tag, data, bytes);
  return 0;
}

int32_t test(tprt_request_t *request, int32_t *done) {
  const int result = star->test(request->storage);
  *done = result != 0;
  if (result < 0)
    star->problem = "a message of another size than expected";
  return result < 0;
}

void drop(tprt_request_t *requests, int32_t count) {
  for (int32_t i = 0; i < count; ++i)
    star->drop(requests[i].storage);
}

int32_t finish() { return star->finish(); }

int32_t channel(int32_t peer, int64_t pid, int32_t *socket) {
  *socket = star->channel(peer, pid);
  return *socket < 0;
}

void drain() { star->drain(); }

} // namespace

const tprt_transport_t &tprt::starTransport(const Rendezvous &rendezvous) {
  static const tprt_transport_t transport = {TPRT_TRANSPORT_VERSION,
                                             problem,
                                             start,
                                             split,
                                             sendMessage,
                                             receiveMessage,
                                             test,
                                             drop,
                                             finish,
                                             channel,
                                             drain};
  star = new Star(rendezvous);
  return transport;
}
