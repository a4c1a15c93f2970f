import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { timeoutDefaults } from "../../../src/chaos/experiment/presets/index.ts";
import {
  isTimeoutName,
  lintTimeouts,
  nesting,
  timeoutRules,
  timeoutsByName,
} from "../../../src/chaos/timeouts/index.ts";

const s = 1_000_000;
const lint = (timeouts: Readonly<Record<string, number>>, order?: readonly string[]) =>
  lintTimeouts(new Map(Object.entries(timeouts)), order);

describe("timeouts", () => {
  it("are found when the outer one ends before the inner one, with what to set", () => {
    expect(lint({ processGroup: 120 * s, train: 100 * s, init: 300 * s })).toEqual({
      compared: 2,
      findings: [
        {
          rule: "nesting",
          inner: { name: "processGroup", valueUs: 120 * s },
          outer: { name: "train", valueUs: 100 * s },
          why: expect.stringContaining("hung exchange") as string,
          set: "set train to more than 2m, or processGroup to less than 1m 40s",
        },
      ],
    });
  });

  it("are not found when they are nested", () => {
    const nested = {
      processGroup: 120,
      train: 200,
      init: 300,
      quorum: 600,
      watchdogHeartbeat: 900,
    };
    const { findings, compared } = lint({ ...nested, schedulerGrace: 1800 });
    expect(findings).toEqual([]);
    expect(compared).toBe(5);
  });

  it("are compared across a level of which nothing is given", () => {
    expect(lint({ collective: 5 * s, quorum: 4 * s }).findings).toHaveLength(1);
    expect(lint({ collective: 5 * s, quorum: 6 * s }).findings).toEqual([]);
  });

  it("are found when they are equal, but three beats may fill the silence exactly", () => {
    expect(lint({ heartbeat: 5 * s, collective: 5 * s }).findings).toHaveLength(1);
    expect(lint({ heartbeatEvery: 1 * s, heartbeat: 3 * s }).findings).toEqual([]);
    expect(lint({ heartbeatEvery: 1 * s, heartbeat: 2 * s }).findings).toMatchObject([
      {
        rule: "heartbeat-interval",
        set: "set heartbeat to at least 3 s, or heartbeatEvery to at most 666 ms",
      },
    ]);
  });

  it("of the user's own follow the order that is given", () => {
    const own = { nccl: 10 * s, agent: 5 * s, slurm: 20 * s };
    const { findings } = lint(own, ["nccl", "agent", "slurm"]);
    expect(findings.map(({ inner, outer }) => [inner.name, outer.name])).toEqual([
      ["nccl", "agent"],
    ]);
    expect(lint(own, ["agent", "nccl", "slurm"]).findings).toEqual([]);
    expect(lint(own)).toEqual({ findings: [], compared: 0 });
  });

  it("that experiments have by default fit together", () => {
    const all = timeoutsByName({
      ...timeoutDefaults,
      heartbeatEveryUs: timeoutDefaults.heartbeatUs / 4,
    });
    const { findings, compared } = lintTimeouts(all);
    expect(findings).toEqual([]);
    expect(compared).toBeGreaterThanOrEqual(5);
  });
});

describe("every rule", () => {
  it("is broken by values the wrong way round and kept by the right way, and says why", () => {
    const levels = nesting.slice(0, -1).map(({ names, why }, at) => ({
      inner: names[0] as string,
      outer: nesting[at + 1]?.names[0] as string,
      times: 1,
      why,
    }));
    for (const { inner, outer, times = 1, why } of [...timeoutRules, ...levels]) {
      expect(isTimeoutName(inner) && isTimeoutName(outer)).toBe(true);
      expect(why.length).toBeGreaterThan(20);
      expect(lint({ [inner]: 10, [outer]: 5 }).findings).toMatchObject([{ why }]);
      expect(lint({ [inner]: 5, [outer]: 5 * times + 1 }).findings).toEqual([]);
    }
  });

  it("is kept by whoever does what each finding says", () => {
    const names = [...new Set(timeoutRules.flatMap(({ inner, outer }) => [inner, outer]))];
    const values = fc.record(
      Object.fromEntries(names.map((name) => [name, fc.integer({ min: 1, max: 1e9 })])),
    );
    fc.assert(
      fc.property(values, (given) => {
        const timeouts: Record<string, number> = { ...given };
        // Only ever raised, and no rule asks in a circle: it ends.
        for (let round = 0; round < 100; round++) {
          const [first] = lint(timeouts).findings;
          if (first === undefined) return;
          timeouts[first.outer.name] = first.inner.valueUs * 3 + 1;
        }
        expect.fail("the rules contradict each other");
      }),
    );
  });
});
