// A rank of the fake NCCL, and the log that it writes with NCCL_DEBUG=INFO.
#pragma once

#include <unistd.h>

#include "nccl-shared.h"

using namespace fake;

namespace {

struct Comm {
  Comm(Shared* memory, int self, int count, int gpu) : shared(memory), rank(self), ranks(count), physical(gpu) {}
  Shared* shared;
  int rank, ranks, physical;
  bool ready = false;
  std::atomic<int> error{0};
  std::atomic<bool> aborted{false};
  std::string lastError;
};

void log(const Comm* comm, const std::string& text) {
  if (environment("NCCL_DEBUG") != "INFO") return;
  char host[64] = "node";
  gethostname(host, sizeof host - 1);
  printf("%s:%d:%d [%d] NCCL INFO %s\n", host, getpid(), getpid(), comm->physical, text.c_str());
  fflush(stdout);
}

std::string transport() {
  const std::string net = environment("NCCL_NET");
  const std::string network = net == "IB" ? "NET/IB/0/GDRDMA" : "NET/Socket/0";
  std::string chosen = network;
  if (environment("NCCL_SHM_DISABLE") != "1") chosen = "SHM/direct/direct";
  if (environment("NCCL_P2P_DISABLE") != "1") chosen = "P2P/CUMEM";
  return environment("FAKE_NCCL_TRANSPORT", chosen.c_str());
}

void logStart(const Comm* comm) {
  const std::string via = transport();
  const bool ib = via.find("IB") != std::string::npos;
  log(comm, "NCCL version 2.27.7+cuda13.0");
  log(comm, ib ? "NET/IB : Using [0]mlx5_0:1/IB [RO]; OOB lo:127.0.0.1<0>" : "NET/Socket : Using [0]lo:127.0.0.1<0>");
  log(comm, ib ? "Using network IB" : "Using network Socket");
  if (comm->ranks > 1)
    for (int channel = 0; channel < 2; channel++) {
      const int next = (comm->rank + 1) % comm->ranks, previous = (comm->rank + comm->ranks - 1) % comm->ranks;
      const auto name = [](int rank) { return std::to_string(rank) + "[" + std::to_string(rank) + "]"; };
      const std::string head = "Channel 0" + std::to_string(channel) + "/0 : ";
      const bool net = via.rfind("NET", 0) == 0;
      if (net) log(comm, head + name(previous) + " -> " + name(comm->rank) + " [receive] via " + via);
      log(comm, head + name(comm->rank) + " -> " + name(next) + (net ? " [send]" : "") + " via " + via);
    }
  log(comm, "Connected all rings, use ring PXN 0 GDR " + std::string(ib ? "1" : "0"));
  log(comm, "2 coll channels, 2 collnet channels, 0 nvls channels, 2 p2p channels, 2 p2p channels per peer");
  char text[160];
  snprintf(text, sizeof text, "ncclCommInitRankConfig comm %p rank %d nranks %d cudaDev 0 nvmlDev %d - Init COMPLETE",
           static_cast<const void*>(comm), comm->rank, comm->ranks, comm->physical);
  log(comm, text);
}

}  // namespace
