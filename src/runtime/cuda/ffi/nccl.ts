import type { Prototypes } from "./bind.ts";
import type { Ffi } from "./ffi.ts";

/** NCCL's name of a group of ranks: 128 bytes, passed by value. */
export interface NcclUniqueId {
  readonly internal: Uint8Array;
}

export const ncclUniqueIdBytes = 128;

/**
 * Functions of NCCL 2. Each answers an ncclResult_t, except the two that answer text. Communicators,
 * streams and device addresses are bigints; results arrive in the little-endian buffers given for
 * them.
 */
export interface NcclFunctions {
  ncclGetVersion(version: Uint8Array): number;
  ncclGetUniqueId(id: Uint8Array): number;
  ncclGetErrorString(result: number): string | null;
  /** Since 2.13. */
  ncclGetLastError(communicator: bigint): string | null;
  ncclCommInitRank(
    communicator: Uint8Array,
    rankCount: number,
    id: NcclUniqueId,
    rank: number,
  ): number;
  /** Since 2.14. */
  ncclCommInitRankConfig(
    communicator: Uint8Array,
    rankCount: number,
    id: NcclUniqueId,
    rank: number,
    config: Uint8Array,
  ): number;
  ncclCommGetAsyncError(communicator: bigint, result: Uint8Array): number;
  ncclCommFinalize(communicator: bigint): number;
  ncclCommDestroy(communicator: bigint): number;
  ncclCommAbort(communicator: bigint): number;
  ncclGroupStart(): number;
  ncclGroupEnd(): number;
  ncclAllReduce: NcclReduction;
  ncclReduceScatter: NcclReduction;
  ncclAllGather(
    send: bigint,
    receive: bigint,
    count: number,
    type: number,
    communicator: bigint,
    stream: bigint,
  ): number;
  ncclBroadcast(
    send: bigint,
    receive: bigint,
    count: number,
    type: number,
    root: number,
    communicator: bigint,
    stream: bigint,
  ): number;
  ncclReduce(
    send: bigint,
    receive: bigint,
    count: number,
    type: number,
    operation: number,
    root: number,
    communicator: bigint,
    stream: bigint,
  ): number;
  ncclSend: NcclTransfer;
  ncclRecv: NcclTransfer;
}

type NcclReduction = (
  send: bigint,
  receive: bigint,
  count: number,
  type: number,
  operation: number,
  communicator: bigint,
  stream: bigint,
) => number;

type NcclTransfer = (
  buffer: bigint,
  count: number,
  type: number,
  peer: number,
  communicator: bigint,
  stream: bigint,
) => number;

const uniqueIdType = "TesseraNcclUniqueId";

export const ncclPrototypes: Prototypes<NcclFunctions> = {
  ncclGetVersion: "int ncclGetVersion(void *version)",
  ncclGetUniqueId: "int ncclGetUniqueId(void *id)",
  ncclGetErrorString: "const char *ncclGetErrorString(int result)",
  ncclGetLastError: "const char *ncclGetLastError(void *communicator)",
  ncclCommInitRank: `int ncclCommInitRank(void *communicator, int rankCount, ${uniqueIdType} id, int rank)`,
  ncclCommInitRankConfig: `int ncclCommInitRankConfig(void *communicator, int rankCount, ${uniqueIdType} id, int rank, void *config)`,
  ncclCommGetAsyncError: "int ncclCommGetAsyncError(void *communicator, void *result)",
  ncclCommFinalize: "int ncclCommFinalize(void *communicator)",
  ncclCommDestroy: "int ncclCommDestroy(void *communicator)",
  ncclCommAbort: "int ncclCommAbort(void *communicator)",
  ncclGroupStart: "int ncclGroupStart()",
  ncclGroupEnd: "int ncclGroupEnd()",
  ncclAllReduce:
    "int ncclAllReduce(void *send, void *receive, size_t count, int type, int operation, void *communicator, void *stream)",
  ncclReduceScatter:
    "int ncclReduceScatter(void *send, void *receive, size_t count, int type, int operation, void *communicator, void *stream)",
  ncclAllGather:
    "int ncclAllGather(void *send, void *receive, size_t count, int type, void *communicator, void *stream)",
  ncclBroadcast:
    "int ncclBroadcast(void *send, void *receive, size_t count, int type, int root, void *communicator, void *stream)",
  ncclReduce:
    "int ncclReduce(void *send, void *receive, size_t count, int type, int operation, int root, void *communicator, void *stream)",
  ncclSend:
    "int ncclSend(void *buffer, size_t count, int type, int peer, void *communicator, void *stream)",
  ncclRecv:
    "int ncclRecv(void *buffer, size_t count, int type, int peer, void *communicator, void *stream)",
};

/** What of the FFI describes types. */
interface FfiTypes {
  array(type: "uint8_t", length: number): unknown;
  struct(name: string, members: Readonly<Record<string, unknown>>): unknown;
}

let isDefined = false;

/** Tells the FFI of NCCL's one type that is passed by value; before the first call that does. */
export function defineNcclTypes(ffi: Ffi): void {
  if (isDefined) return;
  const types = ffi as Ffi & FfiTypes;
  types.struct(uniqueIdType, { internal: types.array("uint8_t", ncclUniqueIdBytes) });
  isDefined = true;
}
