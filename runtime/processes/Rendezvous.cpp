//===- Rendezvous.cpp - processes that come to rank 0 ---------------------===//
//
// Who connects says a greeting; the answer comes when all are there, or at once where
// the greeting is wrong. Rank 0 reads all connections at the same time, since who says
// nothing or nonsense must not hold up the others.
//
//===----------------------------------------------------------------------===//

#include "Rendezvous.h"

#include "../core/CountText.h"
#include "tprt/error.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

using namespace tprt;

namespace {

using Clock = std::chrono::steady_clock;

constexpr char kMagic[8] = {'t', 'p', 'r', 't', '-', 'r', 'v', '2'};
// Who has not said its greeting after so long is a stranger.
constexpr std::chrono::seconds kGreetingPatience(5);
// Connections of strangers that are kept at the same time.
constexpr size_t kMostStrangers = 64;
constexpr std::chrono::milliseconds kRetry(50);
// The others give up later than rank 0, which can name who is missing.
constexpr std::chrono::seconds kLongerThanRankZero(2);

/// Of a process, for messages: "process 4711 on node1", cut where it is longer.
struct ProcessName {
  char text[80];
};

struct Greeting {
  char magic[8];
  uint32_t rank, size, tokenBytes;
  ProcessName process;
};

enum class Verdict : uint32_t { Welcome, WrongToken, OtherSize, RankIsTaken, Over };

struct Answer {
  char magic[8];
  Verdict verdict;
  uint32_t size;     ///< of the job that the rendezvous is of
  ProcessName other; ///< rank 0, or who came with the same rank
};

class Socket {
public:
  explicit Socket(int number = -1) : number(number) {}
  Socket(Socket &&other) : number(other.take()) {}
  Socket &operator=(Socket &&other) {
    std::swap(number, other.number);
    return *this;
  }
  ~Socket() {
    if (number >= 0)
      close(number);
  }
  int get() const { return number; }
  int take() { return std::exchange(number, -1); }

private:
  int number;
};

std::string secondsText(double seconds) {
  char text[40];
  std::snprintf(text, sizeof text, "%g s", seconds);
  return text;
}

ProcessName nameThisProcess() {
  char host[64] = "";
  gethostname(host, sizeof host - 1);
  ProcessName name = {};
  std::snprintf(name.text, sizeof name.text, "process %lld on %s", (long long)getpid(), host);
  return name;
}

/// What another process says that it is: of printable characters only.
std::string textOf(const ProcessName &name) {
  std::string text(name.text, strnlen(name.text, sizeof name.text));
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

std::string placeOf(const Rendezvous &at) {
  return at.address + " port " + std::to_string(at.port);
}

int millisecondsUntil(Clock::time_point deadline) {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return int(std::clamp<int64_t>(left + 1, 0, 1000));
}

/// Whether the two are equal, in a time that depends on neither's content.
bool isSameToken(const std::string &one, const std::string &other) {
  unsigned char difference = one.size() != other.size();
  for (size_t i = 0; i < Rendezvous::kMaxToken; ++i) {
    const char a = i < one.size() ? one[i] : 0, b = i < other.size() ? other[i] : 0;
    difference = static_cast<unsigned char>(difference | (a ^ b));
  }
  return difference == 0;
}

using Addresses = std::unique_ptr<addrinfo, void (*)(addrinfo *)>;

/// What a host's name stands for; null with the reason in `problem`.
Addresses resolve(const Rendezvous &at, std::string &problem) {
  addrinfo hints = {};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo *found = nullptr;
  const int code = getaddrinfo(at.address.c_str(), std::to_string(at.port).c_str(), &hints, &found);
  if (code)
    problem = gai_strerror(code);
  return Addresses(code ? nullptr : found, freeaddrinfo);
}

bool sendAnswer(int socket, Verdict verdict, int size,
                const ProcessName &other = nameThisProcess()) {
  Answer answer = {};
  std::memcpy(answer.magic, kMagic, sizeof kMagic);
  answer.verdict = verdict;
  answer.size = uint32_t(size);
  answer.other = other;
  return send(socket, &answer, sizeof answer, MSG_NOSIGNAL | MSG_DONTWAIT) ==
         ssize_t(sizeof answer);
}

//===----------------------------------------------------------------------===//
// Rank 0
//===----------------------------------------------------------------------===//

/// Listens on all interfaces, or where the address is literally that of this host
/// alone on that: a name may stand for another address here than elsewhere.
Socket listenAt(const Rendezvous &at) {
  const bool loops = at.address == "localhost" || at.address.rfind("127.", 0) == 0;
  sockaddr_in6 six = {};
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(at.port);
  if (at.address == "::1")
    six.sin6_addr = in6addr_loopback;
  sockaddr_in four = {};
  four.sin_family = AF_INET;
  four.sin_port = htons(at.port);
  if (loops && inet_pton(AF_INET, at.address.c_str(), &four.sin_addr) != 1)
    four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int on = 1, off = 0;
  int problem = EAFNOSUPPORT;
  auto attempt = [&](int family, sockaddr *address, socklen_t bytes) {
    Socket made(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (made.get() >= 0) {
      setsockopt(made.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
      if (family == AF_INET6)
        setsockopt(made.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
      if (!bind(made.get(), address, bytes) && !listen(made.get(), 1024))
        return made;
    }
    problem = errno;
    return Socket();
  };
  Socket result;
  if (!loops)
    result = attempt(AF_INET6, reinterpret_cast<sockaddr *>(&six), sizeof six);
  // IPv6 takes IPv4 too; where the system has none, IPv4 alone.
  if (result.get() < 0 && problem != EADDRINUSE && at.address != "::1")
    result = attempt(AF_INET, reinterpret_cast<sockaddr *>(&four), sizeof four);
  if (result.get() < 0)
    throw runFailure("rank 0 cannot wait for the other ranks at " + placeOf(at) + ": " +
                         std::strerror(problem),
                     {"MASTER_PORT chooses another port, for all ranks"});
  return result;
}

/// A connection whose greeting has not been read to its end.
struct Comer {
  Socket socket;
  std::string said;
  Clock::time_point since;
};

class Host {
public:
  explicit Host(const Rendezvous &at)
      : at(at), listener(listenAt(at)), guests(size_t(at.size)), names(size_t(at.size)) {}

  std::vector<int> receive() {
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double>(at.seconds));
    while (missing().size()) {
      if (Clock::now() >= deadline)
        giveUp();
      look(deadline);
    }
    std::vector<int> sockets;
    for (Socket &guest : guests) {
      if (guest.get() >= 0)
        sendAnswer(guest.get(), Verdict::Welcome, at.size); // who died since is found out later
      sockets.push_back(guest.take());
    }
    return sockets;
  }

private:
  std::vector<int> missing() const {
    std::vector<int> result;
    for (int rank = 1; rank < at.size; ++rank)
      if (guests[size_t(rank)].get() < 0)
        result.push_back(rank);
    return result;
  }

  void look(Clock::time_point deadline) {
    std::vector<pollfd> waits = {{listener.get(), POLLIN, 0}};
    for (const Comer &comer : comers)
      waits.push_back({comer.socket.get(), POLLIN, 0});
    const size_t firstGuest = waits.size();
    std::vector<size_t> ranks;
    for (size_t rank = 1; rank < guests.size(); ++rank)
      if (guests[rank].get() >= 0) {
        waits.push_back({guests[rank].get(), POLLIN, 0});
        ranks.push_back(rank);
      }
    poll(waits.data(), nfds_t(waits.size()), millisecondsUntil(deadline));

    // A guest says nothing more: it has ended, and may come again.
    for (size_t i = 0; i < ranks.size(); ++i)
      if (waits[firstGuest + i].revents)
        guests[ranks[i]] = Socket();
    std::vector<Comer> kept;
    for (size_t i = 0; i < comers.size(); ++i)
      if (!waits[1 + i].revents ? Clock::now() - comers[i].since < kGreetingPatience
                                : readFrom(comers[i]))
        kept.push_back(std::move(comers[i]));
    comers = std::move(kept);
    if (waits[0].revents) {
      Socket socket(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (socket.get() < 0)
        return;
      if (comers.size() >= kMostStrangers)
        comers.erase(comers.begin());
      comers.push_back({std::move(socket), "", Clock::now()});
    }
  }

  /// Whether there is more to come.
  bool readFrom(Comer &comer) {
    char buffer[sizeof(Greeting) + Rendezvous::kMaxToken];
    const ssize_t got =
        recv(comer.socket.get(), buffer, sizeof buffer - comer.said.size(), MSG_DONTWAIT);
    if (got <= 0)
      return got < 0 && (errno == EAGAIN || errno == EINTR);
    comer.said.append(buffer, size_t(got));
    Greeting greeting;
    if (comer.said.size() < sizeof greeting)
      return true;
    std::memcpy(&greeting, comer.said.data(), sizeof greeting);
    if (std::memcmp(greeting.magic, kMagic, sizeof kMagic) ||
        greeting.tokenBytes > Rendezvous::kMaxToken)
      return false;
    if (comer.said.size() < sizeof greeting + greeting.tokenBytes)
      return true;
    const Verdict verdict = judge(greeting, comer.said.substr(sizeof greeting));
    if (verdict == Verdict::Welcome) {
      guests[greeting.rank] = std::move(comer.socket);
      names[greeting.rank] = greeting.process;
    } else if (verdict == Verdict::RankIsTaken) {
      sendAnswer(comer.socket.get(), verdict, at.size, names[greeting.rank]);
    } else {
      sendAnswer(comer.socket.get(), verdict, at.size);
    }
    return false;
  }

  Verdict judge(const Greeting &greeting, const std::string &token) {
    if (!isSameToken(token, at.token)) {
      ++wrongTokens;
      return Verdict::WrongToken;
    }
    if (greeting.size != uint32_t(at.size) || greeting.rank == 0 || greeting.rank >= greeting.size)
      return Verdict::OtherSize;
    if (guests[greeting.rank].get() >= 0)
      return Verdict::RankIsTaken;
    return Verdict::Welcome;
  }

  [[noreturn]] void giveUp() {
    for (const Socket &guest : guests)
      if (guest.get() >= 0)
        sendAnswer(guest.get(), Verdict::Over, at.size);
    const std::vector<int> ranks = missing();
    std::string names = ranks.size() > 1 ? "ranks " : "rank ";
    for (size_t i = 0; i < ranks.size(); ++i)
      names += (i ? ", " : "") + std::to_string(ranks[i]);
    std::vector<std::string> notes = {"--start-timeout S waits longer"};
    if (wrongTokens)
      notes.insert(notes.begin(), "who said another token was sent away (" +
                                      std::to_string(wrongTokens) +
                                      " times): TPRT_TOKEN must be the same for all ranks");
    throw runFailure(names + " of " + std::to_string(at.size) + " did not come to rank 0 at " +
                         placeOf(at) + " within " + secondsText(at.seconds),
                     notes, TPRT_TIMED_OUT);
  }

  const Rendezvous &at;
  Socket listener;
  std::vector<Socket> guests;     ///< by rank
  std::vector<ProcessName> names; ///< of the guests
  std::vector<Comer> comers;
  int wrongTokens = 0;
};

//===----------------------------------------------------------------------===//
// The others
//===----------------------------------------------------------------------===//

bool waitFor(int socket, short events, Clock::time_point deadline) {
  for (;;) {
    pollfd wait{socket, events, 0};
    const int ready = poll(&wait, 1, millisecondsUntil(deadline));
    if (ready > 0)
      return true;
    if ((ready < 0 && errno != EINTR) || Clock::now() >= deadline) {
      errno = ETIMEDOUT;
      return false;
    }
  }
}

/// A connection with the first of the addresses that answers; -1 with the reason.
Socket connectTo(const addrinfo *addresses, Clock::time_point deadline, std::string &problem) {
  for (const addrinfo *one = addresses; one; one = one->ai_next) {
    Socket result(socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    int code = 0;
    socklen_t bytes = sizeof code;
    if (result.get() < 0 ||
        (connect(result.get(), one->ai_addr, one->ai_addrlen) && errno != EINPROGRESS) ||
        !waitFor(result.get(), POLLOUT, deadline))
      code = errno;
    else
      getsockopt(result.get(), SOL_SOCKET, SO_ERROR, &code, &bytes);
    if (!code)
      return result;
    problem = std::strerror(code);
  }
  return Socket();
}

/// Whether all of the answer came, or as much as tells that it is none.
bool readAnswer(int socket, Answer &answer, Clock::time_point deadline) {
  size_t size = 0;
  while (size < sizeof answer) {
    if (!waitFor(socket, POLLIN, deadline))
      return false;
    const ssize_t got =
        recv(socket, reinterpret_cast<char *>(&answer) + size, sizeof answer - size, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
      continue;
    if (got <= 0) {
      errno = ECONNRESET;
      return false;
    }
    size += size_t(got);
    if (size >= sizeof answer.magic && std::memcmp(answer.magic, kMagic, sizeof kMagic))
      return true;
  }
  return true;
}

Socket visit(const Rendezvous &at) {
  const std::string me = "rank " + std::to_string(at.rank);
  const auto deadline =
      Clock::now() + kLongerThanRankZero +
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(at.seconds));
  Greeting greeting = {};
  std::memcpy(greeting.magic, kMagic, sizeof kMagic);
  greeting.rank = uint32_t(at.rank);
  greeting.size = uint32_t(at.size);
  greeting.tokenBytes = uint32_t(at.token.size());
  greeting.process = nameThisProcess();
  const std::string said =
      std::string(reinterpret_cast<const char *>(&greeting), sizeof greeting) + at.token;
  std::string problem;
  for (; Clock::now() < deadline; usleep(useconds_t(kRetry.count()) * 1000)) {
    const Addresses addresses = resolve(at, problem);
    Socket socket = connectTo(addresses.get(), deadline, problem);
    if (socket.get() < 0)
      continue; // rank 0 may be later
    if (send(socket.get(), said.data(), said.size(), MSG_NOSIGNAL) != ssize_t(said.size())) {
      problem = std::strerror(errno);
      continue;
    }
    Answer answer = {};
    if (!readAnswer(socket.get(), answer, deadline)) {
      problem = "it closed the connection without an answer";
      continue;
    }
    if (std::memcmp(answer.magic, kMagic, sizeof kMagic))
      throw runFailure("what " + me + " found at " + placeOf(at) + " is not rank 0 of a program",
                       {"MASTER_ADDR and MASTER_PORT say where rank 0 waits for the others"});
    switch (answer.verdict) {
    case Verdict::Welcome:
      return socket;
    case Verdict::WrongToken:
      throw badInput(
          me + " was sent away by rank 0 at " + placeOf(at) + ": it has another token",
          {"TPRT_TOKEN must be the same for all ranks; without it the launcher's name of "
           "the job is the token",
           "another job may use the same port: MASTER_PORT chooses one"});
    case Verdict::OtherSize:
      throw badInput(me + " of " + std::to_string(at.size) + " (" + textOf(greeting.process) +
                         ") was sent away by rank 0 (" + textOf(answer.other) + ") at " +
                         placeOf(at) + ", which waits for " + countText(answer.size, "rank"),
                     {"another job may use the same port: MASTER_PORT chooses one"});
    case Verdict::RankIsTaken:
      throw badInput("there are two of " + me + ": " + textOf(greeting.process) +
                         " came to rank 0 at " + placeOf(at) + " after " + textOf(answer.other),
                     {"RANK is another number in each process of a job",
                      "another job may use the same port: MASTER_PORT chooses one"});
    case Verdict::Over:
      throw runFailure("rank 0 has given up", {}, TPRT_ABORTED);
    }
  }
  throw runFailure(me + " cannot reach rank 0 at " + placeOf(at) + " within " +
                       secondsText(at.seconds) + ": " + problem,
                   {"MASTER_ADDR and MASTER_PORT say where rank 0 waits for the others",
                    "--start-timeout S waits longer"});
}

} // namespace

std::vector<int> tprt::meetAtRankZero(const Rendezvous &at) {
  if (at.rank < 0 || at.rank >= at.size)
    throw badInput("rank " + std::to_string(at.rank) + " of " + std::to_string(at.size) +
                   " processes is not one of them");
  if (at.token.size() > Rendezvous::kMaxToken)
    throw badInput("the token has " + std::to_string(at.token.size()) + " bytes, at most " +
                   std::to_string(Rendezvous::kMaxToken) + " are allowed (TPRT_TOKEN)");
  std::vector<int> sockets;
  if (at.rank == 0) {
    sockets = Host(at).receive();
  } else {
    sockets.assign(size_t(at.size), -1);
    sockets[0] = visit(at).take();
  }
  const int on = 1;
  for (int socket : sockets)
    if (socket >= 0)
      setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return sockets;
}
