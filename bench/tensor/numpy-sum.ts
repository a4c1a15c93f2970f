import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/**
 * Makes the buffers of `bufferValue`, and for every line it reads adds them up as numpy users do and
 * prints the seconds and the digest of the sum. Arguments: ranks, elements.
 */
const program = `
import hashlib, sys, time
import numpy
ranks, count = int(sys.argv[1]), int(sys.argv[2])
index = numpy.arange(count, dtype=numpy.uint32) * numpy.uint32(0x9e3779b1)
buffers = []
for rank in range(ranks):
    word = (index + numpy.uint32((rank * 0x85ebca6b) % 2**32)).view(numpy.int32)
    buffers.append((word >> 8).astype(numpy.float32) * numpy.float32(2**-23))
print("ready", numpy.__version__, flush=True)
for line in sys.stdin:
    start = time.perf_counter()
    total = buffers[0].copy()
    for buffer in buffers[1:]:
        total += buffer
    seconds = time.perf_counter() - start
    print(seconds, hashlib.sha256(total.tobytes()).hexdigest(), flush=True)
`;

/** Element `index` of the buffer of a rank: what the program above makes, too. */
export function bufferValue(rank: number, index: number): number {
  const word = (Math.imul(index, 0x9e3779b1) + Math.imul(rank, 0x85ebca6b)) | 0;
  return (word >> 8) * 2 ** -23;
}

/** A numpy process that holds the buffers and adds them up when asked. */
export interface NumpySum {
  readonly version: string;
  sum(): Promise<{ readonly timeMs: number; readonly digest: string }>;
  stop(): void;
}

/** Starts it and waits until its buffers are there; or says why there is none. */
export async function startNumpySum(ranks: number, count: number): Promise<NumpySum | string> {
  const child = spawn("python3", ["-c", program, String(ranks), String(count)]);
  const lines = linesOf(child);
  const first = await lines.next();
  const [ready, version = ""] = first.split(" ");
  if (ready !== "ready") return first;
  return {
    version,
    sum: async () => {
      child.stdin.write("\n");
      const [seconds, digest = ""] = (await lines.next()).split(" ");
      return { timeMs: 1000 * Number(seconds), digest };
    },
    stop: () => {
      child.stdin.end();
    },
  };
}

/** What a process prints, line by line; after its end, the last thing it complained about. */
function linesOf(child: ChildProcessWithoutNullStreams): { next(): Promise<string> } {
  const iterator = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = text.trim().split("\n").at(-1) ?? "";
  });
  const failed = new Promise<string>((resolve) => {
    child.on("error", () => resolve("there is no python3"));
    child.stdin.on("error", () => {});
  });
  const ended = new Promise<void>((resolve) => {
    child.on("close", () => resolve());
  });
  return {
    next: () =>
      Promise.race([
        failed,
        iterator.next().then(async ({ done, value }) => {
          if (done !== true) return value;
          await ended;
          return complaint;
        }),
      ]),
  };
}
