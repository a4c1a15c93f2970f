import { type HostWorkerStart, runChaosWorker, startBytesMax } from "../../chaos/host/index.ts";
import { exitCodes, TesseraError } from "../../platform/errors/index.ts";
import type { Action } from "../invocation.ts";

/** `tessera agent chaos-worker`: one worker of the host world, started by its runner, which says on stdin what to do. */
export const run: Action = async ({ clock, signal }) => {
  const start = await readStart(process.stdin);
  const code = await runChaosWorker({ start, clock, terminated: signal });
  return code === 0 ? exitCodes.good : exitCodes.failed;
};

async function readStart(stdin: NodeJS.ReadableStream): Promise<HostWorkerStart> {
  const broken = () =>
    new TesseraError("E_RANK_ENVIRONMENT", {
      problem: "its standard input does not say who started it; only Tessera itself starts workers",
    });
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    sizeBytes += bytes.length;
    if (sizeBytes > startBytesMax) throw broken();
  }
  try {
    // From the process that started this one, and of the same version.
    return JSON.parse(Buffer.concat(chunks).toString("utf8")) as HostWorkerStart;
  } catch {
    throw broken();
  }
}
