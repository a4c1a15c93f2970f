import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CampaignPart } from "../../../src/chaos/campaign/index.ts";
import { campaignJob } from "../../../src/chaos/campaign/on-kubernetes/index.ts";
import {
  missingIn,
  partFromLog,
  partToLines,
  rangesAt,
  rangesText,
  runCount,
  splitRange,
  splitStretches,
} from "../../../src/chaos/campaign/spread/index.ts";
import { viewPod } from "../../../src/chaos/kubernetes/objects.ts";
import { linesAfter } from "../../../src/chaos/kubernetes/pod-logs.ts";
import { hasAnswered } from "../../../src/chaos/kubernetes/pod-reach.ts";
import { readinessOf } from "../../../src/chaos/kubernetes/readiness.ts";
import { ReadinessBook } from "../../../src/chaos/live/index.ts";

describe("ranges of a campaign", () => {
  it("cover every run once, and differ by one in length at most", () => {
    const cases = fc.tuple(
      fc.nat(1000),
      fc.integer({ min: 1, max: 5000 }),
      fc.integer({ min: 1, max: 64 }),
    );
    fc.assert(
      fc.property(cases, ([from, count, pods]) => {
        const ranges = splitRange({ from, to: from + count }, pods);
        expect(ranges[0]?.from).toBe(from);
        expect(ranges.at(-1)?.to).toBe(from + count);
        const lengths = ranges.map((one, at) => {
          expect(one.from).toBe(at === 0 ? from : ranges[at - 1]?.to);
          return one.to - one.from;
        });
        expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
        expect(ranges).toEqual(splitStretches([{ from, to: from + count }], pods).flat());
      }),
    );
  });

  it("are not found where there are none", () => {
    expect(rangesAt("0:5", 1)).toBeUndefined();
    expect(rangesAt("5:5", 0)).toBeUndefined();
    expect(rangesAt("a:b", 0)).toBeUndefined();
    expect(rangesAt("", 0)).toBeUndefined();
    expect(rangesAt("5:8+1:2", 0)).toBeUndefined();
    expect(rangesAt("5:8+", 0)).toBeUndefined();
  });
});

describe("what of a range is missing", () => {
  it("is cut into ranges that hold it all once, and nothing that is known", () => {
    const cases = fc.tuple(
      fc.uniqueArray(fc.nat(300), { maxLength: 300 }),
      fc.integer({ min: 1, max: 20 }),
    );
    fc.assert(
      fc.property(cases, ([known, pods]) => {
        const missing = missingIn({ from: 10, to: 250 }, new Set(known));
        const tasks = splitStretches(missing, pods);
        expect(tasks.length).toBeLessThanOrEqual(pods);
        expect(tasks.map((_, at) => rangesAt(rangesText(tasks), at))).toEqual(tasks);
        const indexes = tasks
          .flat()
          .flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at));
        const expected = Array.from({ length: 240 }, (_, at) => at + 10);
        expect(indexes).toEqual(expected.filter((index) => !known.includes(index)));
      }),
    );
  });

  it("is split as a whole range where nothing is known, and is nothing where all is", () => {
    const range = { from: 0, to: 100 };
    expect(splitStretches(missingIn(range, new Set()), 3)).toEqual(
      splitRange(range, 3).map((one) => [one]),
    );
    expect(missingIn({ from: 1, to: 3 }, new Set([0, 1, 2]))).toEqual([]);
    expect(splitStretches([], 3)).toEqual([]);
  });

  it("makes no more tasks than asked for, however many holes there are", () => {
    const holes = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ from: 3 * at, to: 3 * at + 1 }));
    const tasks = splitStretches(holes(1500), 4);
    expect(tasks.map(runCount)).toEqual([375, 375, 375, 375]);
    expect(tasks.flat()).toEqual(holes(1500));
  });

  it("joins the nearest of more holes than an environment variable takes, and loses none", () => {
    const far = { from: 10_000_000, to: 10_000_001 };
    const holes = Array.from({ length: 20_000 }, (_, at) => ({ from: 2 * at, to: 2 * at + 1 }));
    const tasks = splitStretches([...holes, far], 1000);
    expect(tasks.length).toBe(1000);
    expect(rangesText(tasks).length).toBeLessThan(128 * 2 ** 10);
    const isMade = ({ from, to }: { from: number; to: number }) =>
      tasks.flat().some((range) => range.from <= from && to <= range.to);
    expect(holes.filter((_, at) => at % 97 === 0).every(isMade)).toBe(true);
    expect(tasks.flat().at(-1)).toEqual(far);
  });
});

