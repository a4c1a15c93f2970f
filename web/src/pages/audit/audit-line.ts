import type { AuditEntryView } from "../../../../src/control/api/system.ts";

export interface AuditLine {
  /** `begun`: said before the deed, which may never have been done. */
  readonly outcome: "done" | "begun" | "refused" | "failed";
  /** Everything else that is known, in one line. */
  readonly text: string;
}

/** What an entry's details say, for a table. */
export function auditLine({ details }: Pick<AuditEntryView, "details">): AuditLine {
  const { outcome: _outcome, phase: _phase, problem, code, requestId: _, ...rest } = details;
  const words = [
    ...(typeof problem === "string" ? [problem] : []),
    ...(typeof code === "string" ? [code] : []),
    ...Object.entries(rest).map(([name, value]) => `${name}: ${textOf(value)}`),
  ];
  return {
    outcome: outcomeOf(details),
    text: words.join(" · "),
  };
}

function outcomeOf({ outcome, phase }: AuditEntryView["details"]): AuditLine["outcome"] {
  if (outcome === "refused" || outcome === "failed") return outcome;
  return phase === "begin" ? "begun" : "done";
}

/** Entries that contain a text, or only those that were not done. */
export function filterAudit(
  entries: readonly AuditEntryView[],
  filter: { readonly onlyUndone: boolean; readonly text: string },
): readonly AuditEntryView[] {
  const wanted = filter.text.trim().toLowerCase();
  return entries.filter((entry) => {
    const line = auditLine(entry);
    const isUndone = line.outcome === "refused" || line.outcome === "failed";
    if (filter.onlyUndone && !isUndone) return false;
    const all = `${entry.actor} ${entry.action} ${entry.subject} ${line.text}`.toLowerCase();
    return all.includes(wanted);
  });
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
