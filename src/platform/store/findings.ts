import type { Selectable } from "kysely";
import type { Finding } from "../doctor/finding.ts";
import { fromJsonText, toJsonText } from "./json.ts";
import type { DoctorFindingTable, Queryable } from "./schema.ts";

/** A finding of the doctor and when it was made. */
export interface FindingRecord extends Finding {
  readonly id: number;
  readonly atMs: number;
  /** The id of the probe that found it. */
  readonly probe: string;
}

const historyMax = 1000;

/** What this machine could do, and when. Records are only ever added. */
export const findings = {
  /** Adds what one visit of the doctor found. */
  async record(
    db: Queryable,
    visit: {
      readonly atMs: number;
      readonly findings: readonly { readonly probe: string; readonly finding: Finding }[];
    },
  ): Promise<void> {
    if (visit.findings.length === 0) return;
    const rows = visit.findings.map(({ probe, finding }) => ({
      at: visit.atMs,
      probe,
      state: finding.state,
      reason: finding.reason,
      hint: finding.hint ?? null,
      evidence: toJsonText(finding.evidence ?? {}),
    }));
    await db.insertInto("doctor_findings").values(rows).execute();
  },

  /** The newest finding of each probe, by the probe's id. */
  async latest(db: Queryable): Promise<FindingRecord[]> {
    const newest = db
      .selectFrom("doctor_findings")
      .select((of) => of.fn.max("id").as("id"))
      .groupBy("probe");
    const rows = await db
      .selectFrom("doctor_findings")
      .selectAll()
      .where("id", "in", newest)
      .orderBy("probe")
      .execute();
    return rows.map(toRecord);
  },

  /** What one probe found over time, newest first; at most 1000. */
  async history(db: Queryable, probe: string, limit = 100): Promise<FindingRecord[]> {
    const rows = await db
      .selectFrom("doctor_findings")
      .selectAll()
      .where("probe", "=", probe)
      .orderBy("id", "desc")
      .limit(Math.min(limit, historyMax))
      .execute();
    return rows.map(toRecord);
  },
};

function toRecord(row: Selectable<DoctorFindingTable>): FindingRecord {
  return {
    id: row.id,
    atMs: row.at,
    probe: row.probe,
    state: row.state,
    reason: row.reason,
    ...(row.hint === null ? {} : { hint: row.hint }),
    evidence: fromJsonText(row.evidence),
  };
}
