import assert from "node:assert/strict";
import { mapConcurrent } from "../concurrency/index.ts";
import { isTesseraError, messageOf } from "../errors/index.ts";
import { redact } from "../log/redact-text.ts";
import { redactFields } from "../log/redact-value.ts";
import type { Clock } from "../time/clock.ts";
import { withDeadline } from "../time/index.ts";
import { type Finding, type FindingState, findingStates, type Probe } from "./finding.ts";

/** A finding together with the question it answers. */
export interface DoctorFinding extends Finding {
  /** The probe's identifier. */
  readonly id: string;
  readonly title: string;
  readonly required: boolean;
  readonly neededFor: string;
  /** How long the probe took, in whole milliseconds. */
  readonly durationMs: number;
}

export interface DoctorOptions {
  readonly clock: Clock;
  /** The environment probes see. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Stops all probes; the run then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** How long a single probe may take. @default 30 000 */
  readonly timeoutMsPerProbe?: number;
  /** How many probes run at the same time. @default 4 */
  readonly concurrency?: number;
  readonly onStart?: (probe: Probe) => void;
  /** Called for each finding as soon as it is known. */
  readonly onFinding?: (finding: DoctorFinding, probe: Probe) => void;
}

// A driver without persistence wakes every GPU first, which takes seconds for each.
const timeoutMsDefault = 30_000;
const concurrencyDefault = 4;

/**
 * Asks every probe and returns the findings in the order of the probes. A probe that throws or
 * takes too long gives `unknown` with the reason: what could not be found out never counts as good.
 *
 * @throws the signal's reason when it aborts.
 */
export function runDoctor(
  probes: readonly Probe[],
  options: DoctorOptions,
): Promise<DoctorFinding[]> {
  const ids = probes.map(({ id }) => id);
  assert(new Set(ids).size === ids.length, `probe ids repeat: ${ids.join(", ")}`);
  return mapConcurrent(
    probes,
    options.concurrency ?? concurrencyDefault,
    (probe, { signal }) => ask(probe, options, signal),
    options.signal === undefined ? {} : { signal: options.signal },
  );
}

async function ask(
  probe: Probe,
  options: DoctorOptions,
  signal: AbortSignal,
): Promise<DoctorFinding> {
  const { clock, env } = options;
  const timeoutMs = options.timeoutMsPerProbe ?? timeoutMsDefault;
  const { id, title, required, neededFor } = probe;
  options.onStart?.(probe);
  const startedMs = clock.monotonicMs();
  const found = await withDeadline(
    { clock, timeoutMs, signal, what: `The probe for ${title}` },
    (inner) => probe.find({ clock, env, signal: inner }),
  ).then(checked, failed);
  signal.throwIfAborted();
  const durationMs = Math.round(clock.monotonicMs() - startedMs);
  const finding = { id, title, required, neededFor, durationMs, ...withoutSecrets(found) };
  options.onFinding?.(finding, probe);
  return finding;
}

/** Probes can come from outside this package, so their answers are not taken on trust. */
function checked(finding: Finding): Finding {
  const known = findingStates.includes(finding?.state) && typeof finding.reason === "string";
  if (known) return finding;
  return { state: "unknown", reason: "The probe gave an answer that makes no sense." };
}

/** Findings are printed, stored and shown on a page: nothing secret may get that far. */
function withoutSecrets(finding: Finding): Finding {
  const { reason, hint, evidence } = finding;
  return {
    state: finding.state,
    reason: redact(reason),
    ...(hint === undefined ? {} : { hint: redact(hint) }),
    ...(evidence === undefined ? {} : { evidence: redactFields(evidence) }),
  };
}

function failed(error: unknown): Finding {
  const hint = isTesseraError(error) ? { hint: error.hint } : {};
  return { state: "unknown", reason: messageOf(error), ...hint };
}

/** How many findings are in each state. */
export function countStates(
  findings: readonly Pick<Finding, "state">[],
): Record<FindingState, number> {
  const count = (state: FindingState) => findings.filter((one) => one.state === state).length;
  return {
    works: count("works"),
    limited: count("limited"),
    missing: count("missing"),
    unknown: count("unknown"),
  };
}
