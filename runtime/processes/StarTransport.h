//===- StarTransport.h - messages through rank 0 ----------------*- C++ -*-===//
//
// A transport without MPI: every process has one TCP connection, with rank 0, which
// passes on what is for another. So nothing listens but rank 0, until all have come.
// Meant for what processes with a GPU each tell each other, while NCCL moves the bytes
// of collectives; ranks on processors work too, with rank 0 as the bottleneck.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_PROCESSES_STARTRANSPORT_H
#define TPRT_PROCESSES_STARTRANSPORT_H

#include "Rendezvous.h"
#include "Transport.h"

namespace tprt {

/// The transport of this process; its `start` goes to the rendezvous and throws what
/// that throws. One in a process.
const tprt_transport_t &starTransport(const Rendezvous &rendezvous);

} // namespace tprt

#endif // TPRT_PROCESSES_STARTRANSPORT_H
