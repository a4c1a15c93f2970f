import { createHash } from "node:crypto";
import type { Baseline, BaselineFigure } from "../history/history.ts";
import type { RunRecord } from "../run.ts";
import { type BaselineScope, describeScope, scopeKey, scopeOfRun } from "./find-baseline.ts";
import { learnFigures } from "./learn-figures.ts";
import {
  type BaselineOptions,
  type ResolvedBaselineOptions,
  resolveBaselineOptions,
} from "./options.ts";

/** A scope from which nothing can be learned, and why. */
export interface UnlearnedScope extends BaselineScope {
  readonly reason: string;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const excludedShownMax = 100;

/**
 * Learns candidates from the runs of a window: one for each cluster, SKU, check and cohort with
 * enough healthy nodes. Left out are nodes that ever failed in the window, runs that were not judged
 * healthy, runs of incidents, and everything of the newest hours.
 *
 * @param given.code the version of the program, for the record.
 */
export function learnBaselines(
  runs: readonly RunRecord[],
  given: { readonly nowMs: number; readonly code: string; readonly options?: BaselineOptions },
): { readonly candidates: readonly Baseline[]; readonly unlearned: readonly UnlearnedScope[] } {
  const options = resolveBaselineOptions(given.options);
  const untilMs = given.nowMs - options.holdOutHours * hourMs;
  const window = { fromMs: given.nowMs - options.windowDays * dayMs, untilMs };
  const inWindow = runs.filter(({ result }) => (result?.endedAtMs ?? 0) >= window.fromMs);
  const failed = failedNodes(inWindow);
  const scopes = new Map<string, RunRecord[]>();
  for (const run of inWindow) {
    if (run.result?.outcome !== "completed") continue;
    const key = scopeKey(scopeOfRun(run));
    const known = scopes.get(key);
    if (known === undefined) scopes.set(key, [run]);
    else known.push(run);
  }
  const candidates: Baseline[] = [];
  const unlearned: UnlearnedScope[] = [];
  for (const ofScope of scopes.values()) {
    const learned = learnScope(ofScope, { ...given, options, window, failed });
    if ("figures" in learned) candidates.push(learned);
    else unlearned.push(learned);
  }
  return { candidates, unlearned };
}

interface ScopeContext {
  readonly nowMs: number;
  readonly code: string;
  readonly options: ResolvedBaselineOptions;
  readonly window: { readonly fromMs: number; readonly untilMs: number };
  /** By cluster and node: the failure that leaves it out. */
  readonly failed: ReadonlyMap<string, string>;
}

function learnScope(runs: readonly RunRecord[], context: ScopeContext): Baseline | UnlearnedScope {
  const { nowMs, code, options, window, failed } = context;
  const [first] = runs;
  const scope = first === undefined ? emptyScope : scopeOfRun(first);
  const excluded = new Map<string, string>();
  const used: RunRecord[] = [];
  for (const run of runs) {
    const { node } = run.intent;
    const failure = failed.get(nodeKey(run));
    if (failure !== undefined) excluded.set(node, failure);
    else if ((run.result?.endedAtMs ?? 0) < window.untilMs && isHealthyRun(run)) used.push(run);
  }
  const figures = learnFigures(used, options.nodesMin);
  const nodes = new Set(used.map(({ intent }) => intent.node)).size;
  if (Object.keys(figures).length === 0) {
    const reason = `${describeScope(scope)} has ${nodes} healthy nodes before the last ${options.holdOutHours} hours, and ${options.nodesMin} are needed`;
    return { ...scope, reason };
  }
  const runIds = used.map(({ intent }) => intent.id).toSorted();
  const runsDigest = createHash("sha256").update(runIds.join("\n")).digest("hex");
  const provenance = {
    cluster: scope.cluster,
    provenance: first?.intent.provenance ?? "measured",
    code,
    fromMs: window.fromMs,
    untilMs: window.untilMs,
    runs: runIds.length,
    runsDigest,
    nodes,
    excluded: [...excluded].slice(0, excludedShownMax).map(([node, why]) => ({ node, why })),
    excludedNodes: excluded.size,
  };
  const expiresAtMs = nowMs + options.expiresAfterDays * dayMs;
  const { sku, check, cohort } = scope;
  const id = idOf(scope, runsDigest, figures);
  return { id, sku, check, cohort, madeAtMs: nowMs, expiresAtMs, figures, provenance };
}

const emptyScope: BaselineScope = { cluster: "", sku: "", check: "", cohort: "" };

/** The same runs give the same baseline, whenever they are asked. */
function idOf(
  scope: BaselineScope,
  runsDigest: string,
  figures: Readonly<Record<string, BaselineFigure>>,
): string {
  const text = JSON.stringify([scopeKey(scope), runsDigest, figures]);
  return `bl-${createHash("sha256").update(text).digest("hex").slice(0, 12)}`;
}

/** Nodes with a failed run, whatever the check: what else they measured is not to be trusted. */
function failedNodes(runs: readonly RunRecord[]): ReadonlyMap<string, string> {
  const failed = new Map<string, string>();
  for (const run of runs) {
    if (run.verdict?.verdict !== "fail") continue;
    const at = new Date(run.result?.endedAtMs ?? 0).toISOString();
    failed.set(nodeKey(run), `failed ${run.intent.check} at ${at}`);
  }
  return failed;
}

/** Judged healthy, and not part of an incident other than a drift away from an older baseline. */
function isHealthyRun({ verdict }: RunRecord): boolean {
  if (verdict === undefined) return false;
  const rules = new Set(verdict.findings.map(({ rule }) => rule));
  if (rules.has("incident") && !rules.has("baseline")) return false;
  return verdict.verdict === "pass" || verdict.verdict === "warn";
}

function nodeKey({ intent }: RunRecord): string {
  return JSON.stringify([intent.cluster, intent.node]);
}
