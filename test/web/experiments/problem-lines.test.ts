import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExperiment } from "../../../src/chaos/experiment/file/index.ts";
import {
  lineCount,
  linesInProblem,
  offsetOfLine,
} from "../../../web/src/pages/experiments/model/problem-lines.ts";

function problemOf(text: string): string {
  try {
    parseExperiment(text, { file: "the experiment" });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "";
}

describe("lines that a problem names", () => {
  it("are those of the parser's own words", () => {
    const problem = problemOf(
      "title: x\nworkload:\n  kind: training\n  presett: small\nfaults: []\n",
    );
    const lines = linesInProblem(problem);
    expect(lines.map(({ line }) => line)).toEqual([3, 4]);
    expect(lines[0]?.text).toContain("`workload.steps` is missing");
    expect(lines[1]?.text).toBe("unknown key `presett` in `workload` (did you mean `preset`?)");
  });

  it("are none where the problem names no place", () => {
    expect(linesInProblem("The world host cannot run this plan: no cgroups.")).toEqual([]);
  });
});

describe("the place of a line in a text", () => {
  it("is behind the line breaks before it", () => {
    expect(offsetOfLine("a\nbc\nd", 3)).toBe(5);
  });

  it("is the end for a line that is not there", () => {
    expect(offsetOfLine("a\nb", 9)).toBe(3);
  });

  it("begins as many lines as are counted", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 5 }), { minLength: 1 }), (parts) => {
        const lines = parts.map((part) => part.replaceAll("\n", ""));
        const text = lines.join("\n");
        expect(lineCount(text)).toBe(lines.length);
        lines.forEach((line, at) => {
          expect(text.slice(offsetOfLine(text, at + 1)).startsWith(line)).toBe(true);
        });
      }),
    );
  });
});
