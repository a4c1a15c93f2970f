import { describe, expect, test } from "vitest";
import { onSecondInterrupt } from "../../../src/cli/validate/second-interrupt.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import { expectInvariants } from "./support/invariants.ts";
import { Life } from "./support/life.ts";
import { calm } from "./support/schedule.ts";
import { Simulation } from "./support/simulation.ts";

const immortal = () => new Life(undefined, () => {});
const slow = [{ pendingMs: 100, runMs: 5_000, end: "succeeded", handsIn: ["post"] }] as const;

describe("a loop that is told to stop", () => {
  test("begins nothing more and waits for what is under way", async () => {
    const simulation = new Simulation({ ...calm, fates: slow });
    const { done, stop } = simulation.startLoop(immortal());
    await simulation.clock.advance(1_000);
    stop.abort();
    await simulation.clock.advance(30_000);
    const summary = await done;
    expect(simulation.world.created.size).toBe(2);
    expect(summary).toMatchObject({ open: 0, interrupted: true });
    expect(summary.ended.map(({ verdict }) => verdict?.verdict)).toEqual(["pass", "pass"]);
    expectInvariants(simulation);
  });

  test("leaves to the next loop what takes longer than it may wait", async () => {
    const simulation = new Simulation({ ...calm, fates: slow });
    const { done, stop } = simulation.startLoop(immortal(), { drainTimeoutMs: 500 });
    await simulation.clock.advance(1_000);
    stop.abort();
    await simulation.clock.advance(1_500);
    expect(await done).toMatchObject({ open: 2 });
    const next = simulation.startLoop(immortal());
    await simulation.advanceUntil(() => simulation.isQuiet());
    next.stop.abort();
    await simulation.clock.advance(5_000);
    await next.done;
    expectInvariants(simulation);
  });

  test("cancels what is under way when it is told again", async () => {
    const simulation = new Simulation({ ...calm, fates: slow });
    const { done, stop, cancel } = simulation.startLoop(immortal());
    await simulation.clock.advance(1_000);
    stop.abort();
    cancel.abort();
    await simulation.clock.advance(2_000);
    expect(await done).toMatchObject({ open: 0, interrupted: true });
    const outcomes = simulation.history.records("world").map(({ result }) => result?.outcome);
    expect(outcomes).toEqual(["cancelled", "cancelled"]);
    expectInvariants(simulation);
  });
});

describe("a single pass", () => {
  test("runs what is due on each free node once, within the limit, and ends", async () => {
    const simulation = new Simulation({ ...calm, nodes: 5 });
    const done = simulation.runOnce();
    await simulation.clock.advance(30_000);
    const summary = await done;
    expect(summary.ended.map(({ intent }) => intent.node).toSorted()).toEqual(
      [0, 1, 2, 3, 4].map((index) => `node-${index}`),
    );
    expect(summary.ended.every(({ verdict }) => verdict?.verdict === "pass")).toBe(true);
    expect(summary).toMatchObject({ open: 0, interrupted: false });
    expectInvariants(simulation);
  });

  test("gives up when the cluster cannot be seen", async () => {
    const simulation = new Simulation({
      ...calm,
      happenings: [{ atMs: 0, kind: "cut", size: 500_000 }],
    });
    await simulation.clock.advance(1);
    const failed = expect(simulation.runOnce()).rejects.toMatchObject({ code: "E_TIMEOUT" });
    await simulation.clock.advance(130_000);
    await failed;
  });
});

describe("the second press of Ctrl-C", () => {
  test("cancels, and only the third one ends the process", async () => {
    const clock = new VirtualClock();
    const heard: string[] = [];
    const source = fakeSignals(() => heard.push("end"));
    const first = new AbortController();
    const { signal, release } = onSecondInterrupt(source, { first: first.signal, clock });
    source.press();
    expect(heard).toEqual(["end"]);
    first.abort();
    source.press();
    expect(signal.aborted).toBe(false);
    await clock.advance(600);
    source.press();
    expect(signal.aborted).toBe(true);
    expect(heard).toEqual(["end"]);
    await clock.advance(600);
    source.press();
    expect(heard).toEqual(["end", "end"]);
    release();
    source.press();
    expect(heard).toEqual(["end", "end", "end"]);
  });
});

function fakeSignals(onInterrupt: () => void) {
  type Listener = (signal: NodeJS.Signals) => void;
  let interrupts: Listener[] = [onInterrupt];
  return {
    press: () => {
      for (const listener of interrupts) listener("SIGINT");
    },
    listeners: (signal: string) => (signal === "SIGINT" ? interrupts : []),
    removeListener: (signal: string, listener: Listener) => {
      if (signal === "SIGINT") interrupts = interrupts.filter((other) => other !== listener);
    },
    on: (signal: string, listener: Listener) => {
      if (signal === "SIGINT") interrupts = [...interrupts, listener];
    },
  };
}
