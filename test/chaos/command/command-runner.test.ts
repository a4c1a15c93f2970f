import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandRefusals, createCommandRunner } from "../../../src/chaos/command/index.ts";
import { orderWorkers } from "../../../src/chaos/command/job-processes.ts";
import { createCommandUndo, endUndo } from "../../../src/chaos/command/undo.ts";
import { openLedger } from "../../../src/chaos/ledger/index.ts";
import type { ChaosPlan, CommandWorkload, PlannedFault } from "../../../src/chaos/plan/index.ts";
import { processesOfRun } from "../../../src/chaos/processes/index.ts";
import { startProcess } from "../../../src/platform/process/index.ts";
import { createRealClock } from "../../../src/platform/time/real-clock.ts";
import { leftIn, planOf, runsFolder } from "./lib/run-example.ts";

const clock = createRealClock();
const signal = new AbortController().signal;

/** A plan of a program that is given as the text of a Node script. */
async function planFor(script: string, more: Partial<ChaosPlan> = {}): Promise<ChaosPlan> {
  const plan = await planOf("command/node.yaml");
  const workload: CommandWorkload = {
    kind: "command",
    command: [
      process.execPath,
      "-e",
      `const tell = (t) => console.log(JSON.stringify({ tessera: t })); ${script}`,
    ],
    env: {},
    cwd: ".",
    units: null,
    workers: null,
  };
  return { ...plan, workload, faults: [], ...more };
}

const freeze: PlannedFault = {
  id: "freeze",
  fault: "freeze_worker",
  params: {},
  targets: [{ kind: "rank", rank: 0 }],
  trigger: { kind: "step", step: 2 },
  durationUs: null,
};

it("finishes with the last digest; other lines are in a log", async () => {
  const folder = runsFolder();
  const script = 'console.log("hello"); tell({ step: 1, digest: "d" }); console.error("warning")';
  const record = await createCommandRunner(await planFor(script), { clock, folder, signal });
  expect(record).toMatchObject({
    end: "finished",
    stateDigest: "d",
    world: "host",
    provenance: "measured",
  });
  const [log = ""] = readdirSync(folder);
  expect(readFileSync(join(folder, log), "utf8")).toBe("  hello\n! warning\n");
});

it("gives up with the exit code and the last words of the program", async () => {
  const script = 'tell({ step: 1 }); console.error("out of luck"); process.exitCode = 7';
  const record = await createCommandRunner(await planFor(script), {
    clock,
    folder: runsFolder(),
    signal,
  });
  expect(record).toMatchObject({ end: "gave-up", stateDigest: null });
  expect(record.events.at(-1)).toMatchObject({
    kind: "give-up",
    reason: "the program ended with exit code 7; it last said: out of luck",
  });
});

it("does not believe a program that ends well before its units are done", async () => {
  const plan = await planFor("tell({ step: 1, units: 4 })");
  const workload = { ...plan.workload, units: 8 } as CommandWorkload;
  const record = await createCommandRunner(
    { ...plan, workload },
    { clock, folder: runsFolder(), signal },
  );
  expect(record.end).toBe("gave-up");
  const enough = { ...workload, units: 4 };
  const good = await createCommandRunner(
    { ...plan, workload: enough },
    { clock, folder: runsFolder(), signal },
  );
  expect(good.end).toBe("finished");
});

it("cuts a program that stands still at its limit, lets it go on first, and leaves nothing", async () => {
  const folder = runsFolder();
  const plan = await planFor("tell({ step: 1 }); setInterval(() => {}, 1000)", {
    faults: [freeze],
  });
  const limits = { ...plan.limits, durationUs: 1_500_000 };
  const moments: string[] = [];
  const onInjection = (moment: string) => void moments.push(moment);
  const record = await createCommandRunner(
    { ...plan, limits },
    { clock, folder, signal, run: "still", onInjection },
  );
  expect(record.end).toBe("cut");
  expect(moments).toEqual(["injected", "effect", "reverted"]);
  const [injection] = record.injections;
  expect(injection).toMatchObject({ effect: "the kernel shows the process stopped" });
  expect(injection?.revertedUs).not.toBeNull();
  expect(record.residualFaults).toEqual([]);
  expect(await processesOfRun("still")).toEqual([]);
  expect(leftIn(folder)).toEqual([]);
});

