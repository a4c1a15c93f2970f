import type { Fact, ReportItem } from "../../platform/reporters/index.ts";
import type { Provenance } from "../../platform/words.ts";

/** Makes facts of one provenance. */
export function factsOf(
  provenance: Provenance,
  entries: readonly (readonly [name: string, value: number | string | undefined, unit?: string])[],
): readonly Fact[] {
  return entries.flatMap(([name, value, unit = ""]) =>
    value === undefined ? [] : [{ name, value, unit, provenance }],
  );
}

/** A line of figures that nobody judges; its label says where they come from. */
export function figureItem(
  name: string,
  reason: string,
  about: { readonly provenance: Provenance; readonly facts?: readonly Fact[] },
): ReportItem {
  const { provenance, facts = [] } = about;
  return { name, status: "skipped", label: provenance, reason, facts };
}

/** `1 node`, `3 nodes`. */
export function counted(count: number, thing: string): string {
  return `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;
}

/** A share for people: `93.0 %`; `unknown` when there is nothing to share. */
export function percent(share: number | undefined): string {
  return share === undefined ? "unknown" : `${(share * 100).toFixed(1)} %`;
}
