import { describe, expect, it } from "vitest";
import { createEngine } from "../../../../src/chaos/sim/engine/index.ts";
import { Crew } from "../../../../src/chaos/sim/job/crew.ts";
import { EffectBook } from "../../../../src/chaos/sim/job/effect-book.ts";
import { Exchanges } from "../../../../src/chaos/sim/job/exchanges.ts";
import type { JobContext } from "../../../../src/chaos/sim/job/job-context.ts";
import { levelsOf, sumUs } from "../../../../src/chaos/sim/job/link-times.ts";
import { SimProcess } from "../../../../src/chaos/sim/job/sim-process.ts";
import { createMachines } from "../../../../src/chaos/sim/machines/index.ts";
import { createNetwork, never } from "../../../../src/chaos/sim/network/index.ts";
import { faultOf, planOf } from "./support/plans.ts";

const ranks = 3;

/** Three ranks that may meet, and what became of them. */
function meeting() {
  const plan = planOf();
  const engine = createEngine({ seed: "exchanges" });
  const machines = createMachines({ engine, fleet: plan.fleet });
  const network = createNetwork({ engine, machines });
  const context = { plan, engine, machines, network, effects: new EffectBook(engine, []) };
  const processes = Array.from({ length: ranks }, (_, slot) => {
    return new SimProcess(slot, { slot, incarnation: 1 });
  });
  const released: number[] = [];
  const timedOut: (readonly [rank: number, suspects: readonly number[]])[] = [];
  const exchanges = new Exchanges(context as unknown as JobContext, {
    completed: () => undefined,
    released: ({ rank }) => released.push(rank),
    timedOut: (process, suspects) => {
      timedOut.push([process.rank, suspects]);
      exchanges.giveUp(process);
    },
    processes,
  });
  const crew = new Crew({
    generation: 1,
    attempt: 1,
    shape: { dp: ranks, tp: 1, pp: 1 },
    bytes: { tp: 1, dp: 1, pp: 1 },
    newGroup: (make) => exchanges.newGroup(make),
    newChannel: (make) => exchanges.newChannel(make),
    leaveOut: (groups) => exchanges.leaveOut(groups),
  });
  for (const [rank, process] of processes.entries()) {
    process.rank = rank;
    process.crew = crew;
    crew.members[rank] = process;
  }
  const enter = (rank: number) => exchanges.enter(processes[rank] as SimProcess, crew.all);
  const leave = (rank: number) => exchanges.leave(processes[rank] as SimProcess);
  const rest = () => {
    // Only watchdogs are left then; each is let happen.
    engine.run(60_000_000);
    while (engine.wake(60_000_000)) engine.run(60_000_000);
  };
  return { engine, network, exchanges, enter, leave, rest, released, timedOut, crew };
}

