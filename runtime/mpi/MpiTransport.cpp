//===- MpiTransport.cpp - MPI as a transport ------------------------------===//
//
// Built against the MPI that CMake finds and loaded by executables that mpirun
// or srun has started. The only file that knows MPI.
//
//===----------------------------------------------------------------------===//

#include "../processes/Transport.h"

#include <mpi.h>

#include <cstring>
#include <string>
#include <vector>

namespace {

static_assert(sizeof(MPI_Request) <= sizeof(tprt_request_t), "requests do not fit");

std::string problemText;
std::vector<MPI_Comm> communicators; // by our numbers; 0 has all processes

MPI_Request unpack(const tprt_request_t &request) {
  MPI_Request result;
  std::memcpy(&result, &request, sizeof result);
  return result;
}

void pack(MPI_Request request, tprt_request_t *result) {
  result->storage = 0;
  std::memcpy(result, &request, sizeof request);
}

/// 0, or 1 with the text of an error of MPI.
int32_t check(int code, const char *what) {
  if (code == MPI_SUCCESS)
    return 0;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  problemText = std::string(what) + ": " + std::string(text, size_t(length));
  return 1;
}

const char *problem() { return problemText.c_str(); }

int32_t start(int32_t *rank, int32_t *size) {
  int initialized = 0, provided = 0;
  MPI_Initialized(&initialized);
  if (!initialized)
    if (check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread"))
      return 1;
  MPI_Query_thread(&provided);
  if (provided < MPI_THREAD_FUNNELED) {
    problemText = "this MPI allows no second thread in a process (MPI_THREAD_FUNNELED)";
    return 1;
  }
  MPI_Comm all;
  if (check(MPI_Comm_dup(MPI_COMM_WORLD, &all), "MPI_Comm_dup"))
    return 1;
  MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN); // inherited by what is split off
  communicators.assign(1, all);
  MPI_Comm_rank(all, rank);
  MPI_Comm_size(all, size);
  return 0;
}

int32_t split(int32_t parent, int32_t color, int32_t key, int32_t *comm) {
  MPI_Comm result;
  *comm = -1;
  if (check(MPI_Comm_split(communicators[size_t(parent)], color < 0 ? MPI_UNDEFINED : color, key,
                           &result),
            "MPI_Comm_split"))
    return 1;
  if (result == MPI_COMM_NULL)
    return 0;
  *comm = int32_t(communicators.size());
  communicators.push_back(result);
  return 0;
}

int32_t send(int32_t comm, int32_t peer, int32_t tag, const void *data, int64_t bytes,
             tprt_request_t *request) {
  MPI_Request result;
  if (check(MPI_Isend(data, int(bytes), MPI_BYTE, peer, tag, communicators[size_t(comm)], &result),
            "MPI_Isend"))
    return 1;
  pack(result, request);
  return 0;
}

int32_t receive(int32_t comm, int32_t peer, int32_t tag, void *data, int64_t bytes,
                tprt_request_t *request) {
  MPI_Request result;
  if (check(MPI_Irecv(data, int(bytes), MPI_BYTE, peer, tag, communicators[size_t(comm)], &result),
            "MPI_Irecv"))
    return 1;
  pack(result, request);
  return 0;
}

int32_t test(tprt_request_t *request, int32_t *done) {
  MPI_Request mine = unpack(*request);
  int flag = 0;
  const int code = MPI_Test(&mine, &flag, MPI_STATUS_IGNORE);
  pack(mine, request);
  *done = flag;
  return check(code, "MPI_Test");
}

void drop(tprt_request_t *requests, int32_t count) {
  for (int32_t i = 0; i < count; ++i) {
    MPI_Request mine = unpack(requests[i]);
    if (mine == MPI_REQUEST_NULL)
      continue;
    MPI_Cancel(&mine);
    MPI_Request_free(&mine);
  }
}

int32_t finish() { return check(MPI_Finalize(), "MPI_Finalize"); }

const tprt_transport_t transport = {TPRT_TRANSPORT_VERSION,
                                    problem,
                                    start,
                                    split,
                                    send,
                                    receive,
                                    test,
                                    drop,
                                    finish,
                                    nullptr,
                                    nullptr};

} // namespace

extern "C" __attribute__((visibility("default"))) const tprt_transport_t *tprt_transport_get() {
  return &transport;
}
