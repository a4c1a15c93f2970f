import { formatNumber } from "../../format.ts";

export function withUnit(value: number | null, unit: string | null): string {
  const text = formatNumber(value, 4);
  return value === null || unit === null || unit === "" ? text : `${text} ${unit}`;
}

/** A value or bound of a finding. That of a tail is a score, whatever its figure is measured in. */
export function findingText(
  finding: { readonly rule: string; readonly unit: string | null },
  value: number | null,
): string {
  return withUnit(value, finding.rule === "tail" ? "(score)" : finding.unit);
}
