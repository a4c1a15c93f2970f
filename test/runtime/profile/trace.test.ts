import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import { measured, recordOp, region, session } from "../../../src/runtime/profile/index.ts";
import { assignLanes } from "../../../src/runtime/profile/trace/lanes.ts";
import { allReduce, matmul, untimed } from "./records.ts";

const finite = z.number().refine((value) => Number.isFinite(value) && value >= 0);
const where = { pid: z.int().positive(), tid: z.int().positive() };
const eventSchema = z.discriminatedUnion("ph", [
  z.strictObject({
    ph: z.literal("X"),
    name: z.string().min(1),
    cat: z.string().min(1),
    ts: finite,
    dur: finite,
    args: z.record(z.string(), z.unknown()),
    ...where,
  }),
  z.strictObject({
    ph: z.literal("i"),
    s: z.enum(["g", "p", "t"]),
    name: z.string(),
    cat: z.string(),
    ts: finite,
    ...where,
  }),
  z.strictObject({
    ph: z.literal("M"),
    name: z.enum(["process_name", "thread_name", "process_sort_index", "thread_sort_index"]),
    pid: where.pid,
    tid: where.tid.optional(),
    args: z.union([z.object({ name: z.string() }), z.object({ sort_index: z.number() })]),
  }),
]);
const traceSchema = z.object({
  traceEvents: z.array(eventSchema),
  displayTimeUnit: z.enum(["ms", "ns"]),
  otherData: z.record(z.string(), z.unknown()),
});

function parse(text: string) {
  const { traceEvents } = traceSchema.parse(JSON.parse(text));
  const slices = traceEvents.flatMap((event) => (event.ph === "X" ? [event] : []));
  const processes = new Map(
    traceEvents.flatMap((event) =>
      event.ph === "M" && event.name === "process_name" && "name" in event.args
        ? [[event.pid, event.args.name] as const]
        : [],
    ),
  );
  return { traceEvents, slices, processes };
}

/** What a viewer needs: on one thread any two slices are apart, or one is inside the other. */
function expectStackable(slices: ReturnType<typeof parse>["slices"]) {
  const byThread = new Map<number, typeof slices>();
  for (const slice of slices) {
    byThread.set(slice.tid, [...(byThread.get(slice.tid) ?? []), slice]);
  }
  for (const thread of byThread.values()) {
    const openEnds: number[] = [];
    for (const { ts, dur } of thread) {
      const [startNs, endNs] = [
        Math.round(ts * 1000),
        Math.round(ts * 1000) + Math.round(dur * 1000),
      ];
      while ((openEnds.at(-1) ?? Number.POSITIVE_INFINITY) <= startNs) openEnds.pop();
      expect(endNs).toBeLessThanOrEqual(openEnds.at(-1) ?? Number.POSITIVE_INFINITY);
      openEnds.push(endNs);
    }
  }
}

describe("a Chrome trace", () => {
  it("keeps modelled and measured time in two processes, each with a name", async () => {
    const clock = new VirtualClock();
    using open = session({ clock });
    {
      using _ = region("step");
      recordOp(() => allReduce);
      await measured(
        () => ({ ...matmul, op: "host matmul" }),
        () => clock.advance(3),
      );
      recordOp(() => matmul);
      open.mark("half");
    }
    const { slices, processes, traceEvents } = parse(open.chromeTrace());
    const shown = slices.map(({ pid, name, ts, dur }) => [
      processes.get(pid)?.split(" ")[0],
      name,
      ts,
      dur,
    ]);
    expect(shown).toEqual([
      ["measured", "step", 0, 3000],
      ["measured", "host matmul", 0, 3000],
      ["modelled", "step", 0, 4352],
      ["modelled", "all-reduce", 0, 352],
      ["modelled", "matmul", 352, 4000],
    ]);
    expect(slices[3]?.args).toMatchObject({ bytes: 67_108_864, algorithm: "nvls", notes: [] });
    expect(traceEvents.filter(({ ph }) => ph === "i")).toMatchObject([
      { name: "half", ts: 3000 },
      { name: "half", ts: 4352 },
    ]);
    expectStackable(slices);
  });

  it("has no two threads with one id, in whichever process", () => {
    using open = session();
    recordOp(() => allReduce);
    recordOp(() => ({ ...allReduce, axes: ["tp"] }));
    recordOp(() => ({ ...allReduce, source: "simulated" }));
    const { traceEvents } = parse(open.chromeTrace());
    const tids = traceEvents.flatMap((event) =>
      event.ph === "M" && event.name === "thread_name" ? [event.tid] : [],
    );
    expect(tids).toHaveLength(3);
    expect(new Set(tids).size).toBe(3);
  });

  it("leaves out what has no time, and of nothing is still a trace", () => {
    using open = session();
    recordOp(() => untimed);
    expect(parse(open.chromeTrace()).traceEvents).toEqual([]);
  });

  it("stays stackable for modelled times of any length", () => {
    const times = fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { maxLength: 30 });
    fc.assert(
      fc.property(times, (all) => {
        using open = session();
        for (const timeUs of all) recordOp(() => ({ ...allReduce, timeUs }));
        const { slices } = parse(open.chromeTrace());
        expect(slices).toHaveLength(all.length);
        expectStackable(slices);
      }),
      { numRuns: 50 },
    );
  });
});

describe("lanes", () => {
  const spans = fc.array(
    fc
      .tuple(fc.nat(50), fc.nat(20))
      .map(([startNs, length]) => ({ startNs, endNs: startNs + length })),
    { maxLength: 40 },
  );

  it("hold spans that are apart or nested, whatever the spans", () => {
    fc.assert(
      fc.property(spans, (all) => {
        const lanes = assignLanes(all);
        for (const [a, first] of all.entries()) {
          for (const [b, second] of all.entries()) {
            if (a >= b || lanes[a] !== lanes[b]) continue;
            const areApart = first.endNs <= second.startNs || second.endNs <= first.startNs;
            const inside = (x: typeof first, y: typeof first) =>
              x.startNs >= y.startNs && x.endNs <= y.endNs;
            expect(areApart || inside(first, second) || inside(second, first)).toBe(true);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it("are only as many as overlap crosswise", () => {
    expect(
      assignLanes([
        { startNs: 0, endNs: 10 },
        { startNs: 2, endNs: 4 },
      ]),
    ).toEqual([0, 0]);
    expect(
      assignLanes([
        { startNs: 0, endNs: 10 },
        { startNs: 5, endNs: 15 },
      ]),
    ).toEqual([0, 1]);
  });
});
