import { describe, expect, it } from "vitest";
import { createRng } from "../../../src/platform/rng/index.ts";
import {
  type Choice,
  createRandomPolicy,
  createStalePolicy,
  type Openings,
  TestFloor,
} from "../../../src/validation/prioritize/index.ts";
import { replayPolicy } from "../../../src/validation/replay/index.ts";
import { dayS, hourS, smallLog } from "../replay/small-log.ts";

const checks = ["x", "y"].map((name) => ({ name, minutes: 60, sensitivity: { bad: 1 } }));

/** What a policy begins on a log without trouble: `node/check` with the hour. */
function begun(
  create: (fleet: ReturnType<typeof smallLog>["fleet"]) => Parameters<typeof replayPolicy>[1],
  log = smallLog([], { checks }),
): readonly string[] {
  const list: string[] = [];
  replayPolicy(log, create(log.fleet), {
    rng: createRng("0"),
    onBegin: ({ atS, choice }) => {
      list.push(
        `${log.fleet.nodes[choice.node]?.name}/${log.fleet.checks[choice.check]?.name} ${atS / hourS}`,
      );
    },
  });
  return list;
}

describe("the stale policy", () => {
  it("tests what was never tested in fleet order, then nothing until a result is over 7 days old", () => {
    const limits = { inFlight: 1, gpuHoursPerDay: 1000 };
    const list = begun(createStalePolicy, smallLog([], { checks, limits, end: 8 * dayS }));
    expect(list.slice(0, 6)).toEqual(["a/x 0", "a/y 1", "b/x 2", "b/y 3", "c/x 4", "c/y 5"]);
    // a/x gave its result at hour 1; it is over 7 days old at the first question after hour 169.
    expect(list[6]).toBe(`a/x ${169 + 1 / 6}`);
    expect(list[7]).toBe(`a/y ${170 + 1 / 6}`);
  });

  it("takes an older result before a newer one, whatever the fleet order", () => {
    const limits = { inFlight: 1, gpuHoursPerDay: 1000 };
    const events = [
      { type: "busy", t: 0, node: "a" },
      { type: "free", t: 4.5 * hourS, node: "a" },
    ];
    const one = [{ name: "x", minutes: 60, sensitivity: {} }];
    const list = begun(createStalePolicy, smallLog(events, { checks: one, limits, end: 9 * dayS }));
    expect(list.map((text) => text.slice(0, 1)).join("")).toBe("bcabca");
  });

  it("begins a pre-empted test again", () => {
    const events = [
      { type: "busy", t: 1800, node: "a" },
      { type: "free", t: 7200, node: "a" },
    ];
    const one = [{ name: "x", minutes: 60, sensitivity: {} }];
    const list = begun(createStalePolicy, smallLog(events, { checks: one, end: dayS }));
    expect(list).toEqual(["a/x 0", "b/x 0", "c/x 0", "a/x 2"]);
  });

  it("takes the next that fits when the first does not", () => {
    const uneven = [
      { name: "x", minutes: 120, sensitivity: {} },
      { name: "y", minutes: 60, sensitivity: {} },
    ];
    const limits = { inFlight: 1, gpuHoursPerDay: 12 };
    const list = begun(createStalePolicy, smallLog([], { checks: uneven, limits, end: dayS }));
    expect(list).toEqual(["a/y 0"]);
  });

  it("says why", () => {
    const { fleet } = smallLog([], { checks });
    const policy = createStalePolicy(fleet);
    const floor = new TestFloor(fleet);
    expect(policy.choose(floor)?.reason()).toBe("never tested");
    for (let pair = 0; pair < 6; pair++) {
      const [node, check] = [Math.floor(pair / 2), pair % 2];
      policy.observe({ type: "tested", t: pair, node, check, outcome: "passed" });
    }
    floor.advance(9 * dayS);
    expect(policy.choose(floor)?.reason()).toBe("last tested 9.0 d ago, over 7 d");
  });
});

describe("the random policy", () => {
  it("tests all free nodes and checks alike, and only those", () => {
    const { fleet } = smallLog([], { checks });
    const policy = createRandomPolicy(fleet, createRng("0"));
    const openings: Openings = {
      nowS: 0,
      slots: 1,
      gpuHoursLeft: 100,
      isOpen: (node) => node !== 1,
      fits: (node, check) => !(node === 2 && check === 0),
    };
    const drawn = Array.from({ length: 900 }, () => policy.choose(openings));
    const counts = countsOf(drawn);
    expect([...counts.keys()].toSorted()).toEqual(["0/0", "0/1", "2/1"]);
    for (const count of counts.values()) expect(count).toBeGreaterThan(230);
  });

  it("draws the same for the same seed and waits when nothing is open", () => {
    const { fleet } = smallLog([], { checks });
    const log = smallLog([], { checks, end: dayS });
    const create = () => createRandomPolicy(fleet, createRng("7"));
    expect(begun(create, log)).toEqual(begun(create, log));
    expect(begun(create, log)).not.toEqual(
      begun(() => createRandomPolicy(fleet, createRng("8")), log),
    );
    const closed: Openings = {
      nowS: 0,
      slots: 1,
      gpuHoursLeft: 1,
      isOpen: () => false,
      fits: () => true,
    };
    expect(create().choose(closed)).toBeUndefined();
  });
});

function countsOf(drawn: readonly (Choice | undefined)[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const choice of drawn) {
    const key = `${choice?.node}/${choice?.check}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
