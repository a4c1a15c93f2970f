import { describe, expect, test } from "vitest";
import { importNcclRun } from "../../../src/validation/nccl/index.ts";
import { after, before, changed, goodJson, goodText } from "./fixtures.ts";

const text = { name: "run.txt", text: goodText };
const json = { name: "out.json", text: goodJson };
const isLog = (line: string) => /NCCL (?:INFO|version)/.test(line);
const lines = goodText.split("\n");
const log = { name: "rank.log", text: lines.filter(isLog).join("\n") };
const table = { name: "table.txt", text: lines.filter((line) => !isLog(line)).join("\n") };
const counters = { before, after };

describe("an imported run", () => {
  test.each([
    ["text with the log in it", [text]],
    ["text and log in two files", [table, log]],
    ["JSON and log", [json, log]],
    ["all of it", [log, text, json]],
  ])("is proved by %s and the counters", (_what, files) => {
    const run = importNcclRun({ files, path: "ib", ...counters });
    expect(run.refusals).toEqual([]);
    expect(run).toMatchObject({ outcome: "completed", hardFacts: [] });
    expect(run.facts).toMatchObject({ op: "all-reduce", worldSize: 8, ncclVersion: "2.28.7" });
    expect(run.figures["busbw"]?.samples[0]).toBeGreaterThan(46);
  });

  test("without counters or without a log is an error, whatever its bandwidth", () => {
    const blind = importNcclRun({ files: [text], path: "ib" });
    expect(blind.outcome).toBe("error");
    expect(blind.refusals).toEqual(["the counters of the network cards were not read"]);
    expect(blind.figures["busbw"]?.samples[0]).toBeGreaterThan(46);
    const silent = importNcclRun({ files: [table], path: "ib", ...counters });
    expect(silent.outcome).toBe("error");
    expect(silent.refusals.join()).toContain("there is no log of NCCL");
  });

  test("through NVLink, shared memory or sockets is an error", () => {
    for (const via of ["P2P/CUMEM", "SHM/direct/direct", "NET/Socket/0", "NET/IB/0"]) {
      const other = goodText.replaceAll(/via NET\/IB\/\d\/GDRDMA/g, `via ${via}`);
      const run = importNcclRun({ files: [{ ...text, text: other }], path: "ib", ...counters });
      expect(run.outcome, via).toBe("error");
      expect(run.refusals.join("\n"), via).toContain(`via ${via}`);
    }
  });

  test("needs the counters of the cards that its own variable names", () => {
    const missing = after.filter(({ hca }) => hca !== "mlx5_11");
    const run = importNcclRun({ files: [json, log], path: "ib", before, after: missing });
    expect(run.refusals).toEqual(["there are no counters of mlx5_11"]);
    const grown = changed(after, { hca: "mlx5_3", counter: "port_rcv_errors", by: 2n });
    const bad = importNcclRun({ files: [text], path: "ib", before, after: grown });
    expect(bad.refusals).toEqual(["port_rcv_errors of mlx5_3 grew by 2"]);
  });

  test("with wrong values has them as hard facts, proved or not", () => {
    const wrong = goodText.replace(/46.40 {7}0/, "46.40       1");
    const run = importNcclRun({ files: [{ ...text, text: wrong }], path: "ib", ...counters });
    expect(run).toMatchObject({ outcome: "completed", hardFacts: [expect.any(String)] });
  });

  test("made of files of two runs is refused", () => {
    const other = { name: "b.txt", text: goodText.replace(/^ +1048576.*\n/m, "") };
    const run = importNcclRun({ files: [json, other], path: "ib", ...counters });
    expect(run.refusals.join()).toContain("not of one run");
  });

  test("is no run when a file is something else, or has no results", () => {
    const importing = (...files: { name: string; text: string }[]) =>
      importNcclRun({ files, path: "ib" });
    expect(() => importing({ name: "poem.txt", text: "roses" })).toThrow(
      "poem.txt cannot be read: it is neither the output of nccl-tests nor a log of NCCL.",
    );
    expect(() => importing({ name: "half.json", text: goodJson.slice(0, 500) })).toThrow(
      "half.json cannot be read: it is cut off or is no JSON",
    );
    expect(() => importing(log)).toThrow("name the output of nccl-tests too");
  });
});
