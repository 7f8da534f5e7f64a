//===- Mesh.cpp - a connection between every two processes ----------------===//
//
// A process connects to those before it and then waits for those behind it, so
// that there is no circle. Who connects says the token and its rank; who is
// connected answers with its own, so that a program that happens to listen on
// the same port, or the same address on another host, is not mistaken for it.
//
//===----------------------------------------------------------------------===//

#include "Mesh.h"

#include "../core/Blob.h"
#include "tprt/error.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tprt;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kConnectPatience(3);

/// Token and rank, as both sides say them.
constexpr size_t kTokenBytes = 16;
struct Greeting {
  char token[kTokenBytes];
  int32_t rank;
};

class Socket {
public:
  explicit Socket(int number) : number(number) {}
  ~Socket() {
    if (number >= 0)
      close(number);
  }
  Socket(const Socket &) = delete;
  Socket &operator=(const Socket &) = delete;
  int get() const { return number; }
  int take() {
    const int result = number;
    number = -1;
    return result;
  }

private:
  int number;
};

bool waitFor(int socket, short events, Clock::time_point deadline) {
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd wait{socket, events, 0};
    const int ready = poll(&wait, 1, int(std::max<int64_t>(left, 0)));
    if (ready > 0)
      return true;
    if (ready == 0 || errno != EINTR)
      return false;
  }
}

Greeting greetingOf(const std::string &token, int rank) {
  Greeting greeting = {};
  std::memcpy(greeting.token, token.data(), std::min(token.size(), kTokenBytes));
  greeting.rank = rank;
  return greeting;
}

/// The rank that the other side says, -1 when it is none of ours.
int readGreeting(int socket, const std::string &token, Clock::time_point deadline) {
  Greeting greeting;
  size_t size = 0;
  while (size < sizeof greeting) {
    if (!waitFor(socket, POLLIN, deadline))
      return -1;
    const ssize_t got =
        recv(socket, reinterpret_cast<char *>(&greeting) + size, sizeof greeting - size, 0);
    if (got <= 0)
      return -1;
    size += size_t(got);
  }
  const Greeting expected = greetingOf(token, greeting.rank);
  return std::memcmp(&greeting, &expected, sizeof greeting) == 0 ? greeting.rank : -1;
}

bool sendGreeting(int socket, const std::string &token, int rank) {
  const Greeting greeting = greetingOf(token, rank);
  return send(socket, &greeting, sizeof greeting, MSG_NOSIGNAL) == ssize_t(sizeof greeting);
}

