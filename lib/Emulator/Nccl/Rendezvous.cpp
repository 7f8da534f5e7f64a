//===- Rendezvous.cpp ------------------------------------------------------===//
//
// Each rank listens at a name of its own, in the abstract space, so that nothing is left
// behind, and connects to those before it.
//
//===----------------------------------------------------------------------===//

#include "Rendezvous.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>

using namespace mlir::tp::emulator;

namespace {

using Time = std::chrono::steady_clock;

struct Address {
  explicit Address(const std::string &name) {
    // The first byte of an abstract name is zero.
    bytes = std::min(name.size(), sizeof(address.sun_path) - 1);
    std::memcpy(address.sun_path + 1, name.data(), bytes);
    bytes += offsetof(sockaddr_un, sun_path) + 1;
  }
  const sockaddr *get() const { return reinterpret_cast<const sockaddr *>(&address); }

  sockaddr_un address = {AF_UNIX, {}};
  socklen_t bytes;
};

std::shared_ptr<Socket> newSocket() {
  return std::make_shared<Socket>(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

std::string nameOf(int rank) { return "rank " + std::to_string(rank) + " of a communicator"; }

/// A connection to what listens there; null where nothing has until `end`.
std::shared_ptr<Socket> connectTo(const Address &address, Time::time_point end) {
  for (;;) {
    std::shared_ptr<Socket> socket = newSocket();
    if (connect(socket->number, address.get(), address.bytes) == 0)
      return socket;
    if (Time::now() > end)
      return nullptr;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

/// The next connection; null where none has come until `end`.
std::shared_ptr<Socket> acceptFrom(const Socket &listener, Time::time_point end) {
  pollfd wait = {listener.number, POLLIN, 0};
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Time::now());
  if (poll(&wait, 1, std::max<int>(left.count(), 0)) <= 0)
    return nullptr;
  return std::make_shared<Socket>(accept4(listener.number, nullptr, nullptr, SOCK_CLOEXEC));
}

} // namespace

llvm::Expected<Connections> mlir::tp::emulator::meet(const std::string &name, int size, int rank,
                                                     std::chrono::seconds patience) {
  const Time::time_point end = Time::now() + patience;
  auto addressOf = [&](int rank) { return Address(name + "/" + std::to_string(rank)); };
  Connections all;
  all.listener = newSocket();
  all.peers.resize(size);
  const Address mine = addressOf(rank);
  if (bind(all.listener->number, mine.get(), mine.bytes) != 0 ||
      listen(all.listener->number, size) != 0)
    return llvm::createStringError(nameOf(rank) + " comes twice");
  const std::string hello = std::to_string(size);
  for (int i = 1; i < size; ++i) {
    // Those before this rank, then those behind it in the order in which they come.
    const bool isBefore = i <= rank;
    std::shared_ptr<Socket> socket =
        isBefore ? connectTo(addressOf(i - 1), end) : acceptFrom(*all.listener, end);
    if (!socket) {
      const auto missing =
          std::find(all.peers.begin() + (isBefore ? i - 1 : rank + 1), all.peers.end(), nullptr);
      return llvm::createStringError(nameOf(missing - all.peers.begin()) +
                                     " does not come within " + std::to_string(patience.count()) +
                                     " s");
    }
    Frame frame;
    if (!socket->write(FrameKind::Hello, rank, hello) || !socket->read(frame))
      return llvm::createStringError("another rank of a communicator was lost");
    if (frame.bytes != hello)
      return llvm::createStringError("ranks differ in the size of a communicator");
    all.peers[frame.rank] = std::move(socket);
  }
  return all;
}
