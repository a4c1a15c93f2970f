import { describe, expect, it } from "vitest";
import {
  type Breakage,
  breakDuring,
  breakNow,
  currentHealth,
} from "../../../../src/runtime/dist/health/index.ts";
import { Mesh } from "../../../../src/runtime/dist/mesh/index.ts";

const effect = { op: "all-reduce", what: "failed", text: "device 5 is lost" } as const;

describe("what is broken", () => {
  it("is told what it did, each thing for itself", () => {
    using five = breakNow({ kind: "dead", device: 5 });
    using six = breakNow([
      { kind: "dead", device: 6 },
      { kind: "hung", device: 5, timeoutMs: 1 },
    ]);
    currentHealth().note({ kind: "dead", device: 5 }, effect);
    expect(five).toMatchObject({ met: 1 });
    expect(five.effects()).toEqual([effect]);
    expect(six.met).toBe(0);
    currentHealth().note({ kind: "hung", device: 5 }, effect);
    expect([five.met, six.met]).toEqual([1, 1]);
  });

  it("counts for itself, though one literal is in force twice", () => {
    const dead: Breakage = { kind: "dead", device: 5 };
    const first = breakNow(dead);
    first[Symbol.dispose]();
    using second = breakNow(dead);
    currentHealth().note({ kind: "dead", device: 5 }, effect);
    expect([first.met, second.met]).toEqual([0, 1]);
  });

  it("keeps a bounded list of what it did, and counts on", () => {
    breakDuring({ kind: "dead", device: 5 }, (broken) => {
      for (let time = 0; time < 1500; time++) {
        currentHealth().note({ kind: "dead", device: 5 }, effect);
      }
      expect(broken.met).toBe(1500);
      expect(broken.effects()).toHaveLength(1000);
    });
  });

  it("of links is told only of links that it touches", () => {
    using cut = breakNow({ kind: "cut", links: [[0, 1]] });
    currentHealth().note({ kind: "cut", from: 1, to: 0 }, effect);
    expect(cut.met).toBe(0);
    currentHealth().note({ kind: "cut", from: 0, to: 1 }, effect);
    expect(cut.met).toBe(1);
  });
});

describe("the fate of collectives", () => {
  const drop = { kind: "drop", timeoutMs: 5 } as const;
  const fates = (count: number, op = "all-reduce") =>
    Array.from({ length: count }, () => {
      const fate = currentHealth().fateOf(op);
      if (fate.droppedAfterMs !== undefined) fate.noteDropped();
      return fate.droppedAfterMs !== undefined;
    });

  it("is the n-th's alone, and messages between two ranks do not count", () => {
    using _ = breakNow({ kind: "collective", nth: 2, fate: drop });
    expect(fates(2, "send-recv")).toEqual([false, false]);
    expect(fates(4)).toEqual([false, true, false, false]);
  });

  it("is that of messages when they are asked for", () => {
    using _ = breakNow({ kind: "collective", when: "send-recv", fate: drop });
    expect(fates(1, "send-recv")).toEqual([true]);
    expect(fates(1)).toEqual([false]);
  });

  it("happens so many times, and which ones chance hits does not depend on that", () => {
    const chance = { share: 0.5, seed: 3 };
    const all = breakDuring({ kind: "collective", chance, fate: drop }, () => fates(20));
    const two = breakDuring({ kind: "collective", chance, times: 2, fate: drop }, () => fates(20));
    const hits = all.flatMap((hit, at) => (hit ? [at] : []));
    expect(hits.length).toBeGreaterThan(2);
    expect(two.flatMap((hit, at) => (hit ? [at] : []))).toEqual(hits.slice(0, 2));
  });

  it("ends with its scope, also for a health that was asked before", () => {
    const broken = breakNow({ kind: "collective", fate: drop });
    const health = currentHealth();
    broken[Symbol.dispose]();
    expect(health.fateOf("all-reduce").droppedAfterMs).toBeUndefined();
  });
});

describe("links of a device inside its node", () => {
  it("are those to devices of its node, and no others", () => {
    const mesh = new Mesh({ axes: ["node", "gpu"], shape: [2, 2], devices: 4 });
    using _ = breakNow({ kind: "cut", device: 1, within: "node" });
    const health = currentHealth();
    expect(health.linkBetween(0, 1, mesh)).toBe("cut");
    expect(health.linkBetween(1, 3, mesh)).toBe("up");
    expect(health.linkBetween(2, 3, mesh)).toBe("up");
  });
});

describe("what is no breakage", () => {
  it.each([
    [{ kind: "straggling", device: 0, factor: 0.5 }, "from 1"],
    [{ kind: "hung", device: 0, timeoutMs: -1 }, "a time"],
    [{ kind: "slow", factor: 1, capGBps: 0 }, "still moves"],
    [{ kind: "slow", factor: 1, addUs: Number.NaN }, "a time"],
    [{ kind: "collective", nth: 0, fate: { kind: "delay", delayUs: 1 } }, "from 1"],
    [
      { kind: "collective", chance: { share: 2, seed: 0 }, fate: { kind: "delay", delayUs: 1 } },
      "share",
    ],
  ] as const)("is refused: %j", (breakage, reason) => {
    expect(() => breakNow(breakage as Breakage)).toThrow(reason);
    expect(currentHealth().empty).toBe(true);
  });
});
