import { describe, expect, it } from "vitest";
import { createMultiplexer, verdictOf } from "../../../src/platform/reporters/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { type Breakage, breakDuring } from "../../../src/runtime/dist/index.ts";
import { createWorld, type QaCheck, qaChecks, runSuite } from "../../../src/runtime/qa/index.ts";

const world = createWorld("rack", { seed: "suite" });
const named = (...names: string[]) => qaChecks.filter(({ name }) => names.includes(name));

async function reportOf(checks: readonly QaCheck[], breakages: readonly Breakage[] = []) {
  return await breakDuring(breakages, () =>
    runSuite({
      world,
      checks,
      clock: createRealClock(),
      reporter: createMultiplexer([]),
      signal: new AbortController().signal,
    }),
  );
}

async function itemsOf(checks: readonly QaCheck[], breakages: readonly Breakage[] = []) {
  return (await reportOf(checks, breakages)).sections.flatMap(({ items }) => items);
}

describe("a world", () => {
  it("has the same devices in every arrangement, in order and out of it", () => {
    for (const { mesh } of world.layouts) {
      expect(new Set(mesh.devices)).toEqual(new Set(world.devices));
    }
    const shapes = new Set(world.layouts.map(({ mesh }) => mesh.shape.join("x")));
    expect([...shapes]).toEqual(["72", "36x2", "18x4", "6x6x2"]);
    expect(createWorld("cluster", { seed: "1" }).nodes.mesh.shape).toEqual([128, 8]);
  });
});

describe("a corrupt device", () => {
  const checks = named("sum of random", "all-gather", "reduce-scatter", "data parallel");

  it("is no part of a sound world", async () => {
    const items = await itemsOf(checks);
    expect(items.map(({ status }) => status)).toEqual(["pass", "pass", "pass", "pass"]);
  });

  it("is named by the sums and collectives it spoils", async () => {
    const corrupt = { kind: "corrupt", device: 17, element: 5, bit: 22 } as const;
    const items = await itemsOf(named("sum of random", "all-gather", "reduce-scatter"), [corrupt]);
    expect(items.map(({ status }) => status)).toEqual(["fail", "fail", "fail"]);
    for (const { reason } of items) expect(reason).toContain("rank 17 (device 17) handed in");
  });

  it("is found by its wrong bit alone when it hands in the right values in a gather", async () => {
    const corrupt = {
      kind: "corrupt",
      device: 40,
      element: 7,
      bit: 30,
      when: "all-reduce",
    } as const;
    const [item] = await itemsOf(named("sum of random"), [corrupt]);
    expect(item?.status).toBe("fail");
    expect(item?.reason).toContain("rank 40 (device 40)");
    expect(item?.reason).toContain("element 7");
  });

  it("is named when it only spoils its own copy of the result", async () => {
    const corrupt = { kind: "corrupt", device: 9, element: 0, bit: 3, where: "output" } as const;
    const [item] = await itemsOf(named("sum of ones"), [corrupt]);
    expect(item?.status).toBe("fail");
    expect(item?.reason).toContain("rank 9 (device 9) ended with another value");
  });
});

describe("a slow device", () => {
  it("fails the bandwidth check and nothing that is about values", async () => {
    const slow = { kind: "slow", device: 3, factor: 4 } as const;
    const items = await itemsOf(named("all-reduce 64 MiB", "sum of ones"), [slow]);
    expect(items.map(({ name, status }) => [name, status])).toEqual([
      ["sum of ones", "pass"],
      ["all-reduce 64 MiB", "fail"],
    ]);
  });
});

describe("a check that breaks", () => {
  const broken: QaCheck = {
    name: "broken",
    section: "tests",
    run: () => {
      throw new Error("no such thing");
    },
  };

  it("is unknown, never healthy, and the others run", async () => {
    const report = await reportOf([broken, ...named("huge tensor")]);
    expect(verdictOf(report)).toBe("unknown");
    const [first, second] = report.sections.flatMap(({ items }) => items);
    expect(first?.reason).toContain("no such thing");
    expect(second?.status).toBe("pass");
  });
});
