import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createThreadWorker } from "../../../src/chaos/campaign/index.ts";
import { inline, runPart, simTrial } from "./lib/run-part.ts";

/** This program, with the one command that matters. */
const source = `
  import { agentCampaignWorkerCommand } from "./src/cli/commands/agent-campaign-worker.ts";
  import { runInThisProcess } from "./src/cli/run-in-this-process.ts";
  if (process.argv.includes("break")) throw new Error("no such luck");
  await runInThisProcess({
    specs: [],
    internal: [agentCampaignWorkerCommand],
    groups: { agent: "what runs on a node" },
  });`;

let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tessera-test-"));
  program = join(folder, "worker.mjs");
  await build({
    stdin: { contents: source, resolveDir: process.cwd(), loader: "ts" },
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["libsql", "koffi", "pg-native"],
    logLevel: "silent",
    // As the build does: packages of the older kind still ask for require.
    banner: {
      js: 'import { createRequire as ownRequire } from "node:module"; const require = ownRequire(import.meta.url);',
    },
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const args = ["agent", "campaign-worker"];

describe("threads of this program", () => {
  it("find what this thread finds", async () => {
    const workers = [createThreadWorker({ program, args }), createThreadWorker({ program, args })];
    try {
      const there = await runPart([0, 12], workers);
      expect(there).toEqual(await runPart([0, 12], [inline(simTrial())]));
    } finally {
      await Promise.all(workers.map((worker) => worker.close()));
    }
  });

  it("that break are told of, with the reason", async () => {
    const worker = createThreadWorker({ program, args: ["break"] });
    await expect(
      worker.carryOut({ kind: "swarm", seed: "t", index: 0, twice: false }),
    ).rejects.toThrow("no such luck");
    await worker.close();
  });

  it("answer with what a run throws, and go on", async () => {
    const worker = createThreadWorker({ program, args });
    try {
      const bad = { kind: "plan", plan: { faults: [] } } as never;
      await expect(worker.carryOut(bad)).rejects.toThrow();
      const good = await worker.carryOut({ kind: "swarm", seed: "t", index: 0, twice: true });
      expect(good.isRepeatable).toBe(true);
    } finally {
      await worker.close();
    }
  });

  it("take nothing after they were closed", async () => {
    const worker = createThreadWorker({ program, args });
    await worker.close();
    await expect(
      worker.carryOut({ kind: "swarm", seed: "t", index: 0, twice: false }),
    ).rejects.toThrow("it was closed");
  });
});