/// A socket that is connected to an address within the time; -1 with errno.
int connectTo(const std::string &address, uint16_t port, Clock::time_point deadline) {
  sockaddr_storage target = {};
  socklen_t size;
  auto *four = reinterpret_cast<sockaddr_in *>(&target);
  auto *six = reinterpret_cast<sockaddr_in6 *>(&target);
  if (inet_pton(AF_INET, address.c_str(), &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons(port);
    size = sizeof *four;
  } else if (inet_pton(AF_INET6, address.c_str(), &six->sin6_addr) == 1) {
    six->sin6_family = AF_INET6;
    six->sin6_port = htons(port);
    size = sizeof *six;
  } else {
    errno = EINVAL;
    return -1;
  }
  Socket result(socket(target.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (result.get() < 0)
    return -1;
  if (connect(result.get(), reinterpret_cast<sockaddr *>(&target), size) && errno != EINPROGRESS)
    return -1;
  if (!waitFor(result.get(), POLLOUT, std::min(deadline, Clock::now() + kConnectPatience))) {
    errno = ETIMEDOUT;
    return -1;
  }
  int error = 0;
  socklen_t length = sizeof error;
  getsockopt(result.get(), SOL_SOCKET, SO_ERROR, &error, &length);
  if (error) {
    errno = error;
    return -1;
  }
  return result.take();
}

void sendAtOnce(int socket) {
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

std::string nameOf(int rank, const ProcessInfo &process) {
  return "rank " + std::to_string(rank) + " (process " + std::to_string(process.pid) + " on " +
         process.host + ")";
}

/// Connects to a process, by the first of its addresses where it answers.
int reach(int rank, int peer, const ProcessInfo &mine, const ProcessInfo &process,
          const std::string &token, Clock::time_point deadline) {
  std::vector<std::string> addresses = process.addresses;
  if (mine.machine == process.machine && mine.network == process.network)
    addresses = {"127.0.0.1"};
  std::string tried;
  for (const std::string &address : addresses) {
    Socket connection(connectTo(address, process.port, deadline));
    std::string problem;
    if (connection.get() < 0)
      problem = std::strerror(errno);
    else if (!sendGreeting(connection.get(), token, rank) ||
             readGreeting(connection.get(), token, deadline) != peer)
      problem = "no answer";
    else
      return connection.take();
    tried += (tried.empty() ? "" : ", ") + address + " port " + std::to_string(process.port) +
             ": " + problem;
  }
  throw runFailure("rank " + std::to_string(rank) + " on " + mine.host + " cannot reach " +
                       nameOf(peer, process) + ": " +
                       (tried.empty() ? "it has no network address" : tried),
                   {"ranks connect to each other by TCP, on ports that the system chooses: no "
                    "firewall may be between their hosts"});
}

std::string firstLine(const char *path) {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

std::vector<std::string> networkAddresses() {
  std::vector<std::string> result;
  ifaddrs *list = nullptr;
  if (getifaddrs(&list))
    return result;
  for (const ifaddrs *one = list; one; one = one->ifa_next) {
    if (!one->ifa_addr || !(one->ifa_flags & IFF_UP) || (one->ifa_flags & IFF_LOOPBACK))
      continue;
    char text[INET6_ADDRSTRLEN];
    const void *address = nullptr;
    if (one->ifa_addr->sa_family == AF_INET)
      address = &reinterpret_cast<sockaddr_in *>(one->ifa_addr)->sin_addr;
    if (one->ifa_addr->sa_family == AF_INET6) {
      address = &reinterpret_cast<sockaddr_in6 *>(one->ifa_addr)->sin6_addr;
      if (IN6_IS_ADDR_LINKLOCAL(static_cast<const in6_addr *>(address)))
        continue;
    }
    if (address && inet_ntop(one->ifa_addr->sa_family, address, text, sizeof text))
      result.push_back(text);
  }
  freeifaddrs(list);
  return result;
}

} // namespace

std::string ProcessInfo::pack() const {
  BlobWriter blob;
  blob.putTexts({host, machine, network, processors});
  blob.putTexts(addresses);
  blob.put(port);
  blob.put(pid);
  blob.put(program);
  return blob.bytes;
}

ProcessInfo ProcessInfo::unpack(const std::string &bytes) {
  BlobReader blob(bytes);
  ProcessInfo info;
  const std::vector<std::string> texts = blob.getTexts();
  info.host = texts.at(0);
  info.machine = texts.at(1);
  info.network = texts.at(2);
  info.processors = texts.at(3);
  info.addresses = blob.getTexts();
  info.port = blob.get<uint16_t>();
  info.pid = blob.get<int64_t>();
  info.program = blob.get<uint64_t>();
  return info;
}

ProcessInfo tprt::describeThisProcess() {
  ProcessInfo info;
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  info.host = name;
  info.machine = firstLine("/proc/sys/kernel/random/boot_id"); // containers share processors
  if (info.machine.empty())
    info.machine = info.host;
  struct stat space;
  if (stat("/proc/self/ns/net", &space) == 0)
    info.network = std::to_string(space.st_ino);
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  for (int processor = 0; processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(processor, &set))
      info.processors += std::to_string(processor) + " ";
  info.addresses = networkAddresses();
  info.pid = getpid();
  return info;
}

Listener::Listener() {
  // IPv6 takes IPv4 too; where the system has none, IPv4 alone.
  sockaddr_in6 six = {};
  six.sin6_family = AF_INET6;
  sockaddr_in four = {};
  four.sin_family = AF_INET;
  const int off = 0;
  socket = ::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  bool bound = socket >= 0 && !setsockopt(socket, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) &&
               !bind(socket, reinterpret_cast<sockaddr *>(&six), sizeof six);
  if (!bound) {
    if (socket >= 0)
      close(socket);
    socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bound = socket >= 0 && !bind(socket, reinterpret_cast<sockaddr *>(&four), sizeof four);
  }
  sockaddr_storage address = {};
  socklen_t size = sizeof address;
  if (!bound || listen(socket, 1024) ||
      getsockname(socket, reinterpret_cast<sockaddr *>(&address), &size))
    throw runFailure(std::string("cannot listen for other ranks: ") + std::strerror(errno));
  number =
      ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6 *>(&address)->sin6_port
                                          : reinterpret_cast<sockaddr_in *>(&address)->sin_port);
}

Listener::~Listener() { close(socket); }

std::vector<int> Listener::connectAll(int rank, const std::vector<ProcessInfo> &processes,
                                      const std::string &token, Clock::time_point deadline) {
  std::vector<int> sockets(processes.size(), -1);
  try {
    for (int peer = 0; peer < rank; ++peer)
      sockets[size_t(peer)] =
          reach(rank, peer, processes[size_t(rank)], processes[size_t(peer)], token, deadline);
    for (size_t missing = processes.size() - size_t(rank) - 1; missing;) {
      if (!waitFor(socket, POLLIN, deadline))
        break;
      Socket connection(accept4(socket, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (connection.get() < 0)
        continue;
      // Strangers must not hold up the others.
      const auto patience = std::min(deadline, Clock::now() + kConnectPatience);
      const int peer = readGreeting(connection.get(), token, patience);
      if (peer <= rank || size_t(peer) >= processes.size() || sockets[size_t(peer)] >= 0 ||
          !sendGreeting(connection.get(), token, rank))
        continue;
      sockets[size_t(peer)] = connection.take();
      --missing;
    }
    for (size_t peer = 0; peer < processes.size(); ++peer)
      if (int(peer) != rank && sockets[peer] < 0)
        throw runFailure(nameOf(int(peer), processes[peer]) + " did not connect to rank " +
                         std::to_string(rank) + " on " + processes[size_t(rank)].host);
  } catch (...) {
    for (int one : sockets)
      if (one >= 0)
        close(one);
    throw;
  }
  for (int one : sockets)
    if (one >= 0)
      sendAtOnce(one);
  return sockets;
}
