import { writeFileAtomic } from "../../platform/files/index.ts";
import { version } from "../../version.ts";
import type { Trace } from "../sim/engine/index.ts";
import { hashOf, sha256 } from "./canonical-json.ts";
import { type Journal, journalFormat } from "./journal.ts";
import type { JudgedRun } from "./judged-run.ts";

/** The journal of a run that was just made by this program. */
export function journalOf(run: JudgedRun, trace: Trace | null = null): Journal {
  const { plan, record, baseline, judgement } = run;
  return {
    tool: { tessera: version, node: process.versions.node },
    planHash: hashOf(plan),
    plan,
    record,
    baseline: baseline === null ? null : summaryOf(baseline),
    judgement,
    trace: trace === null ? null : { entries: trace.entries, hash: trace.hash, marks: trace.marks },
  };
}

/**
 * A journal as JSON lines: what wrote it, the plan, an event a line, the rest of the record, the
 * judgement, and at last the digest of all lines before, so that a part is not taken for the whole.
 */
export function journalText(journal: Journal): string {
  const { tool, planHash, plan, record, baseline, judgement, trace } = journal;
  const { plan: _plan, events, ...rest } = record;
  const lines = [
    { journal: journalFormat, tool, planHash, seed: plan.seed },
    { plan },
    ...events.map((event) => ({ event })),
    { record: rest, baseline },
    { trace },
    { judgement },
  ];
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  return `${body}${JSON.stringify({ end: { lines: lines.length, sha256: sha256(body) } })}\n`;
}

/** Writes a journal, whole or not at all. @throws E_FILE_WRITE */
export async function writeJournal(path: string, journal: Journal): Promise<void> {
  await writeFileAtomic(path, journalText(journal));
}

function summaryOf({ end, endUs, stateDigest, traceHash }: JudgedRun["record"]) {
  return { end, endUs, stateDigest, traceHash };
}
