import { describe, expect, it } from "vitest";
import type { JobEvent } from "../../../src/chaos/record/index.ts";
import { breakThings, type TinyFault, tinyFaults } from "./lib/tiny-faults.ts";
import { Dice } from "./lib/tiny-queue.ts";
import { anySetup, type SetupChoices, setupOf } from "./lib/tiny-setup.ts";
import { type TinySetup, TinyWorld } from "./lib/tiny-world.ts";

/** More of them explore; a failure names its seed. */
const seeds = Number(process.env["ELASTIC_SEEDS"] ?? 2000);

interface Trouble {
  readonly faults: readonly TinyFault[];
  readonly count: number;
}

function ran(seed: number, setup: TinySetup, { faults, count }: Trouble): TinyWorld {
  const world = new TinyWorld(setup, seed);
  if (faults.length > 0) breakThings(world, faults, count);
  try {
    world.run();
  } catch (error) {
    throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
  }
  return world;
}

/** How the job ended, over a tenth of the seeds. */
function endsOf(choices: SetupChoices, trouble: Trouble): readonly string[] {
  const found = new Set<string>();
  for (let seed = 1; seed <= seeds / 10; seed++) {
    found.add(ran(seed, setupOf(choices), trouble).coordinator.phase);
  }
  return [...found].toSorted();
}

function anyWorld(seed: number): TinyWorld {
  const dice = new Dice(seed);
  const setup = anySetup(dice);
  const faults = tinyFaults
    .filter(() => dice.chance(0.5))
    // Where nobody compares, wrong bits can go unseen: that is no law.
    .filter((fault) => fault !== "corrupt" || setup.worker.compareEverySteps > 0);
  return ran(seed, setup, { faults, count: dice.int(12) });
}

describe("a job in a world that breaks", () => {
  it("keeps every law and ends, whatever breaks when", () => {
    const phases = new Map<string, number>();
    const kinds = new Set<string>();
    for (let seed = 1; seed <= seeds; seed++) {
      const { coordinator, events } = anyWorld(seed);
      phases.set(coordinator.phase, (phases.get(coordinator.phase) ?? 0) + 1);
      for (const event of events) kinds.add(nameOf(event));
    }
    // Both ends, and everything that can be noticed, are met: else the laws were put to no test.
    expect(phases.get("finished")).toBeGreaterThan(seeds / 4);
    expect(phases.get("gave-up")).toBeGreaterThan(seeds / 8);
    expect([...kinds]).toEqual(
      expect.arrayContaining([
        "detect exit",
        "detect heartbeat",
        "detect collective",
        "detect comparison",
        "detect notice",
        "detect progress",
        "restore done",
        "restore refused",
        "restore failed",
        "save failed",
        "resume",
      ]),
    );
  });

  it("does the same again with the same seed, and not with another", () => {
    expect(anyWorld(12).events).toEqual(anyWorld(12).events);
    expect(anyWorld(12).events).not.toEqual(anyWorld(13).events);
  });

  it("finishes always when what is lost comes back in time and recoveries are not limited", () => {
    const faults = ["kill", "device", "node", "freeze", "hang", "cut", "tear", "full"] as const;
    for (const onFailure of ["drainThenResume", "pauseForManual"] as const) {
      expect(endsOf({ onFailure, dp: 3 }, { faults, count: 8 })).toEqual(["finished"]);
    }
  });

  it("finishes always with as many spares as losses", () => {
    const choices = { onFailure: "spare", dp: 2, spareNodes: 3 } as const;
    expect(endsOf(choices, { faults: ["kill", "freeze"], count: 6 })).toEqual(["finished"]);
  });

  it("finishes or gives up when spares run out", () => {
    const choices = { onFailure: "spare", dp: 2, spareNodes: 1 } as const;
    expect(endsOf(choices, { faults: ["kill"], count: 6 })).toEqual(["finished", "gave-up"]);
  });

  it("notices nothing and starts nobody again where nothing breaks", () => {
    for (const onFailure of ["failFast", "shrink", "spare"] as const) {
      for (let seed = 1; seed <= 30; seed++) {
        const { events } = ran(seed, setupOf({ onFailure }), { faults: [], count: 0 });
        expect(events.filter(({ kind }) => kind === "detect" || kind === "restore")).toEqual([]);
        expect(events.filter(({ kind }) => kind === "generation")).toHaveLength(1);
        expect(events.at(-1)?.kind).toBe("finish");
      }
    }
  });
});

function nameOf(event: JobEvent): string {
  if (event.kind === "detect") return `detect ${event.by}`;
  return "phase" in event ? `${event.kind} ${event.phase}` : event.kind;
}
