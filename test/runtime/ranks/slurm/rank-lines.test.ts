import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RankLineReader, toRankLines } from "../../../../src/runtime/ranks/slurm/rank-lines.ts";

const lineBytesMax = 1024;

describe("messages of a rank in lines that srun carries", () => {
  test("any JSON comes back as it was, in ASCII lines that srun does not cut", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: "binary", maxLength: 3000 }), (value, text) => {
        const message = { value, text };
        const lines = toRankLines(message);
        const reader = new RankLineReader();
        const read = lines.map((line) => {
          expect(line).toMatch(/^[\x20-\x7e]*$/);
          expect(`1234: ${line}\n`.length).toBeLessThan(lineBytesMax);
          return reader.push(line);
        });
        expect(read.slice(0, -1).every(({ is }) => is === "piece")).toBe(true);
        expect(read.at(-1)).toEqual({
          is: "message",
          message: JSON.parse(JSON.stringify(message)),
        });
      }),
    );
  });

  test("what a library prints in between is left alone", () => {
    const [first = "", second = ""] = toRankLines("x".repeat(1000));
    const reader = new RankLineReader();
    expect(reader.push("NCCL INFO 1/2")).toEqual({ is: "foreign" });
    expect(reader.push(first)).toEqual({ is: "piece" });
    expect(reader.push("NCCL WARN")).toEqual({ is: "foreign" });
    expect(reader.push(second)).toMatchObject({ is: "message" });
  });

  test.each([
    ["its beginning is missing", toRankLines("x".repeat(1000)).slice(1)],
    [
      "a piece came twice",
      [...toRankLines("x".repeat(2000)).slice(0, 1), ...toRankLines("x".repeat(2000)).slice(0, 1)],
    ],
    ["it is no JSON", ["@tessera-rank 1/1 {"]],
    ["its numbers are none", ["@tessera-rank one/two {}"]],
    ["it has more pieces than any message", ["@tessera-rank 1/99999 {}"]],
  ])("a message is broken, never half taken: %s", (_, lines) => {
    const reader = new RankLineReader();
    expect(lines.map((line) => reader.push(line)).at(-1)).toEqual({ is: "broken" });
  });

  test("a message that would fill the log is refused where it is made", () => {
    expect(() => toRankLines("x".repeat(19_000_000))).toThrow("too long");
  });
});
