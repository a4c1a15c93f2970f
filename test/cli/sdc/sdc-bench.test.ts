import { describe, expect, it } from "vitest";
import { sdcBenchPlots, sdcBenchReport } from "../../../src/cli/sdc/report.ts";
import { readSdcBenchSizes } from "../../../src/cli/sdc/request.ts";
import { showSdcBench } from "../../../src/cli/sdc/show.ts";
import { rateText, secondsText, shareText } from "../../../src/cli/sdc/words.ts";
import { renderHtml } from "../../../src/platform/reporters/index.ts";
import { createRng } from "../../../src/platform/rng/index.ts";
import { createRealClock } from "../../../src/platform/time/real-clock.ts";
import { runSdcBench } from "../../../src/runtime/verify/bench/index.ts";

const result = await runSdcBench({
  rng: createRng(1),
  clock: createRealClock(),
  side: 64,
  products: 3,
  bitTrials: 10,
  patternTrials: 10,
});

describe("the table of `tessera sdc bench`", () => {
  const lines = showSdcBench(result);

  it("fits 120 columns, also with the largest counts", () => {
    const many = { found: 20480, trials: 20480 };
    const noise = result.noise.map((one) => ({
      ...one,
      falseAlarms: {
        ...one.falseAlarms,
        ones: { ...many, found: 0 },
        "signs-1": { ...many, found: 0 },
      },
    }));
    for (const line of [...lines, ...showSdcBench({ ...result, noise })]) {
      expect(line.length, line).toBeLessThanOrEqual(120);
    }
  });

  it("says of every figure whether it is measured or modelled", () => {
    const heads = lines.filter((line) => /^(FOUND|FALSE|COST|MEAN)/.test(line));
    expect(heads).toHaveLength(7);
    for (const head of heads) expect(head).toMatch(/measured|modelled/);
  });

  it("has the plain sum beside the random one, and names its blind spots", () => {
    const head = lines.find((line) => line.startsWith("pattern"));
    expect(head).toMatch(/ONES +±1 k=1 +±1 k=2/);
    expect(lines.join("\n")).toContain("Blind spots of the plain sum");
    expect(lines.join("\n")).toContain("answers: inconclusive");
  });

  it("says what each pattern is, what no false alarm leaves open, and which events changed nothing", () => {
    const text = lines.join("\n");
    for (const { title } of result.patterns) expect(text).toContain(title);
    expect(text).toContain("No alarm in 192 rows leaves a rate of up to 1.6e-2 a row open");
    const withSilent = (silent: number) => {
      const patterns = result.patterns.map((one) => ({ ...one, silent }));
      return showSdcBench({ ...result, patterns }).join("\n");
    };
    expect(withSilent(2)).toContain("2 events of single-bit changed nothing.");
    expect(withSilent(0)).not.toContain("changed nothing");
  });
});

describe("the page of `tessera sdc bench`", () => {
  it("has five plots, of which one is modelled, and judges nothing", () => {
    const plots = sdcBenchPlots(result);
    expect(plots.map(({ provenance }) => provenance)).toEqual([
      "measured",
      "measured",
      "measured",
      "measured",
      "modelled",
    ]);
    const html = renderHtml(sdcBenchReport(result, { startedAtMs: 0, durationMs: 1 }));
    expect(html.match(/<svg/g)?.length).toBeGreaterThanOrEqual(5);
    expect(html).toContain("swapped-columns");
  });
});

describe("the options of `tessera sdc bench`", () => {
  it("give sizes, smaller with --quick", () => {
    expect(readSdcBenchSizes({ options: {} }).side).toBe(1024);
    expect(readSdcBenchSizes({ options: { quick: true } }).side).toBe(256);
    expect(readSdcBenchSizes({ options: { quick: true, size: "128" } }).side).toBe(128);
  });

  it.each(["63", "4097", "big", "1e3", "-5", ""])("refuse a size of %j", (size) => {
    expect(() => readSdcBenchSizes({ options: { size } })).toThrow("--size is");
  });
});

describe("words", () => {
  it("write times and rates for people", () => {
    expect(secondsText(1e6)).toBe("11.6 d");
    expect(secondsText(0.01)).toBe("10 ms");
    expect(secondsText(1e-5)).toBe("0.01 ms");
    expect(secondsText(Number.POSITIVE_INFINITY)).toBe("never");
    expect([1, 0.01, 1e-6].map(rateText)).toEqual(["1", "0.01", "1e-6"]);
    expect([shareText(null), shareText({ found: 1, trials: 3 })]).toEqual(["-", "0.33"]);
  });
});
