import type { Row } from "./cross-validate.ts";
import { type CurveErrors, meanOf } from "./errors-of.ts";

/** The errors of every curve as a Markdown table: mean and worst, in percent. */
export function errorTable(rows: readonly Row[]): string {
  const head = [
    "| curve | groups at once | fitted | left out: group size | interpolated table | left out: architecture |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
  ];
  const lines = rows.map(({ curve, ...row }) =>
    [
      `| ${curve.architecture} ${curve.op}, ${curve.devices} devices`,
      curve.concurrentGroups,
      cell(row.fitted),
      cell(row.withoutSize),
      cell(row.interpolated),
      `${cell(row.withoutArchitecture)} |`,
    ].join(" | "),
  );
  return [...head, ...lines].join("\n");
}

/** The mean over curves of one column, of those rows that have it. */
export function meanColumn(
  rows: readonly Row[],
  column: (row: Row) => CurveErrors | undefined,
): number {
  return meanOf(rows.flatMap((row) => column(row)?.mean ?? []));
}

function cell(errors: CurveErrors | undefined): string {
  if (errors === undefined) return "–";
  return `${percent(errors.mean, 1)} (${percent(errors.worst, 0)})`;
}

function percent(share: number, digits: number): string {
  return (100 * share).toFixed(digits);
}
