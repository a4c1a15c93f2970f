import { spawn } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createRng } from "../../../src/platform/rng/index.ts";
import { openStore } from "../../../src/platform/store/index.ts";
import { createRealClock, sleep } from "../../../src/platform/time/index.ts";
import { type History, openHistory } from "../../../src/validation/history/index.ts";
import { bundleProgram } from "../../support/bundle-program.ts";
import { tempDir } from "../../support/temp-dir.ts";

const clock = createRealClock();
const kills = 12;
const repository = join(import.meta.dirname, "..", "..", "..");

// Plans a run, notes and records it, again and again, and says so as soon as each was acknowledged.
const program = `
import { openStore } from "./src/platform/store/index.ts";
import { createRealClock } from "./src/platform/time/index.ts";
import { openHistory } from "./src/validation/history/index.ts";
import { fromPod, intentOf, resultOf, verdictOf } from "./test/validation/history/support/samples.ts";
const [path, life] = process.argv.slice(2);
const store = await openStore({ url: "sqlite:" + path, clock: createRealClock() });
const history = openHistory(store);
const gate = { cluster: "east", fence: 1, inFlightMax: 10_000 };
await Promise.all(Array.from({ length: 6 }, async (_, worker) => {
  for (let turn = 0; ; turn += 1) {
    const intent = intentOf({ node: life + "-" + worker + "-" + turn });
    const { planned } = await history.planRuns(gate, [intent]);
    if (planned.length === 1) process.stdout.write("planned " + intent.id + "\\n");
    await history.recordResult(resultOf(intent), fromPod());
    process.stdout.write("recorded " + intent.id + "\\n");
    await history.recordVerdicts([verdictOf(intent)]);
    process.stdout.write("judged " + intent.id + "\\n");
  }
}));
`;

describe("kill -9 of a process that plans, records and judges", () => {
  test(`loses nothing acknowledged and leaves nothing half-done, ${kills} times`, async () => {
    const folder = await tempDir();
    await symlink(join(repository, "node_modules"), join(folder, "node_modules"));
    const file = await bundleProgram(folder, "recorder", program);
    const path = join(folder, "t.db");
    const said: string[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const delayMs = createRng("kill").stream(kill).int(60);
      said.push(...(await runUntilKilled(file, [path, String(kill)], delayMs)));
    }
    const store = await openStore({ url: `sqlite:${path}`, clock });
    try {
      await judge(openHistory(store), said);
    } finally {
      await store.close();
    }
  });
});

/** Ends the program at a random moment after it began to speak; gives the whole lines it said. */
async function runUntilKilled(
  file: string,
  args: readonly string[],
  delayMs: number,
): Promise<readonly string[]> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const written = { stdout: "", stderr: "" };
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    written.stderr += text;
  });
  const closed = new Promise((resolve) => child.once("close", resolve));
  await new Promise<void>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      written.stdout += text;
      if (written.stdout.includes("\n")) resolve();
    });
    child.stdout.once("close", resolve);
  });
  await sleep(clock, delayMs);
  child.kill("SIGKILL");
  await closed;
  expect(written.stderr).toBe("");
  return written.stdout.split("\n").slice(0, -1);
}

/** Every acknowledged step is there, and what follows from the records agrees with them. */
async function judge(history: History, said: readonly string[]): Promise<void> {
  const runs = new Map(
    (await history.runs({ limit: 1_000_000 })).map((record) => [record.intent.id, record]),
  );
  const lost = said.filter((line) => {
    const [step, id = ""] = line.split(" ");
    const run = runs.get(id);
    if (step === "recorded") return run?.result === undefined;
    return step === "judged" ? run?.verdict === undefined : run === undefined;
  });
  expect(lost).toEqual([]);
  expect(said.length).toBeGreaterThan(kills);
  const all = [...runs.values()];
  const idsOf = (records: readonly { readonly intent: { readonly id: string } }[]) =>
    records.map(({ intent }) => intent.id).toSorted();
  const open = await history.openRuns("east");
  expect(idsOf(open)).toEqual(idsOf(all.filter(({ result }) => result === undefined)));
  const unjudged = await history.unjudgedRuns("east", 1_000_000);
  const ended = all.filter(({ result }) => result !== undefined);
  expect(idsOf(unjudged)).toEqual(idsOf(ended.filter(({ verdict }) => verdict === undefined)));
  expect((await history.lastEndedAtMs("east")).size).toBe(ended.length);
}
