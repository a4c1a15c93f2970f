import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPattern } from "../../../../src/runtime/ranks/measure/pattern.ts";
import { shapeOf } from "../../../../src/runtime/ranks/measure/shapes.ts";
import { elementsOf } from "../../../../src/runtime/ranks/measure/wire-dtype.ts";
import {
  type Schedule,
  scheduleOf,
} from "../../../../src/runtime/ranks/transports/tcp/schedule.ts";
import { tcpOps } from "../../../../src/runtime/ranks/transports/tcp/tcp-transport.ts";

const ops = tcpOps.filter((op) => op !== "barrier");

interface Rank {
  readonly schedule: Schedule;
  readonly own: Float64Array;
  readonly out: Float64Array;
  readonly arrived: Map<number, number>;
  /** What it has sent so far, by receiver. */
  readonly sent: Map<number, Float64Array[]>;
}

/** Carries all schedules out in rounds, as if the network were instant. */
function simulate(ranks: readonly Rank[]): void {
  const send = (rank: Rank, to: number, values: Float64Array) =>
    rank.sent.set(to, [...(rank.sent.get(to) ?? []), values.slice()]);
  for (const rank of ranks) {
    const { schedule, own, out } = rank;
    for (const { from, to, count } of schedule.local) out.set(own.subarray(from, from + count), to);
    for (const [to, stretches] of schedule.sends) {
      for (const { buffer, at, count } of stretches) {
        send(rank, to, (buffer === "in" ? own : out).subarray(at, at + count));
      }
    }
  }
  for (let moved = true; moved; ) {
    moved = false;
    for (const [index, rank] of ranks.entries()) {
      for (const [from, arrivals] of rank.schedule.receives) {
        const done = rank.arrived.get(from) ?? 0;
        const arrival = arrivals[done];
        const values = ranks[from]?.sent.get(index)?.[done];
        if (arrival === undefined || values === undefined) continue;
        expect(values).toHaveLength(arrival.count);
        const { at, count, how } = arrival;
        for (let i = 0; i < count; i++) {
          const own = how === "add" ? (rank.own[at + i] ?? Number.NaN) : 0;
          rank.out[at + i] = own + (values[i] ?? Number.NaN);
        }
        if (arrival.forward) send(rank, rank.schedule.next, rank.out.subarray(at, at + count));
        rank.arrived.set(from, done + 1);
        moved = true;
      }
    }
  }
}

describe("schedules", () => {
  test.each(ops)("%s gives every rank its answer, for any ranks, sizes, pieces and root", (op) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 9 }),
        fc.nat(6),
        (worldSize, elements, pieceElements, anyRoot) => {
          const root = anyRoot % worldSize;
          const pattern = createPattern("f64", worldSize);
          const ranks = Array.from({ length: worldSize }, (_, rank) => {
            const size = { op, bytes: elements * 8, dtype: "f64", root } as const;
            const shape = shapeOf(size, { rank, worldSize });
            const place = { op, rank, worldSize, root, pieceElements };
            const schedule = scheduleOf({ ...place, elements: shape.elements, share: shape.share });
            const own = new Float64Array(shape.input.elements);
            pattern.fill(new Uint8Array(own.buffer), { rank, start: shape.input.start });
            const out = new Float64Array(schedule.outElements).fill(Number.NaN);
            return { schedule, own, out, arrived: new Map(), sent: new Map(), shape };
          });
          simulate(ranks);
          for (const { schedule, out, shape, arrived } of ranks) {
            for (const [from, arrivals] of schedule.receives) {
              expect(arrived.get(from) ?? 0).toBe(arrivals.length);
            }
            const answer = new Uint8Array(out.buffer).subarray(schedule.answerAt * 8);
            expect(pattern.verify(answer, shape.answer).wrong).toBe(0);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test("a ring sends 2 (n - 1) / n of the bytes for an all-reduce, and never more at once", () => {
    const schedule = scheduleOf({
      op: "all-reduce",
      rank: 1,
      worldSize: 4,
      elements: 4000,
      share: 4000,
      root: 0,
      pieceElements: 300,
    });
    const own = schedule.sends.get(2) ?? [];
    const forwarded = (schedule.receives.get(0) ?? []).filter(({ forward }) => forward);
    const sum = [...own, ...forwarded].reduce((total, { count }) => total + count, 0);
    expect(sum).toBe((2 * 3 * 4000) / 4);
    expect(Math.max(...own.map(({ count }) => count))).toBe(300);
  });
});

describe("the pattern", () => {
  test.each(["f32", "f64", "bf16", "f16", "i32", "i8", "u8"] as const)(
    "%s: one wrong element is found and named, and none where all are right",
    (dtype) => {
      const pattern = createPattern(dtype, 5);
      const bytes = new Uint8Array(8 * 1000);
      pattern.fill(bytes, { rank: 3, start: 17 });
      const elements = elementsOf(bytes, dtype);
      const blocks = [{ at: 0, count: elements.length, start: 17, source: 3 }];
      expect(pattern.verify(bytes, blocks)).toEqual({ wrong: 0, elements: elements.length });
      elements[40] = (elements[40] ?? 0) + 1;
      const found = pattern.verify(bytes, blocks);
      expect(found.wrong).toBe(1);
      expect(found.first).toContain("element 40");
      expect(
        pattern.verify(bytes, [{ at: 0, count: 900, start: 18, source: 3 }]).wrong,
      ).toBeGreaterThan(500);
    },
  );

  test("sums are whole and exact for every dtype and number of ranks", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("f32", "bf16", "f16", "u8", "i8"),
        fc.integer({ min: 1, max: 128 }),
        fc.nat(2 ** 34),
        (dtype, worldSize, index) => {
          const pattern = createPattern(dtype, worldSize);
          let sum = 0;
          for (let rank = 0; rank < worldSize; rank++) sum += pattern.value(rank, index);
          const wrapped = dtype === "u8" ? sum & 0xff : dtype === "i8" ? (sum << 24) >> 24 : sum;
          expect(pattern.sum(index)).toBe(wrapped);
        },
      ),
    );
  });
});
