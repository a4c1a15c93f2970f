import { busFactor } from "../../../runtime/dist/time-model/limits.ts";
import type { CollectiveOp } from "../../../runtime/dist/time-model/types.ts";
import type { RunFigure } from "../../run.ts";
import {
  type NcclTestsMeasure,
  type NcclTestsReport,
  type NcclTestsRow,
  opOfProgram,
} from "./report.ts";

/** What a report of nccl-tests amounts to. */
export interface JudgedReport {
  readonly op: CollectiveOp | undefined;
  readonly figures: Readonly<Record<string, RunFigure>>;
  /** Wrong elements: no statistics needed. */
  readonly hardFacts: readonly string[];
  /** Why it cannot be used as it is. */
  readonly refusals: readonly string[];
}

/** Two decimals are printed, so what they are reckoned from may be half of the last one off. */
const printedGBps = 0.006;
const agreeShare = 0.02;

/**
 * Turns a report into figures, in the names that nccl-loopback gives them, and says what keeps it
 * from being believed: values that were not compared, a table that contradicts itself, a run that
 * did not end.
 */
export function judgeReport(report: NcclTestsReport): JudgedReport {
  const { rows, worldSize } = report;
  const refusals = [...report.problems];
  const op = opOfProgram(report.program) ?? inferOp(report);
  if (worldSize === undefined) refusals.push("it does not list its ranks");
  if (op === undefined) refusals.push(unknownOp(report));
  if (op !== undefined && worldSize !== undefined) {
    refusals.push(...contradictions(rows, { op, worldSize }));
  }
  const unchecked = rows.filter((row) => measuresOf(row).every(({ wrong }) => wrong === undefined));
  if (unchecked.length > 0) {
    refusals.push(`the values of ${unchecked.length} sizes were not compared (run it with -c 1)`);
  }
  const figures = op === undefined || worldSize === undefined ? {} : figuresOf(rows, op, worldSize);
  return { op, figures, hardFacts: wrongValues(report), refusals };
}

function measuresOf({ outOfPlace, inPlace }: NcclTestsRow): readonly NcclTestsMeasure[] {
  return [outOfPlace, inPlace].filter((measure) => measure !== undefined);
}

/** Old versions do not name their program; only an all-reduce has its factor and adds. */
function inferOp({ program, rows, worldSize }: NcclTestsReport): CollectiveOp | undefined {
  if (program !== undefined || worldSize === undefined || worldSize < 2) return undefined;
  const measures = rows
    .filter(({ reduction }) => reduction !== "none" && reduction !== "")
    .flatMap(measuresOf)
    .filter(({ algbwGBps }) => algbwGBps >= 1);
  const fits = measures.every((measure) => agrees(measure, "all-reduce", worldSize));
  return measures.length > 0 && fits ? "all-reduce" : undefined;
}

function unknownOp({ program }: NcclTestsReport): string {
  return program === undefined
    ? "it does not say which collective was timed"
    : `${program.slice(0, 100)} is no collective that is known here`;
}

function agrees(measure: NcclTestsMeasure, op: CollectiveOp, worldSize: number): boolean {
  const expected = measure.algbwGBps * busFactor(op, worldSize);
  return Math.abs(measure.busbwGBps - expected) <= 2 * printedGBps + agreeShare * expected;
}

/** Rows whose columns do not follow from each other: another number of ranks, or edited by hand. */
function contradictions(
  rows: readonly NcclTestsRow[],
  { op, worldSize }: { readonly op: CollectiveOp; readonly worldSize: number },
): readonly string[] {
  const refusals: string[] = [];
  for (const row of rows) {
    for (const measure of measuresOf(row)) {
      const { timeUs, algbwGBps, busbwGBps } = measure;
      const fromTime = row.sizeBytes / timeUs / 1e3;
      if (Math.abs(algbwGBps - fromTime) > printedGBps + agreeShare * fromTime) {
        refusals.push(
          `the row of ${row.sizeBytes} bytes says ${algbwGBps} GB/s, and its time gives ${fromTime.toFixed(2)}`,
        );
      } else if (!agrees(measure, op, worldSize)) {
        const expected = (algbwGBps * busFactor(op, worldSize)).toFixed(2);
        refusals.push(
          `the row of ${row.sizeBytes} bytes has a busbw of ${busbwGBps} GB/s, and ${op} on ${worldSize} ranks gives ${expected}`,
        );
      }
    }
  }
  return refusals.slice(0, 3);
}

function wrongValues({ rows, outOfBounds }: NcclTestsReport): readonly string[] {
  const facts = rows.flatMap((row) =>
    measuresOf(row).flatMap(({ wrong }) =>
      wrong !== undefined && wrong > 0
        ? [`${wrong} wrong elements in a result of ${row.sizeBytes} bytes`]
        : [],
    ),
  );
  if (facts.length === 0 && outOfBounds !== undefined && outOfBounds > 0) {
    return [`${outOfBounds} results were out of bounds`];
  }
  return [...new Set(facts)].slice(0, 20);
}

/** Bandwidth at the largest size and time at the smallest; each iteration where it was kept. */
function figuresOf(
  rows: readonly NcclTestsRow[],
  op: CollectiveOp,
  worldSize: number,
): Readonly<Record<string, RunFigure>> {
  const sorted = rows.toSorted((a, b) => a.sizeBytes - b.sizeBytes);
  const smallest = sorted[0];
  const largest = sorted.at(-1);
  if (smallest === undefined || largest === undefined || worldSize < 2) return {};
  const prefix = op === "all-reduce" ? "" : `${op.replaceAll("-", "_")}_`;
  const factor = busFactor(op, worldSize);
  const busbw = timesOf(largest).map((timeUs) => (largest.sizeBytes / timeUs / 1e3) * factor);
  const figures: Record<string, RunFigure> = {
    [`${prefix}busbw`]: { samples: busbw, higherIsBetter: true, unit: "GB/s" },
  };
  if (smallest !== largest) {
    const latency = { samples: timesOf(smallest), higherIsBetter: false, unit: "us" };
    figures[`${prefix}latency_us`] = latency;
  }
  return figures;
}

function timesOf(row: NcclTestsRow): readonly number[] {
  return measuresOf(row).flatMap(({ timeUs, timesUs }) => timesUs ?? [timeUs]);
}
