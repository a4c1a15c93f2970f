// The fake NCCL: ranks are processes that exchange chunks through a file. Variables:
// - FAKE_NCCL_VERSION=22707
// - FAKE_NCCL_TRANSPORT=NET/IB/0/GDRDMA: what the log says that channels use. By default what
//   NCCL_NET, NCCL_P2P_DISABLE and NCCL_SHM_DISABLE ask for. The log is printed with NCCL_DEBUG=INFO.
// FAKE_CUDA_FLIP takes a collective by the name of its function: 1:ncclAllReduce:2:0.
#include "nccl-engine.h"

struct UniqueId {
  char internal[128];
};

API const char* ncclGetErrorString(int code) {
  static const char* const texts[] = {"no error", "unhandled cuda error", "unhandled system error", "internal error",
                                      "invalid argument", "invalid usage", "remote process exited or there was a network error",
                                      "NCCL operation in progress"};
  return code >= 0 && code < 8 ? texts[code] : "unknown result code";
}

API const char* ncclGetLastError(Comm* comm) { return comm == nullptr ? "" : comm->lastError.c_str(); }

API Result ncclGetVersion(int* version) {
  ENTER("ncclGetVersion");
  *version = atoi(environment("FAKE_NCCL_VERSION", "22707").c_str());
  return ncclSuccess;
}

API Result ncclGetUniqueId(UniqueId* id) {
  ENTER("ncclGetUniqueId");
  std::string path = folder() + "/nccl-XXXXXX";
  const int file = mkstemp(path.data());
  if (file < 0) return ncclSystemError;
  const bool sized = ftruncate(file, sizeof(Shared)) == 0;
  close(file);
  if (!sized || path.size() >= sizeof id->internal) return ncclSystemError;
  memset(id->internal, 0, sizeof id->internal);
  memcpy(id->internal, path.data(), path.size());
  return ncclSuccess;
}

static Result join(Comm** out, int ranks, const UniqueId& id, int rank, bool blocking) {
  if (ranks < 1 || ranks > ranksMax || rank < 0 || rank >= ranks) return ncclInvalidArgument;
  const int physical = currentPhysicalDevice();
  if (physical < 0) return ncclUnhandledCudaError;
  const std::string path(id.internal, strnlen(id.internal, sizeof id.internal));
  Shared* shared = mapShared(path.c_str());
  if (shared == nullptr) return ncclSystemError;
  int none = 0;
  if (!shared->pids[rank].compare_exchange_strong(none, getpid())) return ncclInvalidUsage;
  Comm* comm = new Comm(shared, rank, ranks, physical);
  *out = comm;
  shared->joined++;
  waiting[comm] = path;
  if (!blocking) return meet(comm, path) ? ncclSuccess : ncclInProgress;
  while (!meet(comm, path)) {
    if (someoneIsLost(comm)) return ncclRemoteError;
    usleep(500);
  }
  return ncclSuccess;
}

API Result ncclCommInitRank(Comm** comm, int ranks, UniqueId id, int rank) {
  ENTER("ncclCommInitRank");
  return join(comm, ranks, id, rank, true);
}

API Result ncclCommInitRankConfig(Comm** comm, int ranks, UniqueId id, int rank, const unsigned char* config) {
  ENTER("ncclCommInitRankConfig");
  unsigned magic = 0xcafebeef;
  int blocking = 1;
  if (config != nullptr) {
    memcpy(&magic, config + 8, 4);
    memcpy(&blocking, config + 16, 4);
  }
  if (magic != 0xcafebeef) return ncclInvalidArgument;
  return join(comm, ranks, id, rank, blocking != 0);
}

API Result ncclCommGetAsyncError(Comm* comm, int* error) {
  ENTER("ncclCommGetAsyncError");
  const bool met = meet(comm, waiting[comm]);
  if (!met && someoneIsLost(comm)) fail(comm, ncclRemoteError, "a peer ended before all had met");
  *error = comm->error != ncclSuccess ? comm->error.load() : met ? ncclSuccess : ncclInProgress;
  return ncclSuccess;
}

API Result ncclCommCount(const Comm* comm, int* count) {
  *count = comm->ranks;
  return ncclSuccess;
}

API Result ncclCommUserRank(const Comm* comm, int* rank) {
  *rank = comm->rank;
  return ncclSuccess;
}

API Result ncclCommFinalize(Comm*) {
  ENTER("ncclCommFinalize");
  return ncclSuccess;
}

// The memory of a communicator stays: work that was not waited for may still look at it.
API Result ncclCommDestroy(Comm* comm) {
  ENTER("ncclCommDestroy");
  comm->shared->left[comm->rank] = 1;
  comm->aborted = true;
  return ncclSuccess;
}

API Result ncclCommAbort(Comm* comm) {
  ENTER("ncclCommAbort");
  comm->shared->aborted = 1;
  comm->aborted = true;
  return ncclSuccess;
}

API Result ncclGroupStart() {
  ENTER("ncclGroupStart");
  groupDepth++;
  return ncclSuccess;
}

API Result ncclGroupEnd() {
  ENTER("ncclGroupEnd");
  if (groupDepth == 0) return ncclInvalidUsage;
  if (--groupDepth > 0) return ncclSuccess;
  Result result = ncclSuccess;
  for (auto& [stream, operation] : group)
    if (result == ncclSuccess) result = put(stream, operation);
  group.clear();
  return result;
}

