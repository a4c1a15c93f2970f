// One rank of a job on the fake NCCL, in plain calls: `node fake-nccl-rank.mjs koffi folder rank ranks id`.
// Without an id it makes one and prints it. Prints its part of an all-reduce of rank + 1.
import { createRequire } from "node:module";
import { join } from "node:path";

const [koffiAt, folder, rankText, ranksText, given] = process.argv.slice(2);
const koffi = createRequire(import.meta.url)(koffiAt);
const [rank, ranks] = [Number(rankText), Number(ranksText)];
const cuda = koffi.load(join(folder, "libcuda.so.1"));
const nccl = koffi.load(join(folder, "libnccl.so.2"));

function call(library, prototype, ...args) {
  const code = library.func(prototype)(...args);
  if (code !== 0) throw new Error(`${prototype} answers ${code}`);
}

function handle(library, prototype, ...args) {
  const into = Buffer.alloc(8);
  call(library, prototype, into, ...args);
  return into.readBigUInt64LE();
}

call(cuda, "int cuInit(uint32 flags)", 0);
const context = handle(cuda, "int cuDevicePrimaryCtxRetain(void *context, int device)", rank);
call(cuda, "int cuCtxSetCurrent(void *context)", context);
const id = Buffer.alloc(128);
if (given === undefined) {
  call(nccl, "int ncclGetUniqueId(void *id)", id);
  console.log(`id ${id.toString("hex")}`);
} else {
  id.write(given, "hex");
}
koffi.struct("UniqueId", { internal: koffi.array("uint8_t", 128) });
const init = "int ncclCommInitRank(void *comm, int ranks, UniqueId id, int rank)";
const comm = handle(nccl, init, ranks, { internal: id }, rank);
const count = 100_000;
const buffer = handle(cuda, "int cuMemAlloc_v2(void *address, size_t bytes)", count * 4);
const values = new Float32Array(count).fill(rank + 1);
values[count - 1] = 100 * (rank + 1);
call(cuda, "int cuMemcpyHtoD_v2(uint64 to, void *from, size_t bytes)", buffer, values, count * 4);
const allReduce =
  "int ncclAllReduce(void *from, void *to, size_t count, int type, int op, void *comm, void *stream)";
call(nccl, allReduce, buffer, buffer, count, 7, 0, comm, null);
if (process.env["LEAVE_EARLY"] === rankText) process.kill(process.pid, "SIGKILL");
call(cuda, "int cuCtxSynchronize()");
const error = Buffer.alloc(4);
call(nccl, "int ncclCommGetAsyncError(void *comm, void *error)", comm, error);
call(cuda, "int cuMemcpyDtoH_v2(void *to, uint64 from, size_t bytes)", values, buffer, count * 4);
console.log(JSON.stringify({ first: values[0], last: values.at(-1), error: error.readInt32LE() }));
call(nccl, "int ncclCommDestroy(void *comm)", comm);
