import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createTcpTransport, measureCollective } from "../../../../src/runtime/ranks/index.ts";
import { combine } from "../../../../src/runtime/ranks/measure/measure-collective.ts";
import { createPattern } from "../../../../src/runtime/ranks/measure/pattern.ts";
import { wireDTypes } from "../../../../src/runtime/ranks/measure/wire-dtype.ts";
import { addInto } from "../../../../src/runtime/ranks/transports/tcp/add.ts";
import { headProblem, writeHead } from "../../../../src/runtime/ranks/transports/tcp/frame-head.ts";
import { tcpOps } from "../../../../src/runtime/ranks/transports/tcp/tcp-transport.ts";
import { clock, worldHere } from "../support/here.ts";

describe("TCP between ranks", () => {
  test.each(tcpOps)("%s gives every rank its answer, over real sockets", async (op) => {
    const worlds = await worldHere(3);
    const measured = await Promise.all(
      worlds.map((world) =>
        measureCollective({
          transport: createTcpTransport({ world, clock }),
          op,
          sizes: [8, 1000, 3_000_000],
          root: 1,
          warmUp: 1,
          iterations: 2,
          share: (own) => world.gather(own),
        }),
      ),
    );
    expect(measured[1]).toEqual(measured[0]);
    for (const { wrong, elements, timesUs, timeUs } of measured[0] ?? []) {
      expect(wrong).toBe(0);
      expect(elements > 0 || op === "barrier").toBe(true);
      expect(timesUs).toHaveLength(2);
      expect(timeUs).toBeGreaterThan(0);
    }
  });

  test.each(wireDTypes)("%s is summed exactly", async (dtype) => {
    const worlds = await worldHere(2);
    const found = await Promise.all(
      worlds.map(async (world) => {
        const transport = createTcpTransport({ world, clock });
        const prepared = await transport.prepare({ op: "all-reduce", bytes: 300_000, dtype });
        await prepared.run();
        return prepared.verify();
      }),
    );
    for (const { wrong, elements } of found) expect([wrong, elements > 0]).toEqual([0, true]);
  });

  test("an answer from before does not pass for a new one", async () => {
    const [world] = await worldHere(1);
    if (world === undefined) throw new Error("there is one rank");
    const transport = createTcpTransport({ world, clock });
    const prepared = await transport.prepare({ op: "all-gather", bytes: 400, dtype: "i32" });
    expect((await prepared.verify()).wrong).toBe(100);
    await prepared.run();
    expect((await prepared.verify()).wrong).toBe(0);
    await prepared.refill();
    expect((await prepared.verify()).wrong).toBe(100);
  });

  test("a rank that is at another operation ends the world, and is named", async () => {
    const worlds = await worldHere(2);
    const runs = await Promise.allSettled(
      worlds.map(async (world, rank) => {
        const transport = createTcpTransport({ world, clock, stallMs: 60_000 });
        const bytes = rank === 0 ? 4096 : 8192;
        await (await transport.prepare({ op: "all-reduce", bytes, dtype: "f32" })).run();
      }),
    );
    const reasons = runs.map((run) => (run.status === "rejected" ? String(run.reason) : ""));
    expect(reasons[0]).toMatch(/Rank [01] .* bytes where .* were expected/);
    expect(reasons[1]).toBe(reasons[0]);
  });

  test("a rank that leaves in the middle ends the others' operation", async () => {
    const worlds = await worldHere(2);
    const [one, two] = worlds;
    const transport = one && createTcpTransport({ world: one, clock });
    const prepared = await transport?.prepare({ op: "all-reduce", bytes: 65_536, dtype: "f32" });
    const running = expect(prepared?.run()).rejects.toMatchObject({ code: "E_RANK_LOST" });
    two?.abort("it gave up");
    await running;
  });
});

describe("pieces of it", () => {
  test("small floats are added as their dtype rounds them", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9000 }), (count) => {
        const pattern = createPattern("bf16", 2);
        const make = (rank: number) => {
          const elements = new Uint16Array(count);
          pattern.fill(new Uint8Array(elements.buffer), { rank, start: 0 });
          return elements;
        };
        const out = new Uint16Array(count);
        addInto("bf16", { own: make(0), received: make(1), out, at: 0, count });
        const blocks = [{ at: 0, count, start: 0, source: "sum" }] as const;
        expect(pattern.verify(new Uint8Array(out.buffer), blocks).wrong).toBe(0);
      }),
      { numRuns: 20 },
    );
  });

  test("a head says what it is for, and every other is found out", () => {
    const head = { operation: 7, sizeBytes: 2 ** 40 };
    expect(headProblem(writeHead(head), head)).toBeUndefined();
    expect(headProblem(writeHead({ ...head, operation: 8 }), head)).toContain("operation 8");
    expect(headProblem(writeHead({ ...head, sizeBytes: 1 }), head)).toContain("1 bytes");
    expect(headProblem(new Uint8Array(16), head)).toContain("not the head");
  });

  test("the time of a run is that of its slowest rank, and wrong elements are added up", () => {
    const about = { op: "all-reduce", bytes: 1e6, dtype: "f32", ranks: 2 } as const;
    const one = combine(
      [
        { timesUs: [10, 500, 30], wrong: 0, elements: 5 },
        { timesUs: [20, 100, 40], wrong: 2, elements: 5, first: "element 3 is 1 instead of 2" },
      ],
      about,
    );
    expect(one).toMatchObject({ timesUs: [20, 500, 40], timeUs: 40, wrong: 2, elements: 10 });
    expect(one.algbwGBps).toBeCloseTo(25);
    expect(one.busbwGBps).toBeCloseTo(25);
    expect(one.firstWrong).toContain("rank 1: element 3");
    const alone = combine([{ timesUs: [10], wrong: 0, elements: 1 }], { ...about, ranks: 1 });
    expect(alone.busbwGBps).toBe(0);
  });
});
