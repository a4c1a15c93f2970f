import { beforeAll, describe, expect, it } from "vitest";
import {
  describeReplay,
  firstEventDifference,
  type Journal,
  replay,
  type TracingWorld,
} from "../../../src/chaos/journal/index.ts";
import { judge } from "../../../src/chaos/judge/index.ts";
import { createEngine, type Trace } from "../../../src/chaos/sim/engine/index.ts";
import { createSimWorld } from "../../../src/chaos/sim/index.ts";
import { never, simRun } from "./lib/sim-run.ts";
import { restart, smallPlan } from "./lib/small-plan.ts";

let journal: Journal;

beforeAll(async () => {
  ({ journal } = await simRun(smallPlan()));
});

const again = (about: Journal, world: TracingWorld = createSimWorld()) =>
  replay(about, { world, judge, signal: never });

describe("a replay", () => {
  it("comes out the same", async () => {
    const result = await again(journal);
    expect(result.differences).toEqual([]);
    expect(result).toMatchObject({ firstEvent: null, firstEntry: null, notes: [] });
  });

  it("of a run that failed comes out the same too", async () => {
    const plan = { ...smallPlan(), defects: ["cursorOffByOne"] as const };
    const failed = await simRun(plan);
    expect(failed.run.judgement.outcome).toBe("fail");
    const result = await again(failed.journal);
    expect(result.differences).toEqual([]);
    expect(result.run.judgement.signature).toBe(failed.run.judgement.signature);
  });

  it("in a world that does something else names the first event and the place in the trace", async () => {
    const sim = createSimWorld();
    const changed: TracingWorld = {
      ...sim,
      // As if somebody had changed the program since: the fault comes two steps later.
      run: (plan, options) =>
        sim.run(plan.faults.length === 0 ? plan : smallPlan([restart(11)]), options),
    };
    const result = await again(journal, changed);
    expect(result.differences.map(({ what }) => what)).toContain("trace hash");
    expect(result.firstEvent).not.toBeNull();
    const { from, before } = result.firstEntry ?? { from: 0, before: 0 };
    expect(before).toBeGreaterThan(from);
    expect(describeReplay(result)).toMatch(
      /^trace hash .* became .*; event \d+ was detect at \d+ µs and is save 8 at \d+ µs; the traces part between entries \d+ and \d+/,
    );
  });

  it.each([
    ["state digest", { record: { stateDigest: "sha256:0" } }],
    ["outcome", { judgement: { outcome: "inconclusive" } }],
    ["signature", { judgement: { signature: "other" } }],
    ["baseline", { baseline: { stateDigest: "sha256:0" } }],
  ])("tells a different %s", async (what, change) => {
    const changed = {
      ...journal,
      ...Object.fromEntries(
        Object.entries(change).map(([key, value]) => [
          key,
          { ...(journal[key as keyof Journal] as object), ...value },
        ]),
      ),
    } as Journal;
    const result = await again(changed);
    expect(result.differences.map((one) => one.what)).toEqual([what]);
    expect(describeReplay(result)).toContain(what);
  });

  it("tells events that differ though the hash is the same", async () => {
    const [first, ...rest] = journal.record.events;
    const events = first === undefined ? [] : [{ ...first, atUs: 1 }, ...rest];
    const result = await again({ ...journal, record: { ...journal.record, events } });
    expect(result.differences.map(({ what }) => what)).toEqual(["events"]);
    expect(result.firstEvent?.index).toBe(0);
    expect(describeReplay(result)).toMatch(/^event 1 was .* at 1 µs and is .* at \d+ µs$/);
  });

  it("names the field of an event that differs in nothing else", async () => {
    const events = journal.record.events.map((event) =>
      event.kind === "finish" ? { ...event, stateDigest: "sha256:0" } : event,
    );
    const result = await again({ ...journal, record: { ...journal.record, events } });
    expect(describeReplay(result)).toMatch(
      /^event \d+, finish at \d+ µs, has another stateDigest$/,
    );
  });

  it("says that versions differ, and still compares", async () => {
    const result = await again({ ...journal, tool: { tessera: "0.0.1", node: "18.0.0" } });
    expect(result.differences).toEqual([]);
    expect(result.notes.join("; ")).toMatch(/Tessera 0\.0\.1.*Node 18\.0\.0/);
  });

  it("of another world compares what both know, and says so", async () => {
    const record = { ...journal.record, world: "host", traceHash: null, events: [] } as const;
    const result = await again({ ...journal, record, trace: null });
    expect(result.differences).toEqual([]);
    expect(result.notes.join("; ")).toContain("host");
  });
});

describe("a replay in a world that keeps entries", () => {
  /** Five events, each named; the third at a time of its own. */
  function world(thirdUs: number): TracingWorld {
    return {
      name: "sim",
      refusals: () => [],
      run: async (plan, { traceWindow, onTrace }) => {
        const window = traceWindow === undefined ? {} : { window: traceWindow };
        const engine = createEngine({ seed: plan.seed, ...window });
        const kind = engine.kind("tick", () => {});
        for (const atUs of [1, 2, thirdUs, 40, 50]) engine.at(atUs, kind);
        engine.run(100);
        onTrace?.(engine.trace());
        return { ...journal.record, traceHash: engine.traceHash() };
      },
    };
  }

  it("says what happened where the runs part", async () => {
    let trace: Trace | null = null;
    const { traceHash } = await world(30).run(journal.plan, {
      signal: never,
      onTrace: (found) => (trace = found),
    });
    const before = { ...journal, record: { ...journal.record, traceHash }, trace };
    expect((await again(before, world(30))).differences).toEqual([]);
    const parted = await again(before, world(35));
    expect(parted.firstEntry).toMatchObject({ from: 2, entry: { timeUs: 35, name: "tick" } });
    expect(describeReplay(parted)).toContain("between entries 2 and 3, at 35 µs, tick");
  });
});

describe("the first different event", () => {
  const step = (at: number) =>
    ({ kind: "step", atUs: at, generation: 1, step: at, units: 1 }) as const;

  it("is nowhere in equal lists, and at the end of a shorter one", () => {
    expect(firstEventDifference([step(1)], [step(1)])).toBeNull();
    const parted = firstEventDifference([step(1)], [step(1), step(2)]);
    expect(parted).toEqual({ index: 1, one: null, other: step(2) });
  });
});
