import type { FindingView } from "../../../../src/control/api/system.ts";

type State = FindingView["state"];

/** What lacks first: that is what people come for. */
const order: readonly State[] = ["missing", "unknown", "limited", "works"];

/** Findings by state, required ones first within each; states without findings are left out. */
export function groupFindings(
  findings: readonly FindingView[],
): readonly { readonly state: State; readonly findings: readonly FindingView[] }[] {
  return order.flatMap((state) => {
    const group = findings
      .filter((finding) => finding.state === state)
      .toSorted((a, b) => Number(b.required) - Number(a.required));
    return group.length === 0 ? [] : [{ state, findings: group }];
  });
}

/** Evidence as lines for people: nested values as JSON. */
export function evidenceLines(
  evidence: Readonly<Record<string, unknown>>,
): readonly { readonly name: string; readonly text: string }[] {
  return Object.entries(evidence).map(([name, value]) => ({
    name,
    text: typeof value === "string" ? value : (JSON.stringify(value) ?? ""),
  }));
}
