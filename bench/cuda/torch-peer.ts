import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/**
 * For every line with a number of seconds, multiplies two bf16 matrices for that long as PyTorch users
 * do, and prints how often and how many milliseconds the GPU took. Argument: rows and columns.
 */
const program = `
import sys, time
import torch
size = int(sys.argv[1])
a = torch.rand(size, size, device="cuda", dtype=torch.bfloat16)
b = torch.rand(size, size, device="cuda", dtype=torch.bfloat16)
c = torch.empty_like(a)
for _ in range(10):
    torch.matmul(a, b, out=c)
torch.cuda.synchronize()
print("ready", torch.__version__, torch.version.cuda, flush=True)
for line in sys.stdin:
    seconds = float(line)
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    marks = [torch.cuda.Event(), torch.cuda.Event()]
    count, began = 0, time.perf_counter()
    start.record()
    while time.perf_counter() - began < seconds:
        # Two batches are under way at a time: the GPU never waits, the queue never grows.
        if count >= 128:
            marks[(count // 64) % 2].synchronize()
        for _ in range(64):
            torch.matmul(a, b, out=c)
        marks[(count // 64) % 2].record()
        count += 64
    end.record()
    end.synchronize()
    print(count, start.elapsed_time(end), flush=True)
`;

/** A PyTorch process on the same GPU, idle until it is asked. */
export interface TorchPeer {
  /** PyTorch's version and that of its CUDA. */
  readonly version: string;
  run(durationMs: number): Promise<{ readonly count: number; readonly busyMs: number }>;
  stop(): void;
}

/** Starts it and waits until its matrices are there; or says why there is none. */
export async function startTorchPeer(size: number): Promise<TorchPeer | string> {
  const child = spawn("python3", ["-c", program, String(size)]);
  const lines = linesOf(child);
  const [ready, torch = "", cuda = ""] = (await lines.next()).split(" ");
  if (ready !== "ready") return `no PyTorch to compare with: ${lines.complaint()}`;
  return {
    version: `PyTorch ${torch}, CUDA ${cuda}`,
    run: async (durationMs) => {
      child.stdin.write(`${durationMs / 1000}\n`);
      const line = await lines.next();
      const [count, busyMs] = line.split(" ").map(Number);
      if (count === undefined || busyMs === undefined || !(busyMs > 0)) {
        throw new Error(`PyTorch ended: ${lines.complaint() || line}`);
      }
      return { count, busyMs };
    },
    stop: () => {
      child.stdin.end();
    },
  };
}

/** What a process prints, line by line, "" after its end; and the last thing it complained about. */
function linesOf(child: ChildProcessWithoutNullStreams): {
  next(): Promise<string>;
  complaint(): string;
} {
  const iterator = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = text.trim().split("\n").at(-1) ?? "";
  });
  const failed = new Promise<string>((resolve) => {
    child.on("error", () => {
      complaint = "there is no python3";
      resolve("");
    });
    child.stdin.on("error", () => {});
  });
  const ended = new Promise<void>((resolve) => {
    child.on("close", () => resolve());
  });
  return {
    complaint: () => complaint,
    next: () =>
      Promise.race([
        failed,
        iterator.next().then(async ({ done, value }) => {
          if (done !== true) return value;
          await ended;
          return "";
        }),
      ]),
  };
}
