import { describe, expect, it } from "vitest";
import type { AuditEntryView } from "../../../src/control/api/system.ts";
import { auditLine, filterAudit } from "../../../web/src/pages/audit/audit-line.ts";

function entry(given: Partial<AuditEntryView>): AuditEntryView {
  return {
    id: 1,
    at: "2026-03-01T00:00:00Z",
    actor: "alice",
    action: "node.hold",
    subject: "n-1",
    details: {},
    ...given,
  };
}

describe("a line of the audit log", () => {
  it("says why something was refused and leaves out what only machines need", () => {
    const details = {
      outcome: "refused",
      problem: "may read",
      code: "E_FORBIDDEN",
      requestId: "r",
    };
    expect(auditLine(entry({ details }))).toEqual({
      outcome: "refused",
      text: "may read · E_FORBIDDEN",
    });
  });

  it("takes an entry that says nothing about it for done", () => {
    expect(auditLine(entry({ details: { pid: 7 } }))).toEqual({ outcome: "done", text: "pid: 7" });
  });
});

describe("an entry that announces a deed", () => {
  it("is begun, not done", () => {
    const details = { phase: "begin", reason: "two failures" };
    expect(auditLine(entry({ details }))).toEqual({
      outcome: "begun",
      text: "reason: two failures",
    });
  });

  it("is refused when the deed was, whatever was announced", () => {
    const details = { phase: "begin", outcome: "refused" };
    expect(auditLine(entry({ details })).outcome).toBe("refused");
  });
});

describe("the filter of the audit log", () => {
  const refused = entry({ id: 2, details: { outcome: "refused" } });
  const done = entry({ id: 3, details: { outcome: "done" } });

  it("keeps what was refused or failed", () => {
    const begun = entry({ id: 4, details: { phase: "begin" } });
    expect(filterAudit([refused, done, begun], { onlyUndone: true, text: "" })).toEqual([refused]);
  });

  it("keeps what contains the text, in any case, and drops the rest", () => {
    expect(filterAudit([done], { onlyUndone: false, text: "ALICE" })).toEqual([done]);
    expect(filterAudit([done], { onlyUndone: false, text: "bob" })).toEqual([]);
  });
});