it("ends as aborted when somebody has had enough", async () => {
  const stop = new AbortController();
  const plan = await planFor("tell({ step: 1 }); setInterval(() => {}, 1000)");
  const record = await createCommandRunner(plan, {
    clock,
    folder: runsFolder(),
    signal: stop.signal,
    onEvent: () => stop.abort(new Error("enough")),
  });
  expect(record.end).toBe("aborted");
  expect(record.notes.at(-1)).toBe("interrupted: enough");
});

it("says that a fault whose step never came was not injected", async () => {
  const late = { ...freeze, trigger: { kind: "step", step: 9 } } as const;
  const plan = await planFor("tell({ step: 1 })", { faults: [late] });
  const record = await createCommandRunner(plan, { clock, folder: runsFolder(), signal });
  expect(record.injections[0]).toMatchObject({
    injectedUs: null,
    effectUs: null,
    revertedUs: null,
  });
});

it("ends processes that left the group of the program", async () => {
  const folder = runsFolder();
  const child =
    'process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" }';
  const script = `require("node:child_process").spawn(${child}).unref(); tell({ step: 1 })`;
  const record = await createCommandRunner(await planFor(script), {
    clock,
    folder,
    signal,
    run: "left",
  });
  expect(record).toMatchObject({ end: "finished", residualFaults: [] });
  expect(await processesOfRun("left")).toEqual([]);
});

it("clears what a dead runner left before it begins", async () => {
  const folder = runsFolder();
  const dead = await startProcess(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
    clock,
    env: { TESSERA_CHAOS_RUN: "dead" },
  });
  const owner = { pid: 2 ** 22, startTicks: "1", home: null };
  const ledger = await openLedger({ folder, run: "dead", clock, leaseMs: 1, owner });
  await ledger.plan({ fault: "job", target: "node", undo: endUndo("dead") });
  const record = await createCommandRunner(await planFor("tell({ step: 1 })"), {
    clock,
    folder,
    signal,
  });
  expect(record.notes).toContain("1 leftovers of earlier runs were cleared");
  await dead.exited;
  expect(leftIn(folder)).toEqual([]);
});

it("refuses an undo that nobody knows", async () => {
  const undo = createCommandUndo({ clock, folder: runsFolder() });
  const entry = { undo: { kind: "burn", data: {} } } as unknown as Parameters<typeof undo>[0];
  await expect(undo(entry)).rejects.toThrow("nobody knows how to undo burn");
});

it("refuses what cannot be done to a program of others, and nothing else", async () => {
  const plan = await planFor("");
  const withFault = (fault: Partial<PlannedFault>) =>
    commandRefusals({ ...plan, faults: [{ ...freeze, ...fault }] });
  expect(withFault({})).toEqual([]);
  expect(withFault({ fault: "kill_device" })[0]).toContain("cannot be done to a command");
  expect(withFault({ trigger: { kind: "restore", nth: 1 } })[0]).toContain("cannot be waited for");
  expect(withFault({ targets: [{ kind: "storage" }] })[0]).toContain("no storage");
  expect(withFault({ targets: [{ kind: "rank", rank: 1 }] })[0]).toContain("workers: { match }");
  const workload = { ...plan.workload, workers: { match: "(" } } as CommandWorkload;
  expect(commandRefusals({ ...plan, workload })[0]).toContain("no regular expression");
});

it("finds workers by RANK where all have one, else by age", () => {
  const one = { pid: 5, state: "S", startTicks: "10", commandLine: "w", rank: 1 };
  const other = { pid: 4, state: "S", startTicks: "20", commandLine: "w", rank: 0 };
  const pids = (...all: Parameters<typeof orderWorkers>[0]) =>
    orderWorkers(all).map(({ pid }) => pid);
  expect(pids(one, other)).toEqual([4, 5]);
  expect(pids(one, { ...other, rank: null })).toEqual([5, 4]);
  expect(pids(one, { ...other, rank: 1 })).toEqual([5, 4]);
});
