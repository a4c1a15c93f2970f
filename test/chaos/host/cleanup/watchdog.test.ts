import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { watchOver } from "../../../../src/chaos/host/index.ts";
import { openLedger, residualIn } from "../../../../src/chaos/ledger/index.ts";
import { identityOf } from "../../../../src/chaos/processes/index.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";

const real = createRealClock();
/** Looks are counted by the pauses between them. */
const clock = {
  nowMs: () => real.nowMs(),
  monotonicMs: () => real.monotonicMs(),
  setTimer: (delayMs: number, fire: () => void) => {
    onPause();
    return real.setTimer(delayMs, fire);
  },
};
let onPause = () => {};
const gone = Promise.resolve();
let folder = "";

beforeEach(async () => {
  onPause = () => {};
  folder = await mkdtemp(join(tmpdir(), "tessera-watchdog-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A run of a process that is still there; its traces are a folder. */
async function runOf(run: string, pid: number): Promise<{ readonly traces: string }> {
  const traces = join(folder, "runs", run);
  await mkdir(traces, { recursive: true });
  const owner = await identityOf(pid);
  const ledger = await openLedger({ folder: join(folder, "ledgers"), run, clock, owner });
  const data = { run, folder: traces, networkPrefix: null };
  const undo = { kind: "clear-run", data };
  await ledger.activate(await ledger.plan({ fault: "host-world", target: run, undo }));
  await ledger.close();
  return { traces };
}

function sleeper() {
  const child = spawn("sleep", ["600"], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  return { pid: child.pid ?? 0, kill: () => (child.kill("SIGKILL"), ended) };
}

describe("the watchdog of a run", () => {
  it("waits for a runner whose input has ended and that the kernel still counts as running", async () => {
    const runner = sleeper();
    const { traces } = await runOf("mine", runner.pid);
    const hasLooked = new Promise<void>((resolve) => {
      onPause = resolve;
    });
    const order = { folder: join(folder, "ledgers"), run: "mine" };
    const watched = watchOver(order, { clock, gone });
    await hasLooked;
    expect(existsSync(traces)).toBe(true);
    await runner.kill();
    expect(await watched).toBe(1);
    expect(existsSync(traces)).toBe(false);
  });

  it("does not wait for runs of others, and leaves them alone", async () => {
    const other = sleeper();
    const { traces } = await runOf("theirs", other.pid);
    const order = { folder: join(folder, "ledgers"), run: "mine" };
    expect(await watchOver(order, { clock, gone })).toBe(0);
    expect(existsSync(traces)).toBe(true);
    await other.kill();
  });

  it("tries again what could not be taken back at once", async () => {
    const runner = sleeper();
    const { traces } = await runOf("mine", runner.pid);
    await runner.kill();
    // A folder that cannot be removed for a while: its parent is a link to nowhere that comes right later.
    await rm(join(folder, "runs"), { recursive: true });
    await symlink(join(folder, "runs"), join(folder, "runs"));
    let pauses = 0;
    onPause = () => {
      pauses++;
      if (pauses === 2)
        void rm(join(folder, "runs")).then(() => mkdir(traces, { recursive: true }));
    };
    const order = { folder: join(folder, "ledgers"), run: "mine" };
    const undone = await watchOver(order, { clock, gone });
    expect(undone).toBe(1);
    expect(pauses).toBeGreaterThan(1);
    expect((await residualIn(join(folder, "ledgers"))).entries).toEqual([]);
  });
});