describe("exchanges between ranks", () => {
  it("end when the last has come, for everybody and not before", () => {
    const { engine, enter, rest, released, timedOut } = meeting();
    enter(0);
    enter(1);
    engine.run(1_000_000);
    expect(released).toEqual([]);
    enter(2);
    rest();
    expect(released).toEqual([0, 1, 2]);
    expect(timedOut).toEqual([]);
  });

  it("do not end without one that never comes: the others name it when their time is over", () => {
    const { enter, rest, released, timedOut } = meeting();
    enter(0);
    enter(1);
    rest();
    expect(released).toEqual([]);
    expect(timedOut).toEqual([
      [0, [2]],
      [1, [2]],
    ]);
    // Whoever comes now comes to nothing.
    enter(2);
    rest();
    expect(released).toEqual([]);
  });

  it("answer nobody when a rank is lost in the middle of one", () => {
    const { enter, leave, rest, released, timedOut } = meeting();
    for (const rank of [0, 1, 2]) enter(rank);
    leave(2);
    rest();
    expect(released).toEqual([]);
    expect(timedOut.map(([rank]) => rank)).toEqual([0, 1]);
  });

  it("count nobody who has left before all were there", () => {
    const { engine, enter, leave, rest, released } = meeting();
    enter(0);
    leave(0);
    enter(1);
    enter(2);
    engine.run(1_000_000);
    expect(released).toEqual([]);
    enter(0);
    rest();
    expect(released).toEqual([0, 1, 2]);
  });

  it("need each of their links once, not all at the same moment", () => {
    const { engine, network, exchanges, enter, released } = meeting();
    exchanges.linksChanged(1);
    const flap = (from: number, to: number, times: { downUs: number; upUs: number }) =>
      network.apply({ kind: "link", from, to }, { kind: "flap", ...times });
    // Sent again after 204 ms, when both are down; about 612 ms, when the first is up; about 1,428 ms, when
    // the second is, and the first is down again.
    flap(0, 1, { downUs: 250_000, upUs: 1_000_000 });
    flap(1, 2, { downUs: 700_000, upUs: 9_000_000 });
    for (const rank of [0, 1, 2]) enter(rank);
    engine.run(1_400_000);
    expect(released).toEqual([]);
    engine.run(2_000_000);
    expect(released).toEqual([0, 1, 2]);
  });

  it("that wait for a link end for nobody when a rank leaves, and begin anew when it is back", () => {
    const { engine, network, exchanges, enter, leave, rest, released } = meeting();
    exchanges.linksChanged(1);
    const link = { kind: "link", from: 0, to: 1 } as const;
    const handle = network.apply(link, { kind: "flap", downUs: 150_000, upUs: 9_000_000 });
    for (const rank of [0, 1, 2]) enter(rank);
    leave(2);
    network.undo(handle);
    exchanges.linksChanged(-1);
    engine.run(1_000_000);
    expect(released).toEqual([]);
    enter(2);
    rest();
    expect(released).toEqual([0, 1, 2]);
  });

  it("that somebody gave up while they waited for a link answer nobody when it is up", () => {
    const { engine, network, exchanges, enter, rest, released, timedOut } = meeting();
    exchanges.linksChanged(1);
    const handle = network.apply({ kind: "link", from: 0, to: 1 }, { kind: "cut" });
    for (const rank of [0, 1, 2]) enter(rank);
    rest();
    expect(timedOut).not.toEqual([]);
    network.undo(handle);
    exchanges.linksChanged(-1);
    engine.run(60_000_000);
    expect(released).toEqual([]);
  });

  it("go on at the speed of their links: the rest of one is faster when a narrow link is wide again", () => {
    const { engine, network, exchanges, enter, released } = meeting();
    exchanges.linksChanged(1);
    const latency = { kind: "latency", extraUs: 1_000_000, jitterUs: 0 } as const;
    const handle = network.apply({ kind: "link", from: 0, to: 1 }, latency);
    const slowUs = sumUs(network, [0, 1, 2], { bytes: 512, isDisturbed: true });
    for (const rank of [0, 1, 2]) enter(rank);
    engine.run(slowUs / 2);
    network.undo(handle);
    exchanges.linksChanged(-1);
    expect(released).toEqual([]);
    engine.run(slowUs / 2 + 1000);
    expect(released).toEqual([0, 1, 2]);
    engine.run(2 * slowUs);
    expect(released).toEqual([0, 1, 2]);
  });

  it("stay as slow as they are when something ends that did not make them slow", () => {
    const { engine, network, exchanges, enter, released } = meeting();
    const latency = { kind: "latency", extraUs: 1_000_000, jitterUs: 0 } as const;
    const [, other] = [0, 3].map((from) => {
      exchanges.linksChanged(1);
      return network.apply({ kind: "link", from, to: (from + 1) % 4 }, latency);
    });
    const slowUs = sumUs(network, [0, 1, 2], { bytes: 512, isDisturbed: true });
    for (const rank of [0, 1, 2]) enter(rank);
    engine.run(slowUs / 2);
    if (other !== undefined) network.undo(other);
    exchanges.linksChanged(-1);
    engine.run(slowUs - 1);
    expect(released).toEqual([]);
    engine.run(slowUs);
    expect(released).toEqual([0, 1, 2]);
  });

  it("take longer for more, and for ever across a cut", () => {
    const { network } = meeting();
    const us = (bytes: number) => sumUs(network, [0, 1, 2, 3], { bytes, isDisturbed: true });
    expect(us(1e9)).toBeGreaterThan(us(1e6));
    const cut = network.apply(
      { kind: "between", sides: [[0, 1]], direction: "forward" },
      { kind: "cut" },
    );
    expect(us(8)).toBe(never);
    network.undo(cut);
    expect(us(8)).toBeLessThan(never);
    expect([1, 2, 3, 4, 5, 1024].map(levelsOf)).toEqual([0, 1, 2, 2, 3, 10]);
  });
});

describe("the book of effects", () => {
  const fault = faultOf("kill_device");
  const record = {
    id: fault.id,
    fault: fault.fault,
    target: "rank 1",
    injectedUs: null,
    effectUs: null,
    effect: null,
    revertedUs: null,
    ranks: [1],
  };

  it("takes what was seen where the fault is, and nothing from elsewhere or before", () => {
    const book = new EffectBook(createEngine({ seed: "book" }), [record]);
    book.saw("process", 1, "too early");
    book.injected(fault, { aspect: "process", slots: [1] });
    book.saw("process", 2, "another slot");
    book.saw("hang", 1, "another kind");
    expect(book.records[0]?.effect).toBeNull();
    book.saw("process", 1, "it");
    book.saw("process", 1, "again");
    expect(book.records[0]?.effect).toBe("it");
  });

  it("takes nothing of a pace or a link after its fault was taken back", () => {
    const book = new EffectBook(createEngine({ seed: "book" }), [record]);
    book.injected(fault, { aspect: "pace", slots: [1] });
    book.reverted(fault.id);
    book.saw("pace", 1, "too late");
    expect(book.records[0]?.effect).toBeNull();
  });
});
