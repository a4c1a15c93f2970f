import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRng } from "../../../src/platform/rng/index.ts";
import { judgeScaling, measuredScaling } from "../../../src/runtime/scaling/study/index.ts";
import { parseTable, type Run, samplesOf } from "../../../src/runtime/scaling/table/index.ts";

const csv = `# runs of Monday
devices, time_s, work

1,10,8
1,11,8
2,5.5,8
4,3e0,8
`;

describe("a table of runs", () => {
  test("is read from CSV, with comments and empty lines", () => {
    expect(parseTable(csv, "runs.csv")).toEqual([
      { devices: 1, timeS: 10, work: 8 },
      { devices: 1, timeS: 11, work: 8 },
      { devices: 2, timeS: 5.5, work: 8 },
      { devices: 4, timeS: 3, work: 8 },
    ]);
  });

  test("is read from JSON: a list, or what `tessera scale --measured --json` writes", () => {
    const runs = [{ devices: 2, time_s: 5 }];
    expect(parseTable(JSON.stringify(runs), "runs.json")).toEqual([{ devices: 2, timeS: 5 }]);
    const measured = { source: "measured", points: [{ ranks: 2, stepUs: 1500, rows: 64 }] };
    expect(parseTable(JSON.stringify(measured), "runs.json")).toEqual([
      { devices: 2, timeS: 0.0015, work: 64 },
    ]);
  });

  test.each([
    ["GPUs,Time_s\n2,0.5"],
    ["ranks,step_time_ms\n2,500"],
    ["devices;time_us;loss\n2;500000;3.1"],
    ['"devices"\t"seconds"\n"2"\t"0.5"'],
    ["\uFEFFdevices,time_s\r\n2,0.5\r\n"],
    ['[{"gpus": 2, "time_ms": 500, "note": "x"}]'],
  ])("%j says two devices and half a second", (text) => {
    expect(parseTable(text, "t")).toEqual([{ devices: 2, timeS: 0.5 }]);
  });

  test("what was modelled does not come back as measured", () => {
    const points = [{ devices: 2, timeS: 5, work: 1 }];
    const report = (source: string) => JSON.stringify({ source, points });
    expect(() => parseTable(report("modelled"), "report.json")).toThrow(/its times are modelled/);
    for (const source of ["measured", "slurm"]) {
      expect(parseTable(report(source), "report.json")).toEqual(points);
    }
  });

  test("CSV of any runs comes back as it was", () => {
    const positive = fc.double({ min: 1e-9, max: 1e9, noNaN: true });
    const run = fc.record({
      devices: fc.integer({ min: 1, max: 1e6 }),
      timeS: positive,
      work: positive,
    });
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 20 }), (runs) => {
        const lines = runs.map(({ devices, timeS, work }) => `${work},${devices},${timeS}`);
        expect(parseTable(["work,devices,time_s", ...lines].join("\r\n"), "x")).toEqual(runs);
      }),
    );
  });

  test.each([
    ["", /first line does not name/],
    ["devices,time_s\n", /it has no runs/],
    [
      "devices,duration\n1,2",
      /does not name the columns devices and time_s, but devices, duration/,
    ],
    ["gpus,time_ms,gpus\n1,2,3", /two columns are called gpus/],
    ["gpus,devices,time_s\n1,2,3", /line 2: gpus and devices say the same/],
    ["devices,time_s,wrok\n1,2,3", /column wrok is not known: was work meant/],
    ["devices;time_s\n1;0,5", /line 2: time_s is "0,5"/],
    ["devices,time_s\n1", /line 2 has 1 cells/],
    ["devices,time_s\n1,2\n0.5,2", /line 3: devices is no whole number/],
    ["devices,time_s\n1,-2", /line 2: time_s is "-2"/],
    ["devices,time_s\n1,0", /line 2: time_s is "0"/],
    ["devices,time_s\n1,1e999", /line 2: time_s/],
    ["devices,time_s\n1,", /line 2 has no time_s/],
    ["devices,time_s\nNaN,1", /line 2: devices is "NaN"/],
    ["[", /not valid JSON/],
    ["{}", /no list of runs/],
    ["[3]", /run 1 is no record/],
    ['[{"devices": 1, "time_s": "soon"}]', /run 1: time_s is "soon"/],
    ['[{"devices": 1, "time_s": null}]', /run 1 has no time_s/],
  ])("%j is refused with what is wrong", (text, message) => {
    expect(() => parseTable(text, "t")).toThrow(message);
  });

  test("of one count, or with other work in the same count, is refused", () => {
    const one = [{ devices: 1, timeS: 1 }];
    expect(() => samplesOf(one, "strong", "t")).toThrow(/one count/);
    const unlike = [
      { devices: 1, timeS: 1, work: 1 },
      { devices: 2, timeS: 1, work: 1 },
      { devices: 2, timeS: 1, work: 2 },
    ];
    expect(() => samplesOf(unlike, "strong", "t")).toThrow(
      /runs with 2 devices differ in their work/,
    );
  });

  test("that is no pure scaling of its kind says so", () => {
    const runs = [1, 2, 4].map((devices) => ({ devices, timeS: 1, work: devices }));
    expect(samplesOf(runs, "strong", "t").notes.join()).toContain("no pure strong scaling");
    expect(samplesOf(runs, "weak", "t").notes.join()).not.toContain("no pure");
  });

  test("that is faster than ideal says whose fault that is", () => {
    const notes = (power: number) =>
      measuredScaling(
        [1, 2, 4, 8].map((devices) => ({ devices, timeS: 8 / devices ** power })),
        { kind: "strong", table: "t", resamples: 0 },
      ).notes.join();
    expect(notes(1.2)).toContain("Efficiency above 100 %: 1 device is held back");
    expect(notes(0.9)).not.toContain("above 100 %");
  });

  test("without work is taken as the same work, or the same for each device", () => {
    const runs = [1, 2].map((devices) => ({ devices, timeS: 1 }));
    const works = (kind: "strong" | "weak") =>
      samplesOf(runs, kind, "t").samples.map(({ work }) => work);
    expect([works("strong"), works("weak")]).toEqual([
      [1, 1],
      [1, 2],
    ]);
  });
});

