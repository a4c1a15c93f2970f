import { readRunLog, unfinishedBytes } from "../../validation/collect/read-run-log.ts";
import type { RunInShort } from "../../validation/history/run-pages.ts";
import type { RunRecord } from "../../validation/run.ts";
import type { RunDetailView, RunLogQuery, RunLogView } from "../api/runs.ts";
import type { ClusterKeeper } from "../validation/cluster-keeper.ts";
import { sampleLevels } from "./samples.ts";

/** A run and where its log may be. */
export interface LoggedRun {
  readonly short: RunInShort;
  readonly record: RunRecord;
  /** Undefined when its cluster is no longer looked after here. */
  readonly keeper: ClusterKeeper | undefined;
}

/** The shortest part that always holds a whole character. */
const partBytesMin = 4;

/** Whether a run has a log, and if not, why. */
export async function logOf(run: LoggedRun): Promise<RunDetailView["log"]> {
  const found = await readPart(run, { offset: 0, limit: partBytesMin });
  if (found.kind === "none") return { available: false, reason: found.reason };
  const isMadeUp = run.short.intent.provenance === "simulated";
  const reason = isMadeUp ? "Simulated: no program ran, and the log says what was made up." : "";
  return { available: true, reason };
}

/** A part of a run's log: whole characters only, as long as more may come. */
export async function readLog(run: LoggedRun, query: RunLogQuery): Promise<RunLogView> {
  const { offset } = query;
  const limit = Math.max(query.limit, partBytesMin);
  const found = await readPart(run, { offset, limit });
  const hasEnded = run.short.ended !== undefined;
  if (found.kind === "none") {
    return { text: "", offset, next: offset, sizeBytes: 0, isOver: hasEnded };
  }
  const { sizeBytes } = found;
  const isEnd = offset + found.bytes.length >= sizeBytes;
  const cut = isEnd && hasEnded ? 0 : unfinishedBytes(found.bytes);
  const bytes = found.bytes.subarray(0, found.bytes.length - cut);
  const next = offset + bytes.length;
  return {
    text: bytes.toString("utf8"),
    offset,
    next,
    sizeBytes,
    isOver: hasEnded && next >= sizeBytes,
  };
}

type Part =
  | { readonly kind: "part"; readonly bytes: Buffer; readonly sizeBytes: number }
  | { readonly kind: "none"; readonly reason: string };

async function readPart(
  run: LoggedRun,
  part: { readonly offset: number; readonly limit: number },
): Promise<Part> {
  const { short, keeper } = run;
  if (short.intent.provenance === "simulated") {
    const whole = Buffer.from(madeUpLog(run), "utf8");
    const bytes = whole.subarray(part.offset, part.offset + part.limit);
    return { kind: "part", bytes, sizeBytes: whole.length };
  }
  const assembled = keeper?.assembled;
  if (keeper === undefined || assembled === undefined) {
    return { kind: "none", reason: "Its cluster is not looked after by this process." };
  }
  const { entry } = keeper;
  if (entry.kind === "kubernetes" && entry.results === undefined) {
    const reason =
      "Jobs of this cluster write no logs to a volume: see `results` of the cluster in the configuration.";
    return { kind: "none", reason };
  }
  return await readRunLog(assembled.places.resultsDir, short.intent, part);
}

/** What can truly be said about a run that a simulation made up; lines are only ever added. */
function madeUpLog({ short, record }: LoggedRun): string {
  const { intent, submittedAtMs, runningAtMs, ended } = short;
  const lines = [
    `${iso(intent.plannedAtMs)} simulated: no program ran on ${intent.node}`,
    `${iso(intent.plannedAtMs)} planned: ${intent.reason}`,
  ];
  const startedAtMs = ended?.startedAtMs ?? runningAtMs;
  if (submittedAtMs !== undefined)
    lines.push(`${iso(submittedAtMs)} submitted as ${intent.jobName}`);
  if (startedAtMs !== undefined) lines.push(`${iso(startedAtMs)} ${intent.check} began`);
  if (ended !== undefined) {
    const at = iso(ended.endedAtMs);
    for (const [name, { samples, unit = "" }] of Object.entries(record.result?.figures ?? {})) {
      const levels = sampleLevels(samples);
      if (levels === undefined) continue;
      const median = Number(levels.median.toPrecision(5));
      lines.push(
        `${at} ${name}: median ${median} ${unit} of ${levels.samples} samples (simulated)`,
      );
    }
    for (const fact of record.result?.hardFacts ?? []) lines.push(`${at} ${fact}`);
    const why = ended.error === undefined ? "" : `: ${ended.error}`;
    lines.push(`${at} ended as ${ended.outcome}${why}`);
  }
  return lines.map((line) => `${line}\n`).join("");
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
