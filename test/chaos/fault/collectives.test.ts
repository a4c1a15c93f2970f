import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FaultSpec, inject } from "../../../src/chaos/fault/index.ts";
import { isTesseraError } from "../../../src/platform/errors/index.ts";
import { spmd } from "../../../src/runtime/dist/index.ts";
import { allReduce, barrier } from "../../../src/runtime/op/index.ts";
import { fromValues } from "../../../src/runtime/tensor/index.ts";
import { errorOf, mesh, ones, sum, timeUs } from "./broken-mesh.ts";

describe("a collective", () => {
  it("is dropped when it is the n-th that passes, and only then", () => {
    inject({ dropCollective: { nth: 2, op: "all-reduce", timeout: "5s" } }, () => {
      barrier(mesh);
      expect(sum(mesh)).toBe(8);
      const error = errorOf({ straggler: { device: 0 } }, () => sum(mesh));
      expect(error?.code).toBe("E_TIMEOUT");
      expect(error?.message).toBe(
        "all-reduce over dp, whose messages were dropped in phase reduce-scatter, did not finish within 5 s.",
      );
      expect(sum(mesh)).toBe(8);
    });
  });

  it("is dropped by chance, the same ones with the same seed, about as many as the share says", () => {
    const dropped = (seed: number, share: number) =>
      inject({ dropCollective: { share, seed } }, () =>
        Array.from({ length: 200 }, () => {
          try {
            barrier(mesh);
            return false;
          } catch {
            return true;
          }
        }),
      );
    const first = dropped(1, 0.3);
    expect(dropped(1, 0.3)).toEqual(first);
    expect(dropped(2, 0.3)).not.toEqual(first);
    const count = first.filter(Boolean).length;
    expect(count).toBeGreaterThan(30);
    expect(count).toBeLessThan(90);
    expect(dropped(1, 0).filter(Boolean)).toEqual([]);
    expect(dropped(1, 1).filter(Boolean)).toHaveLength(200);
  });

  it("that is delayed takes so much longer in modelled time and gives the same", () => {
    const usual = timeUs(undefined, () => sum(mesh));
    const spec = { delayCollective: { delay: "1s", times: 1 } } as const;
    const both = () => [sum(mesh), sum(mesh)];
    expect(timeUs(spec, both)).toBeCloseTo(2 * usual + 1_000_000, 3);
    expect(inject(spec, both)).toEqual([8, 8]);
  });

  it("that is corrupted differs in the device's part, once", () => {
    const spec = { corruptCollective: { device: 5, element: 2, bit: 31, nth: 1 } };
    inject(spec, () => {
      const wrong = allReduce(ones(mesh)).toTensor();
      expect([wrong.at(1), wrong.at(2)]).toEqual([8, 6]);
      expect(sum(mesh)).toBe(8);
    });
  });

  it("fails with the same error for every rank of a program", async () => {
    const faults = [
      { dropCollective: { nth: 1 } },
      { hang: 2 },
      { ecc: { device: 2, xid: 94 } },
    ] as const;
    for (const spec of faults) {
      const seen = await inject(spec, () =>
        spmd(mesh, async (rank) =>
          rank.allReduce(fromValues([1])).then(
            () => "went through",
            (error: unknown) => error,
          ),
        ),
      );
      expect(new Set(seen).size).toBe(1);
      expect(isTesseraError(seen[0])).toBe(true);
    }
  });

  it("in a program is delayed and corrupted as outside of one", async () => {
    const run = () =>
      spmd(mesh, async (rank) => {
        const value = await rank.allReduce(fromValues([1]));
        return [value.at(0), rank.nowUs] as const;
      });
    const [usual] = await run();
    const [late] = await inject({ delayCollective: "1s" }, run);
    expect(late?.[0]).toBe(8);
    expect((late?.[1] ?? 0) - (usual?.[1] ?? 0)).toBeCloseTo(1_000_000, 3);
    const [wrong] = await inject({ corruptCollective: { device: 5, bit: 31 } }, run);
    expect(wrong?.[0]).toBe(6);
  });
});

describe("scopes", () => {
  it("of any faults in any order of exit leave nothing behind", () => {
    const specs: readonly FaultSpec[] = [
      { dropDevice: 1 },
      { hang: 2 },
      { latency: "5ms" },
      { packetLoss: 1 },
      { dropCollective: {} },
      { corruptCollective: { device: 0 } },
      { outOfMemory: 3 },
      { straggler: { device: 4 } },
    ];
    const usual = timeUs(undefined, () => sum(mesh));
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...specs.keys()], { minLength: 1 }),
        fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
        (chosen, order) => {
          const open = chosen.map((at) => inject(specs[at] ?? {}));
          for (const pick of order)
            open.splice(pick % Math.max(1, open.length), 1)[0]?.[Symbol.dispose]();
          for (const one of open) one[Symbol.dispose]();
          expect(timeUs(undefined, () => expect(sum(mesh)).toBe(8))).toBe(usual);
        },
      ),
      { numRuns: 40 },
    );
  });
});
