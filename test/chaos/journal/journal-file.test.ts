import { readdir } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import {
  hashOf,
  type Journal,
  journalText,
  parseJournal,
  readJournal,
  writeJournal,
} from "../../../src/chaos/journal/index.ts";
import { TesseraError } from "../../../src/platform/errors/index.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { simRun } from "./lib/sim-run.ts";
import { restart, smallPlan } from "./lib/small-plan.ts";

let journal: Journal;
let text: string;

beforeAll(async () => {
  ({ journal } = await simRun(smallPlan()));
  text = journalText(journal);
});

function refusal(content: string): string {
  try {
    parseJournal(content, "run.journal");
  } catch (error) {
    expect(error).toBeInstanceOf(TesseraError);
    expect((error as TesseraError).code).toBe("E_JOURNAL");
    return (error as TesseraError).message;
  }
  return "taken";
}

/** The same lines with one changed, and an end that fits them. */
async function resealed(change: (lines: string[]) => void): Promise<string> {
  const { sha256 } = await import("../../../src/chaos/journal/canonical-json.ts");
  const lines = text.trimEnd().split("\n").slice(0, -1);
  change(lines);
  const body = lines.map((line) => `${line}\n`).join("");
  const end = JSON.stringify({ end: { lines: lines.length, sha256: sha256(body) } });
  return `${body}${end}\n`;
}

describe("a journal", () => {
  it("is read back as it was written", async () => {
    const path = join(await tempDir(), "run.journal");
    await writeJournal(path, journal);
    expect(await readJournal(path)).toEqual(JSON.parse(JSON.stringify(journal)));
    expect(await readdir(join(path, ".."))).toEqual(["run.journal"]);
  });

  it("holds plan, trace with its marks, record and judgement", () => {
    const read = parseJournal(text, "run.journal");
    expect(read.planHash).toBe(hashOf(read.plan));
    expect(read.trace?.hash).toBe(read.record.traceHash);
    expect(read.trace?.marks.length).toBeGreaterThan(10);
    expect(read.record.events.length).toBeGreaterThan(10);
    expect(read.judgement.outcome).toBe("pass");
    expect(read.baseline?.stateDigest).toBe(read.record.stateDigest);
  });

  it("is refused when it is cut anywhere", () => {
    fc.assert(
      fc.property(fc.nat({ max: text.length - 1 }), (length) => {
        expect(refusal(text.slice(0, length))).toMatch(/is no journal of a chaos run/);
      }),
      { numRuns: 60 },
    );
  });

  it("is refused when a bit of it is flipped", () => {
    const bytes = Buffer.from(text, "utf8");
    fc.assert(
      fc.property(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 6 }), (at, bit) => {
        const flipped = Buffer.from(bytes);
        flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
        expect(refusal(flipped.toString("utf8"))).not.toBe("taken");
      }),
      { numRuns: 150 },
    );
  });

  it("is refused when a line was taken out", async () => {
    const lines = text.split("\n");
    lines.splice(3, 1);
    expect(refusal(lines.join("\n"))).toContain("lines");
  });

  it.each([
    ["", "does not begin like one"],
    ["title: an experiment\n", "does not begin like one"],
  ])("is no other file: %j", (content, problem) => {
    expect(refusal(content)).toContain(problem);
  });

  it("of another format is refused, though nobody changed it", async () => {
    const other = await resealed((lines) => {
      lines[0] = (lines[0] ?? "").replace("journal/1", "journal/2");
    });
    expect(refusal(other)).toContain("tessera-chaos-journal/2");
    expect(refusal(await resealed(() => {}))).toBe("taken");
  });

  it("whose plan is not the one of its head is refused", async () => {
    const other = await resealed((lines) => {
      lines[1] = JSON.stringify({ plan: smallPlan([restart(5)]) });
    });
    expect(refusal(other)).toContain("is not the one that its head names");
  });

  it.each([
    ["no plan at all", 7, "does not fit"],
    [
      "an unknown fault",
      smallPlan([{ ...restart(5), fault: "boil" as "preempt" }]),
      "does not fit",
    ],
    ["two faults of one id", smallPlan([restart(5, 0, "x"), restart(6, 0, "x")]), "the same id"],
  ])("with %s is refused", async (_, plan, problem) => {
    const other = await resealed((lines) => {
      lines[0] = JSON.stringify({ ...JSON.parse(lines[0] ?? ""), planHash: hashOf(plan) });
      lines[1] = JSON.stringify({ plan });
    });
    expect(refusal(other)).toContain(problem);
  });
});
