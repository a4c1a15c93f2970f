import { describe, expect, it } from "vitest";
import type { JobEvent } from "../../../src/chaos/record/index.ts";
import { hit, type TinyFault } from "./lib/tiny-faults.ts";
import { type SetupChoices, setupOf } from "./lib/tiny-setup.ts";
import { TinyWorld } from "./lib/tiny-world.ts";

/** A job to which something happens when this step has been recorded for the first time. */
function job(
  choices: SetupChoices,
  happens: { readonly step: number; readonly act: (world: TinyWorld) => void },
): TinyWorld {
  const world = new TinyWorld(setupOf(choices), 7);
  let isDone = false;
  const watch = (): void => {
    const isThere = world.events.some((e) => e.kind === "step" && e.step === happens.step);
    if (isThere && !isDone) {
      isDone = true;
      happens.act(world);
    }
    if (!isDone && !world.isOver()) world.queue.after(20, watch);
  };
  world.queue.after(20, watch);
  world.run();
  return world;
}

const strike =
  (fault: TinyFault, slot: number, durationUs = 5000) =>
  (world: TinyWorld): void =>
    hit(world, fault, { slot, durationUs });

/** The story in short: `detect exit 1`, `restore step-000004`, `generation 2`. */
function story({ events }: TinyWorld): readonly string[] {
  return events.flatMap((event): readonly string[] => {
    const words = inShort(event);
    return words === null ? [] : [words];
  });
}

function inShort(event: JobEvent): string | null {
  switch (event.kind) {
    case "detect":
      return `detect ${event.by} ${event.ranks.join(",")}`;
    case "isolate":
      return `isolate ${event.ranks.join(",")}`;
    case "generation":
      return `generation ${event.generation} of ${event.ranks}`;
    case "restore":
      return event.phase === "begun" ? null : `restore ${event.phase} ${event.tag ?? "nothing"}`;
    case "finish":
      return `finish ${event.stateDigest}`;
    case "give-up":
      return `give up: ${event.reason}`;
    case "pause":
    case "resume":
      return event.kind;
    default:
      return null;
  }
}

describe("a rank that is killed", () => {
  it("is started again, and all go on from the last checkpoint", () => {
    expect(story(job({}, { step: 6, act: strike("kill", 1) }))).toEqual([
      "generation 1 of 2",
      "detect exit 1",
      "isolate 1",
      "generation 2 of 2",
      "restore done step-000004",
      "finish state-12",
    ]);
  });

  it("ends a job that shall fail fast", () => {
    expect(
      story(job({ onFailure: "failFast" }, { step: 6, act: strike("kill", 1) })).slice(1),
    ).toEqual(["detect exit 1", "isolate 1", "give up: failFast: rank 1 ended: SIGKILL"]);
  });

  it("is waited for by a person, who says to go on", () => {
    const told = story(job({ onFailure: "pauseForManual" }, { step: 6, act: strike("kill", 1) }));
    expect(told.slice(3, 6)).toEqual(["pause", "resume", "generation 2 of 2"]);
    expect(told.at(-1)).toBe("finish state-12");
  });

  it("is never gone on without when the person ends the job", () => {
    const choices = { onFailure: "pauseForManual", resumeAfterUs: null } as const;
    const told = story(
      job(choices, {
        step: 6,
        act: (world) => {
          strike("kill", 1)(world);
          world.queue.after(50_000, () => world.tell({ type: "operator", action: "abort" }));
        },
      }),
    );
    expect(told.slice(3)).toEqual(["pause", "give up: the operator ended the job"]);
  });

  it("is replaced by a spare, whose slot is the rank then", () => {
    const choices = { onFailure: "spare", spareNodes: 1 } as const;
    const world = job(choices, { step: 6, act: strike("kill", 1) });
    expect(story(world).at(-1)).toBe("finish state-12");
    expect(world.coordinator.members).toEqual([
      { slot: 0, incarnation: 1 },
      { slot: 2, incarnation: 1 },
    ]);
  });

  it("is done without, with a whole replica less", () => {
    const choices = { onFailure: "shrink", dp: 2, pp: 2 } as const;
    const world = job(choices, { step: 6, act: strike("kill", 1) });
    expect(story(world).slice(3)).toEqual([
      "generation 2 of 2",
      "restore done step-000004",
      "finish state-12",
    ]);
    expect(world.coordinator.slotOf(0)).toBe(2);
    expect(world.coordinator.slotOf(2)).toBeUndefined();
  });

  it("takes all work with it where nothing was ever saved", () => {
    const told = story(job({ saveEverySteps: 0 }, { step: 6, act: strike("kill", 0) }));
    expect(told.slice(4)).toEqual(["restore done nothing", "finish state-12"]);
  });
});

