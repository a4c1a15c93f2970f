import { describe, expect, test } from "vitest";
import {
  judgeReport,
  readNcclTestsJson,
  readNcclTestsText,
} from "../../../src/validation/nccl/nccl-tests/index.ts";
import { fixture, goodJson, goodText } from "./fixtures.ts";

const judgeText = (text: string) => judgeReport(readNcclTestsText(text));

function judgeJson(change: (document: Record<string, unknown>) => void = () => {}) {
  const document: Record<string, unknown> = JSON.parse(goodJson);
  change(document);
  const report = readNcclTestsJson(JSON.stringify(document));
  if ("problem" in report) throw new Error(report.problem);
  return { report, ...judgeReport(report) };
}

describe("the text of nccl-tests", () => {
  test("is read with NCCL's log among it", () => {
    const report = readNcclTestsText(goodText);
    expect(report).toMatchObject({
      program: "all_reduce_perf",
      ncclVersion: "2.28.7",
      worldSize: 8,
      hosts: ["gpu-node-07"],
      gpus: ["NVIDIA H100 80GB HBM3"],
      outOfBounds: 0,
      problems: [],
    });
    expect(report.rows.map(({ sizeBytes }) => sizeBytes)).toEqual([8, 1_048_576, 17_179_869_184]);
    expect(report.rows[2]?.outOfPlace).toEqual({
      timeUs: 647_938,
      algbwGBps: 26.51,
      busbwGBps: 46.4,
      wrong: 0,
    });
  });

  test("becomes bandwidth at the largest size and latency at the smallest", () => {
    const { op, figures, hardFacts, refusals } = judgeText(goodText);
    expect({ op, hardFacts, refusals }).toEqual({ op: "all-reduce", hardFacts: [], refusals: [] });
    expect(figures["busbw"]?.samples.map((value) => value.toFixed(2))).toEqual(["46.40", "46.59"]);
    expect(figures["latency_us"]).toMatchObject({ samples: [38.41, 38.26], higherIsBetter: false });
  });

  test("of old versions has other columns, and does not name its program", () => {
    const judged = judgeText(fixture("all-reduce-old-columns.txt"));
    expect(judged).toMatchObject({ op: "all-reduce", hardFacts: [], refusals: [] });
    expect(judged.figures["busbw"]?.samples[0]).toBeCloseTo(22.5, 1);
  });

  test("with per-iteration columns and behind a launcher's marks is the same", () => {
    const more = goodText
      .replace("  #wrong     time", "  #wrong    i_min    i_max    i_p99    i_cv%     time")
      .replace(/#wrong $/m, "#wrong    i_min    i_max    i_p99    i_cv% ")
      .replaceAll(/^( +\d.*?) {7}0( +.*?) {7}0$/gm, "$1       0  1  2  3  4$2       0  1  2  3  4")
      .replaceAll(/^/gm, "[1,0]<stdout>:");
    const judged = judgeText(more);
    expect(judged.refusals).toEqual([]);
    expect(judged.figures).toEqual(judgeText(goodText).figures);
  });

  test("that was cut off at any line before its end is refused", () => {
    const lines = goodText.split("\n");
    const end = lines.findIndex((line) => line.startsWith("# Out of bounds"));
    for (let keep = end - 6; keep <= end; keep++) {
      expect(judgeText(lines.slice(0, keep).join("\n")).refusals, `${keep} lines`).not.toEqual([]);
    }
    expect(judgeText(lines.slice(0, end + 1).join("\n")).refusals).toEqual([]);
  });

  test("that was cut off within a row is refused", () => {
    const at = goodText.indexOf("26.62");
    const judged = judgeText(goodText.slice(0, at));
    expect(judged.refusals.join()).toContain("has 10 of 13 columns");
  });

  test("with wrong elements is a failure, and says at which size", () => {
    const { hardFacts } = judgeText(goodText.replace(/46.40 {7}0/, "46.40      12"));
    expect(hardFacts).toEqual(["12 wrong elements in a result of 17179869184 bytes"]);
    const bounds = goodText.replace(
      "Out of bounds values : 0 OK",
      "Out of bounds values : 2 FAILED",
    );
    expect(judgeText(bounds).hardFacts).toEqual(["2 results were out of bounds"]);
  });

  test("whose values were not compared is refused", () => {
    const unchecked = goodText.replaceAll(/ {7}0(?= {2}|$)/gm, "     N/A");
    expect(judgeText(unchecked).refusals).toEqual([
      "the values of 3 sizes were not compared (run it with -c 1)",
    ]);
  });

  test("whose columns contradict each other or the number of ranks is refused", () => {
    expect(judgeText(goodText.replace(" 46.40 ", " 48.90 ")).refusals.join()).toContain(
      "has a busbw of 48.9 GB/s, and all-reduce on 8 ranks gives 46.39",
    );
    expect(judgeText(goodText.replace(" 26.51 ", " 99.51 ")).refusals.join()).toContain(
      "says 99.51 GB/s, and its time gives 26.51",
    );
    const fewer = goodText.replaceAll(/^# {2}Rank {2}[4-7].*\n/gm, "");
    expect(judgeText(fewer).refusals.join()).toContain("all-reduce on 4 ranks gives");
  });

  test("of a collective that is not known is refused", () => {
    const other = goodText.replaceAll("all_reduce_perf", "hypercube_perf");
    expect(judgeText(other).refusals.join()).toContain("hypercube_perf is no collective");
  });
});

describe("the JSON of nccl-tests", () => {
  test("has the time of each iteration, without those that were to be skipped", () => {
    const { report, figures, refusals, hardFacts } = judgeJson();
    expect({ refusals, hardFacts }).toEqual({ refusals: [], hardFacts: [] });
    expect(report).toMatchObject({ worldSize: 8, ncclVersion: "2.28.7" });
    expect(figures["busbw"]?.samples.length).toBe(10);
    expect(Math.min(...(figures["busbw"]?.samples ?? []))).toBeGreaterThan(46);
  });

  test("keeps NCCL's variables and no others", () => {
    const { report } = judgeJson();
    expect(Object.keys(report.variables)).toEqual(["NCCL_IB_HCA", "NCCL_NET"]);
    expect(report.variables["NCCL_IB_HCA"]).toMatch(/^=mlx5_0:1,/);
    expect(JSON.stringify(report)).not.toContain("not-for-anyone");
  });

  test("that is cut off is no report", () => {
    for (const share of [0.2, 0.5, 0.99]) {
      const text = goodJson.slice(0, Math.floor(goodJson.length * share));
      expect(readNcclTestsJson(text)).toMatchObject({
        problem: expect.stringContaining("cut off"),
      });
    }
    expect(readNcclTestsJson('{"a":1}')).toMatchObject({ problem: expect.any(String) });
  });

  test("of a run that did not end, or in which NCCL failed, is refused", () => {
    const open = judgeJson((document) => {
      delete document["out_of_bounds"];
    });
    expect(open.refusals.join()).toContain("did not come to its end");
    const failed = judgeJson((document) => {
      document["errors"] = ["unhandled cuda error"];
    });
    expect(failed.refusals).toEqual(["NCCL reported: unhandled cuda error"]);
  });

  test("with a time that is no number, or none, is refused", () => {
    const broken = judgeJson((document) => {
      const [row] = document["results"] as Record<string, Record<string, unknown>>[];
      if (row?.["in_place"] !== undefined) row["in_place"]["time"] = "nan";
    });
    expect(broken.refusals.join()).toContain("time or bandwidth that is no number");
    const empty = judgeJson((document) => {
      document["results"] = [];
    });
    expect(empty.refusals.join()).toContain("no results");
  });

  test("with wrong elements is a failure", () => {
    const wrong = judgeJson((document) => {
      const [, row] = document["results"] as Record<string, Record<string, unknown>>[];
      if (row?.["out_of_place"] !== undefined) row["out_of_place"]["nwrong"] = 3;
    });
    expect(wrong.hardFacts).toEqual(["3 wrong elements in a result of 1048576 bytes"]);
  });
});