describe("a part in a log", () => {
  const part = (length: number): CampaignPart => ({
    format: "tessera-chaos-campaign-part/1",
    version: "1",
    seed: "7",
    runs: Array.from({ length }, (_, index) => ({ index, reason: `${Math.sin(index)}` })) as never,
    canaries: [],
  });

  it("comes back among other lines, and after a start that was cut off", () => {
    const lines = partToLines(part(2000));
    expect(lines.length).toBeGreaterThan(2);
    const log = [
      "hello",
      ...lines.slice(0, 2),
      "noise",
      ...lines.flatMap((line) => [line, "x"]),
    ].join("\n");
    expect(partFromLog(log)).toEqual(part(2000));
  });

  it("that is not all there is none", () => {
    const lines = partToLines(part(2000));
    expect(partFromLog(lines.slice(1).join("\n"))).toBeUndefined();
    expect(partFromLog(lines.slice(0, -1).join("\n"))).toBeUndefined();
    expect(partFromLog(lines.toSpliced(1, 1).join("\n"))).toBeUndefined();
    const other = lines.map((line) =>
      line.replace('"text":"', '"text":"A').replace(/.("}})$/, "$1"),
    );
    expect(partFromLog(other.join("\n"))).toBeUndefined();
    expect(partFromLog("")).toBeUndefined();
  });
});

it("asks for an indexed Job whose pods may do nothing but compute", () => {
  const job = campaignJob({
    name: "c-1",
    campaign: "c",
    namespace: "n",
    image: "i",
    seed: "7",
    ranges: splitStretches([{ from: 0, to: 10 }], 2),
    pods: 8,
    cpu: "1",
    memory: "1Gi",
    deadlineSeconds: 60,
  });
  expect(job).toMatchObject({
    spec: { completionMode: "Indexed", completions: 2, parallelism: 2 },
  });
  const text = JSON.stringify(job);
  expect(text).toContain('"value":"0:5,5:10"');
  expect(text).toContain('"automountServiceAccountToken":false');
  expect(text).toContain('"readOnlyRootFilesystem":true');
});

describe("a book of readiness", () => {
  const pod = (name: string, ready = true) =>
    viewPod({
      metadata: { name, uid: name },
      status: {
        phase: "Running",
        conditions: [{ type: "Ready", status: ready ? "True" : "False" }],
      },
    });
  const open = (hasProgress = false) =>
    new ReadinessBook({ hasProgress, atStart: "the pods at the start", onEvent: () => {} });
  const kinds = (book: ReadinessBook) => book.events.map(({ kind }) => kind);

  it("makes a step of every look at which all are ready, and a generation of every return", () => {
    const book = open();
    book.looked(readinessOf([pod("a"), pod("b")], 2), 0);
    book.changed(readinessOf([pod("a")], 2), 1);
    book.looked(readinessOf([pod("a"), pod("b", false)], 2), 2);
    book.changed(readinessOf([pod("a"), pod("c")], 2), 3);
    book.looked(readinessOf([pod("a"), pod("c")], 2), 4);
    expect(kinds(book)).toEqual([
      "generation",
      "step",
      "step",
      "detect",
      "generation",
      "step",
      "step",
    ]);
    expect(book.events.at(-3)).toMatchObject({ generation: 2, atUs: 3 });
    expect(book.wholeLooks).toBe(1);
  });

  it("makes no steps where the pods tell of their own", () => {
    const book = open(true);
    book.looked(readinessOf([pod("a"), pod("b")], 2), 0);
    expect(kinds(book)).toEqual(["generation"]);
  });

  it("counts a pod that ended well and not one that is leaving", () => {
    const leaving = viewPod({
      metadata: { name: "a", deletionTimestamp: "now" },
      status: { conditions: [{ type: "Ready", status: "True" }] },
    });
    expect(leaving).toMatchObject({ isReady: false, isLeaving: true });
    const book = open();
    book.looked(readinessOf([pod("a"), { ...pod("b", false), hasSucceeded: true }], 2), 0);
    expect(book.wholeLooks).toBe(1);
    book.looked(readinessOf([pod("a"), leaving], 2), 1);
    expect(book.wholeLooks).toBe(0);
  });
});

it("finds the new lines of a log whose old ones are cut off", () => {
  expect(linesAfter([], ["a", "b"])).toEqual(["a", "b"]);
  expect(linesAfter(["a", "b"], ["a", "b", "c"])).toEqual(["c"]);
  expect(linesAfter(["a", "b", "c"], ["b", "c", "d"])).toEqual(["d"]);
  expect(linesAfter(["a", "b"], ["a", "b"])).toEqual([]);
  expect(linesAfter(["a", "b"], ["x", "y"])).toEqual(["x", "y"]);
});

it("takes a refused connection and any answer for a pod that is reached, and silence for none", () => {
  const refused = "error trying to reach service: dial tcp 10.0.0.5:9: connect: connection refused";
  expect(hasAnswered(503, refused)).toBe(true);
  expect(hasAnswered(404, "not found")).toBe(true);
  expect(hasAnswered(503, "error trying to reach service: dial tcp 10.0.0.5:9: i/o timeout")).toBe(
    false,
  );
  expect(hasAnswered(undefined, "no answer within 5000 ms")).toBe(false);
});