describe("rules", () => {
  const study = (runs: readonly Run[]) =>
    measuredScaling(runs, { kind: "strong", table: "t", rng: createRng(1), resamples: 100 });
  const runsAt = (times: Readonly<Record<number, readonly number[]>>) =>
    Object.entries(times).flatMap(([devices, all]) =>
      all.map((timeS) => ({ devices: Number(devices), timeS })),
    );
  const verdict = (times: Readonly<Record<number, readonly number[]>>, efficiencyMin: number) =>
    judgeScaling(study(runsAt(times)), { efficiencyMin })[0]?.verdict;

  test("an efficiency that is surely above passes, below fails, between is unknown", () => {
    const runs = { 1: [10, 10.1, 9.9], 8: [1.5, 1.52, 1.48] };
    expect(verdict(runs, 0.7)).toBe("pass");
    expect(verdict(runs, 0.95)).toBe("fail");
    expect(verdict(runs, 0.835)).toBe("unknown");
  });

  test("a drop that noise may have made, or hidden, is unknown; one beyond it fails", () => {
    const drop = (times: Readonly<Record<number, readonly number[]>>, dropMax: number) =>
      judgeScaling(study(runsAt(times)), { dropMax })[0]?.verdict;
    const single = { 1: [8], 2: [4.2], 4: [2.2] };
    expect([drop(single, 0.5), drop(single, 0.04), drop(single, 0.1)]).toEqual([
      "pass",
      "unknown",
      "unknown",
    ]);
    expect(drop({ 1: [8], 2: [7] }, 0.1)).toBe("fail");
    const several = { 1: [8, 8.01, 7.99], 2: [4.2, 4.21, 4.19], 4: [2.2, 2.21, 2.19] };
    expect([drop(several, 0.1), drop(several, 0.04)]).toEqual(["pass", "fail"]);
  });

  test("one run decides only what is far from the limit", () => {
    const runs = { 1: [10], 8: [1.5] };
    expect([verdict(runs, 0.5), verdict(runs, 0.99), verdict(runs, 0.85)]).toEqual([
      "pass",
      "fail",
      "unknown",
    ]);
  });

  test("the fall with each doubling is that between neighbours, by doublings", () => {
    const times = runsAt({ 1: [8, 8], 2: [4, 4], 8: [1.25, 1.25] });
    const rule = (dropMax: number) => judgeScaling(study(times), { dropMax })[0];
    expect(rule(0.11)).toMatchObject({ verdict: "pass" });
    expect(rule(0.1)).toMatchObject({
      verdict: "fail",
      reason: "At most it falls by 10.6 %, from 2 to 8 devices.",
    });
  });

  test("a knee that fell by more than a fifth fails, one that rose is remarked", () => {
    const times = runsAt({ 1: [8], 2: [4], 4: [2], 8: [1.9], 16: [1.9] });
    const rule = (kneeBefore: number) => judgeScaling(study(times), { kneeBefore })[0]?.verdict;
    expect([rule(4), rule(5), rule(8), rule(2)]).toEqual(["pass", "pass", "fail", "warn"]);
    const straight = runsAt({ 1: [8], 2: [4], 4: [2] });
    const unseen = judgeScaling(study(straight), { kneeBefore: 64 })[0]?.verdict;
    expect(unseen).toBe("unknown");
  });

  test("nothing asked is nothing judged", () => {
    expect(judgeScaling(study(runsAt({ 1: [8], 2: [4] })), {})).toEqual([]);
  });
});
