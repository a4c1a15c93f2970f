import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, onTestFinished, test } from "vitest";
import { createRng } from "../../../src/platform/rng/index.ts";
import { openStore } from "../../../src/platform/store/index.ts";
import { createRealClock, sleep } from "../../../src/platform/time/index.ts";
import { openHistory } from "../../../src/validation/history/index.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { clusterName, inFlightMax } from "./kill/settings.ts";
import { WorldServer } from "./kill/world-server.ts";

const repository = join(import.meta.dirname, "..", "..", "..");
const clock = createRealClock();
/** Where earlier lives left as many open runs as allowed, a life may have nothing to begin. */
const patienceMs = 5_000;
/** `npm run test:kills` makes it 200, the nightly run 1,000. */
const kills = Number(process.env["TESSERA_KILLS"] ?? 4);

describe("kill -9 of the loop", () => {
  test(
    `loses no result, makes no job twice and keeps to its limits, ${kills} times`,
    async () => {
      const folder = await tempDir();
      const rng = createRng(process.env["TESSERA_KILL_SEED"] ?? "kill the loop");
      const root = join(folder, "results");
      // A volume that is not there would hold up every conclusion, and rightly so.
      await mkdir(root);
      const world = new WorldServer({ rng: rng.stream("world"), root, nodes: 8 });
      const worldUrl = await world.start();
      onTestFinished(() => world.stop());
      const program = await bundleLoop(folder);
      const storeUrl = `sqlite:${join(folder, "history.db")}`;
      const start = () => startLoop(program, [storeUrl, worldUrl, root]);

      const moments = rng.stream("moments");
      // Two at a time: one leads and is killed, the other takes over.
      let [leader, heir] = [start(), start()];
      for (let kill = 0; kill < kills; kill++) {
        await Promise.race([leader.leads, heir.leads]);
        if (heir.isLeading() && !leader.isLeading()) [leader, heir] = [heir, leader];
        // One in four dies as soon as it leads, the others when they have begun something.
        const begins = Promise.race([leader.submits, heir.submits, sleep(clock, patienceMs)]);
        if (moments.int(4) > 0) await begins;
        await sleep(clock, moments.int(250));
        leader.kill();
        await leader.ended;
        expect(leader.errors()).toBe("");
        [leader, heir] = [heir, start()];
      }
      world.plans = false;
      const store = await openStore({ url: storeUrl, clock });
      const history = openHistory(store);
      const isQuiet = async () =>
        (await history.openRuns(clusterName)).length === 0 && world.active.length === 0;
      await waitUntil("every run has ended", isQuiet, { timeoutMs: 180_000 });
      for (const loop of [leader, heir]) loop.kill();
      await Promise.all([leader.ended, heir.ended]);

      const records = await history.runs({ cluster: clusterName, limit: 100_000 });
      await store.close();
      const twice = [...world.created].filter(([, times]) => times > 1);
      expect(twice, "runs with more than one job").toEqual([]);
      expect(world.activeMax, "jobs at once").toBeLessThanOrEqual(inFlightMax);
      expect(world.perNodeMax, "jobs at once on one node").toBeLessThanOrEqual(1);
      const byPods = new Set(
        records.filter(({ result }) => result?.origin === "pod").map(({ intent }) => intent.id),
      );
      const lost = [...world.handedIn].filter((runId) => !byPods.has(runId));
      expect(lost, "results that were handed in and lost").toEqual([]);
      // Otherwise nothing was shown.
      expect(world.created.size).toBeGreaterThan(kills / 2);
      expect(world.handedIn.size).toBeGreaterThan(0);
      expect(records.every(({ result }) => result !== undefined)).toBe(true);
    },
    240_000 + kills * 6_000,
  );
});

interface LoopProcess {
  readonly leads: Promise<void>;
  readonly submits: Promise<void>;
  readonly ended: Promise<void>;
  isLeading(): boolean;
  errors(): string;
  kill(): void;
}

function startLoop(program: string, args: readonly string[]): LoopProcess {
  const child: ChildProcess = spawn(process.execPath, [program, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  let errors = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const says = (word: string) =>
    new Promise<void>((resolve) => {
      child.stdout?.on("data", () => {
        if (said.includes(word)) resolve();
      });
      // One that ended by itself has left an error to be found.
      child.once("close", () => resolve());
    });
  return {
    leads: says("leading"),
    submits: says("submitted"),
    ended,
    isLeading: () => said.includes("leading"),
    errors: () => errors,
    kill: () => void child.kill("SIGKILL"),
  };
}

async function bundleLoop(folder: string): Promise<string> {
  // The engines' packages stay where they are: libsql brings a native library.
  await symlink(join(repository, "node_modules"), join(folder, "node_modules"));
  const outfile = join(folder, "loop.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "kill", "programs", "loop-program.ts")],
    outfile,
    bundle: true,
    external: ["libsql", "pg", "pino", "hono", "@hono/node-server", "prom-client", "kysely", "zod"],
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "silent",
  });
  return outfile;
}