describe("a rank that is alive but lost", () => {
  it("is killed when it is frozen, before its slot is used again", () => {
    const world = job({}, { step: 6, act: strike("freeze", 1, 1e9) });
    expect(story(world)[1]).toBe("detect heartbeat 1");
    expect(story(world).at(-1)).toBe("finish state-12");
    expect(world.coordinator.members[1]?.incarnation).toBe(2);
  });

  it("is blamed by those who wait for it when its device hangs", () => {
    const world = job({ dp: 3 }, { step: 6, act: strike("hang", 1, 1e9) });
    expect(story(world).slice(1, 3)).toEqual(["detect collective 1", "isolate 1"]);
    expect(world.coordinator.members[1]?.incarnation).toBe(2);
  });

  it("is noticed by the lack of progress when nobody waits for it", () => {
    const told = story(job({ dp: 1 }, { step: 6, act: strike("hang", 0, 60_000) }));
    expect(told[1]).toBe("detect progress 0");
    expect(told.at(-1)).toBe("finish state-12");
  });

  it("ends the job when its device does not come back in time, and not when it does", () => {
    const gone = { rendezvousUs: 30_000 };
    const never = story(job(gone, { step: 6, act: strike("device", 1, 100_000) }));
    expect(never.at(-1)).toBe("give up: slot 1 did not come back within 30 ms");
    const soon = story(job(gone, { step: 6, act: strike("device", 1, 20_000) }));
    expect(soon.at(-1)).toBe("finish state-12");
  });
});

describe("a checkpoint", () => {
  const torn = (count: number) => (world: TinyWorld) => {
    const tags = [...world.storage.keys()].toSorted().toReversed().slice(0, count);
    for (const tag of tags) (world.storage.get(tag) as { isTorn: boolean }).isTorn = true;
    strike("kill", 1)(world);
  };

  it("that is torn is passed over for the one before", () => {
    expect(story(job({}, { step: 10, act: torn(1) })).slice(4)).toEqual([
      "restore refused step-000008",
      "restore done step-000004",
      "finish state-12",
    ]);
  });

  it("is done without when all are torn", () => {
    expect(story(job({}, { step: 10, act: torn(2) })).slice(4, 7)).toEqual([
      "restore refused step-000008",
      "restore refused step-000004",
      "restore done nothing",
    ]);
  });

  it("with which not one step can be done is not gone back to again", () => {
    const act = (world: TinyWorld): void => {
      (world.storage.get("step-000008") as { corruption: number }).corruption = -1;
      strike("kill", 1)(world);
    };
    const told = story(job({}, { step: 10, act }));
    expect(told).toContain("detect numerics ");
    expect(told.slice(-5)).toEqual([
      "restore refused step-000008",
      "isolate ",
      "generation 3 of 2",
      "restore done step-000004",
      "finish state-12",
    ]);
  });

  it("is not written with wrong bits where replicas compare", () => {
    const choices = { dp: 3, compareEverySteps: 12 };
    const told = story(
      job(choices, {
        step: 6,
        act: (world) => {
          (world.processes.get(1) as { corruption: number }).corruption = 1;
        },
      }),
    );
    expect(told.slice(1)).toEqual([
      "detect comparison 1",
      "isolate 1",
      "generation 2 of 3",
      "restore done step-000004",
      "finish state-12",
    ]);
  });
});

describe("a slot that is taken away with notice", () => {
  const notice = (graceUs: number) => strike("preempt", 1, graceUs);

  it("takes no step with it when there is time to save", () => {
    const world = job({ saveEverySteps: 0 }, { step: 6, act: notice(20_000) });
    const steps = world.events.flatMap((event) => (event.kind === "step" ? [event.step] : []));
    expect(steps).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(story(world)).toContain("detect notice 1");
    expect(story(world).at(-1)).toBe("finish state-12");
  });

  it("takes what was not saved when it leaves at the end of a step", () => {
    const choices = { action: "partialFlushThenExit", saveEverySteps: 0 } as const;
    const told = story(job(choices, { step: 6, act: notice(20_000) }));
    expect(told.slice(1, 5)).toEqual([
      "detect notice 1",
      "isolate 1",
      "generation 2 of 2",
      "restore done nothing",
    ]);
  });

  it("ends a job that shall fail fast then", () => {
    const told = story(job({ action: "failFast" }, { step: 6, act: notice(20_000) }));
    expect(told.slice(1)).toEqual(["detect notice 1", "give up: failFast: rank 1 is preempted"]);
  });

  it("lets a job end that is about to", () => {
    const told = story(job({ steps: 8 }, { step: 7, act: notice(20_000) }));
    expect(told.slice(1)).toEqual(["finish state-8"]);
  });
});

describe("a job", () => {
  it("gives up when its recoveries are used up", () => {
    const choices = { restartsMax: 1 };
    const told = story(
      job(choices, {
        step: 6,
        act: (world) => {
          strike("kill", 1)(world);
          world.queue.after(10_000, () => strike("kill", 0)(world));
        },
      }),
    );
    expect(told.at(-1)).toBe("give up: 1 recovery is all that is allowed: rank 0 ended: SIGKILL");
  });

  it("goes on without a save that failed", () => {
    const world = job({}, { step: 3, act: strike("full", 0, 4000) });
    const saves = world.events.flatMap((e) => (e.kind === "save" ? [`${e.phase} ${e.step}`] : []));
    expect(saves).toEqual([
      "begun 4",
      "failed 4",
      "begun 8",
      "committed 8",
      "begun 12",
      "committed 12",
    ]);
    expect(story(world)).toEqual(["generation 1 of 2", "finish state-12"]);
  });

  it("does not finish when ranks end with different states", () => {
    const world = job(
      { dp: 3, saveEverySteps: 0 },
      {
        step: 6,
        act: (inside) => {
          (inside.processes.get(2) as { corruption: number }).corruption = 1;
        },
      },
    );
    expect(story(world).slice(1)).toEqual([
      "detect comparison 2",
      "give up: the ranks ended with different states",
    ]);
  });
});