#define WITH_COMM(function)                                         \
  ENTER(function);                                                  \
  if (comm == nullptr || elementBytes(type) == 0) return ncclInvalidArgument; \
  if (comm->error != ncclSuccess) return static_cast<Result>(comm->error.load()); \
  if (!comm->ready) return ncclInvalidUsage;                        \
  const size_t bytes = count * elementBytes(type)

static unsigned char* at(const void* base, size_t offset) {
  return static_cast<unsigned char*>(const_cast<void*>(base)) + offset;
}

// Own values and those of all others, by rank; each rank adds them up in the same order.
struct Gathered {
  std::vector<std::vector<unsigned char>> parts;
};

// Every rank in `to` gets from every rank the part of its send buffer that is meant for it.
static Operation reduction(Comm* comm, const char* name, const void* send, void* receive, size_t count, int type, int op,
                           bool scatters, int root) {
  const size_t bytes = count * elementBytes(type);
  Operation operation{comm, {}, {}};
  const bool receives = root < 0 || root == comm->rank;
  auto gathered = std::make_shared<Gathered>();
  gathered->parts.resize(comm->ranks);
  for (int peer = 0; peer < comm->ranks; peer++) {
    if (peer == comm->rank) continue;
    if (root < 0 || root == peer) operation.transfers.push_back({true, peer, at(send, scatters ? peer * bytes : 0), bytes});
    if (!receives) continue;
    gathered->parts[peer].resize(bytes);
    operation.transfers.push_back({false, peer, gathered->parts[peer].data(), bytes});
  }
  const std::string flipped = name;
  operation.finish.push_back([=] {
    if (!receives) return;
    const unsigned char* own = at(send, scatters ? comm->rank * bytes : 0);
    gathered->parts[comm->rank].assign(own, own + bytes);
    reduceParts(gathered->parts, receive, count, type, op);
    flipOutput(comm->physical, flipped, receive);
  });
  return operation;
}

API Result ncclAllReduce(const void* send, void* receive, size_t count, int type, int op, Comm* comm, void* stream) {
  WITH_COMM("ncclAllReduce");
  if (!isMemory(send, count, type) || !isMemory(receive, count, type)) return ncclInvalidArgument;
  if (bytes == 0) return ncclSuccess;
  return submit(stream, reduction(comm, "ncclAllReduce", send, receive, count, type, op, false, -1));
}

API Result ncclReduceScatter(const void* send, void* receive, size_t count, int type, int op, Comm* comm, void* stream) {
  WITH_COMM("ncclReduceScatter");
  if (!isMemory(send, count * comm->ranks, type) || !isMemory(receive, count, type)) return ncclInvalidArgument;
  if (bytes == 0) return ncclSuccess;
  return submit(stream, reduction(comm, "ncclReduceScatter", send, receive, count, type, op, true, -1));
}

API Result ncclReduce(const void* send, void* receive, size_t count, int type, int op, int root, Comm* comm, void* stream) {
  WITH_COMM("ncclReduce");
  if (root < 0 || root >= comm->ranks || !isMemory(send, count, type)) return ncclInvalidArgument;
  if (root == comm->rank && !isMemory(receive, count, type)) return ncclInvalidArgument;
  if (bytes == 0) return ncclSuccess;
  return submit(stream, reduction(comm, "ncclReduce", send, receive, count, type, op, false, root));
}

API Result ncclAllGather(const void* send, void* receive, size_t count, int type, Comm* comm, void* stream) {
  WITH_COMM("ncclAllGather");
  if (!isMemory(send, count, type) || !isMemory(receive, count * comm->ranks, type)) return ncclInvalidArgument;
  Operation operation{comm, {}, {}};
  for (int peer = 0; peer < comm->ranks; peer++) {
    if (peer == comm->rank) continue;
    operation.transfers.push_back({true, peer, at(send, 0), bytes});
    operation.transfers.push_back({false, peer, at(receive, peer * bytes), bytes});
  }
  operation.finish.push_back([=] {
    memmove(at(receive, comm->rank * bytes), send, bytes);
    flipOutput(comm->physical, "ncclAllGather", receive);
  });
  return submit(stream, std::move(operation));
}

API Result ncclBroadcast(const void* send, void* receive, size_t count, int type, int root, Comm* comm, void* stream) {
  WITH_COMM("ncclBroadcast");
  if (root < 0 || root >= comm->ranks || !isMemory(receive, count, type)) return ncclInvalidArgument;
  Operation operation{comm, {}, {}};
  const bool isRoot = comm->rank == root;
  for (int peer = 0; isRoot && peer < comm->ranks; peer++)
    if (peer != root) operation.transfers.push_back({true, peer, at(send, 0), bytes});
  if (!isRoot) operation.transfers.push_back({false, root, at(receive, 0), bytes});
  operation.finish.push_back([=] {
    if (isRoot) memmove(receive, send, bytes);
    flipOutput(comm->physical, "ncclBroadcast", receive);
  });
  return submit(stream, std::move(operation));
}

API Result ncclSend(const void* send, size_t count, int type, int peer, Comm* comm, void* stream) {
  WITH_COMM("ncclSend");
  if (peer < 0 || peer >= comm->ranks || !isMemory(send, count, type)) return ncclInvalidArgument;
  return submit(stream, {comm, {{true, peer, at(send, 0), bytes}}, {}});
}

API Result ncclRecv(void* receive, size_t count, int type, int peer, Comm* comm, void* stream) {
  WITH_COMM("ncclRecv");
  if (peer < 0 || peer >= comm->ranks || !isMemory(receive, count, type)) return ncclInvalidArgument;
  return submit(stream, {comm, {{false, peer, at(receive, 0), bytes}}, {}});
}
