import { TesseraError } from "../../../platform/errors/index.ts";
import { type Clock, createRealClock } from "../../../platform/time/index.ts";
import { formatDurationMs } from "../../../platform/units/index.ts";
import { invalidFault } from "../spec/converter.ts";
import { requireKnown, requireTime } from "./check-options.ts";
import { type PreemptAction, preemptActions } from "./policy-names.ts";

export interface OnPreemptOptions {
  /**
   * - `checkpointThenExit`: at the next boundary `save` runs, then the function is told to stop.
   * - `partialFlushThenExit`: the same with `flush`, which keeps what is cheap to keep.
   * - `failFast`: the next boundary throws E_INTERRUPTED.
   */
  readonly action: PreemptAction;
  /** From the notice until the machines are taken. @default 30 seconds */
  readonly graceMs?: number;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** The notice. */
  readonly notice: AbortSignal;
  readonly save?: () => void | Promise<void>;
  readonly flush?: () => void | Promise<void>;
}

/** Called between steps: `stop` means that the function returns now. */
export type StepBoundary = () => Promise<"go on" | "stop">;

export interface PreemptResult<T> {
  /** `finished`: the notice did not come, or came too late to matter. */
  readonly outcome: "finished" | "saved" | "flushed";
  readonly value: T;
  /** From the notice to the end of the function; null without a notice. */
  readonly usedMs: number | null;
}

const graceMsDefault = 30_000;

/**
 * Runs a function that is prepared to be taken away: it asks at each boundary between steps whether it may
 * go on.
 *
 * @throws E_FAULT_INVALID; E_INTERRUPTED under `failFast`; E_TIMEOUT when the function has not stopped
 * within the grace, because then the machines are gone; what `save` and `flush` throw.
 */
export async function onPreempt<T>(
  options: OnPreemptOptions,
  fn: (boundary: StepBoundary) => T | Promise<T>,
): Promise<PreemptResult<T>> {
  const { clock = createRealClock(), notice, graceMs = graceMsDefault } = options;
  checkOnPreempt(options);
  const noticed = noticeOf(options);
  let kept: "saved" | "flushed" | undefined;
  const boundary = async (): Promise<"go on" | "stop"> => {
    if (!notice.aborted) return "go on";
    kept ??= await keep(options);
    return "stop";
  };
  const running = Promise.resolve().then(() => fn(boundary));
  try {
    const value = await Promise.race([running, noticed.outOfGrace]);
    const usedMs = noticed.atMs === null ? null : clock.monotonicMs() - noticed.atMs;
    return { outcome: kept ?? "finished", value, usedMs };
  } finally {
    noticed.forget();
    // Whoever is out of grace goes on until it notices; what becomes of it is nobody's business.
    running.catch(() => {});
  }

  function noticeOf({ action }: OnPreemptOptions) {
    let atMs: number | null = null;
    let forget = () => {};
    const outOfGrace = new Promise<never>((_, reject) => {
      const begin = () => {
        atMs = clock.monotonicMs();
        const timer = clock.setTimer(graceMs, () => reject(graceOver(action, graceMs)));
        forget = () => timer.cancel();
      };
      if (notice.aborted) begin();
      else {
        notice.addEventListener("abort", begin, { once: true });
        forget = () => notice.removeEventListener("abort", begin);
      }
    });
    outOfGrace.catch(() => {});
    return {
      outOfGrace,
      get atMs() {
        return atMs;
      },
      forget: () => forget(),
    };
  }
}

async function keep({ action, save, flush }: OnPreemptOptions): Promise<"saved" | "flushed"> {
  if (action === "failFast") throw new TesseraError("E_INTERRUPTED", { signal: "a preemption" });
  if (action === "checkpointThenExit") {
    await save?.();
    return "saved";
  }
  await flush?.();
  return "flushed";
}

function checkOnPreempt({ action, graceMs = 0, save }: OnPreemptOptions): void {
  requireKnown("onPreempt.action", action, preemptActions);
  requireTime("onPreempt.graceMs", graceMs);
  if (action === "checkpointThenExit" && save === undefined) {
    const remedy = "Give `save`, or take partialFlushThenExit.";
    throw invalidFault("onPreempt checkpointThenExit", "nothing saves a checkpoint", remedy);
  }
}

function graceOver(action: PreemptAction, graceMs: number): TesseraError<"E_TIMEOUT"> {
  const what = `The job that was to end by ${action} when it was preempted`;
  return new TesseraError("E_TIMEOUT", { what, timeout: formatDurationMs(graceMs) });
}
