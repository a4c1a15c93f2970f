import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { createHostWorld, type HostWorldOptions } from "../../../../src/chaos/host/index.ts";
import type { ChaosPlan } from "../../../../src/chaos/plan/index.ts";
import type { JobEvent, RunRecord } from "../../../../src/chaos/record/index.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import { bundleProgram } from "../../../support/bundle-program.ts";

export const clock = createRealClock();

/** What the built command does for `agent chaos-worker` and `agent chaos-watchdog`, and a runner to be killed. */
const source = `
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { createRealClock } from "./src/platform/time/index.ts";
import { createHostWorld, runChaosWorker, watchOver } from "./src/chaos/host/index.ts";

const clock = createRealClock();
const [, , , what, ...rest] = process.argv;
if (what === "chaos-worker") {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const start = JSON.parse(Buffer.concat(chunks).toString());
  const stop = new AbortController();
  process.on("SIGTERM", () => stop.abort());
  process.exit(await runChaosWorker({ start, clock, terminated: stop.signal }));
} else if (what === "chaos-watchdog") {
  const lines = createInterface({ input: process.stdin });
  let order;
  lines.once("line", (line) => { order = JSON.parse(line); });
  await new Promise((resolve) => lines.on("close", resolve));
  if (process.env.TESSERA_TEST_NO_WATCHDOG !== "yes") await watchOver(order, { clock, gone: Promise.resolve() });
} else {
  const [file, folder, network] = rest;
  const plan = JSON.parse(readFileSync(file, "utf8"));
  const command = [process.execPath, process.argv[1]];
  const world = createHostWorld({ command, clock, env: process.env, folder, network });
  const onEvent = (event) => process.stdout.write(JSON.stringify(event) + "\\n");
  const record = await world.run(plan, { signal: new AbortController().signal, onEvent });
  process.stdout.write(JSON.stringify({ kind: "record", end: record.end }) + "\\n");
}
`;

export interface HostProgram {
  readonly path: () => string;
  readonly folder: () => string;
  run(plan: ChaosPlan, options?: RunHere): Promise<RunRecord>;
}

interface RunHere extends Partial<HostWorldOptions> {
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: JobEvent) => void;
}

/** The program, made once for a test file. */
export function hostProgram(): HostProgram {
  let folder = "";
  let path = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tessera-host-test-"));
    path = await bundleProgram(folder, "host", source);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return {
    path: () => path,
    folder: () => folder,
    run: (plan, { signal = new AbortController().signal, onEvent, ...options } = {}) => {
      const world = createHostWorld({
        command: [process.execPath, path],
        clock,
        env: { PATH: process.env["PATH"] },
        folder: join(folder, "state"),
        network: "proxy",
        ...options,
      });
      return world.run(plan, { signal, ...(onEvent === undefined ? {} : { onEvent }) });
    },
  };
}
