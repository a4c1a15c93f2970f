import { messageOf } from "../../../platform/errors/index.ts";
import { type Clock, sleep } from "../../../platform/time/index.ts";
import type { ChaosPlan } from "../../plan/index.ts";
import type { ProbeAnswer } from "../../record/index.ts";
import { isOutside, type OutsideProbe, type ProbeFinding, type Probes } from "../probes/index.ts";

export interface WatchOptions {
  readonly plan: ChaosPlan;
  readonly probes: Probes;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The run's own time, for the answers. */
  readonly nowUs: () => number;
  readonly everyMs: number;
  /** A condition for an early end holds, or nobody can tell any more whether it does. */
  readonly onAbort: (reason: string) => void;
}

/** Whether it is safe to go on is not unknown for longer than this many questions in a row. */
const unansweredMax = 3;
/** Further changes are not written down; a service that flaps so often has long been judged. */
const answersMax = 1000;

/** The questions about the world around the job, with their places in the plan. */
export function outsideProbes(plan: ChaosPlan): readonly (readonly [number, OutsideProbe])[] {
  return plan.steadyState.flatMap((probe, at) => (isOutside(probe) ? [[at, probe] as const] : []));
}

/** Asks every question once. */
export async function askAll(
  phase: ProbeAnswer["phase"],
  { plan, probes, signal, nowUs }: Pick<WatchOptions, "plan" | "probes" | "signal" | "nowUs">,
): Promise<readonly ProbeAnswer[]> {
  return Promise.all(
    outsideProbes(plan).map(async ([probe, question]): Promise<ProbeAnswer> => {
      const { holds, reason } = await probes.ask(question, signal);
      return { probe, phase, atUs: nowUs(), holds, reason };
    }),
  );
}

/**
 * Asks again and again until the signal aborts; gives the first answer of each question and every one
 * that differs from the one before it.
 */
export async function watch(options: WatchOptions): Promise<readonly ProbeAnswer[]> {
  const { plan, clock, signal, everyMs } = options;
  const answers: ProbeAnswer[] = [];
  const last = new Map<number, boolean | null>();
  const conditions = plan.limits.abortWhen.filter(isOutside);
  if (conditions.length === 0 && outsideProbes(plan).length === 0) return answers;
  const unanswered = conditions.map(() => 0);
  try {
    while (!signal.aborted) {
      for (const answer of await askAll("during", options)) {
        const isNew = !last.has(answer.probe) || last.get(answer.probe) !== answer.holds;
        last.set(answer.probe, answer.holds);
        if (isNew && answers.length < answersMax) answers.push(answer);
      }
      await askConditions(conditions, unanswered, options);
      await sleep(clock, everyMs, signal);
    }
  } catch (error) {
    if (!signal.aborted) options.onAbort(`the watch failed: ${messageOf(error)}`);
  }
  return answers;
}

async function askConditions(
  conditions: readonly OutsideProbe[],
  unanswered: number[],
  { probes, signal, onAbort }: WatchOptions,
): Promise<void> {
  const findings = await Promise.all(conditions.map((one) => probes.ask(one, signal)));
  for (const [at, finding] of findings.entries()) {
    unanswered[at] = finding.holds === null ? (unanswered[at] ?? 0) + 1 : 0;
    const reason = abortReason(conditions[at], finding, unanswered[at] ?? 0);
    if (reason !== undefined) onAbort(reason);
  }
}

function abortReason(
  condition: OutsideProbe | undefined,
  { holds, reason }: ProbeFinding,
  unanswered: number,
): string | undefined {
  const kind = condition?.kind ?? "probe";
  if (holds === true) return `the abort condition ${kind} holds: ${reason}`;
  if (unanswered < unansweredMax) return undefined;
  return `the abort condition ${kind} gave no answer ${unanswered} times: ${reason}`;
}
