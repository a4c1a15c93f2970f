import type { RunPhase } from "../../chaos/experiment/index.ts";
import type { ChaosPlan } from "../../chaos/plan/index.ts";
import type { JobEvent } from "../../chaos/record/index.ts";
import { createProgressReporter } from "../../platform/reporters/index.ts";
import type { Invocation } from "../invocation.ts";
import { timeText } from "./words.ts";

/** Follows a run on a terminal; elsewhere it says nothing. */
export interface LiveProgress {
  onPhase(phase: RunPhase): void;
  onEvent(event: JobEvent): void;
  close(): void;
}

const phaseNames: Readonly<Record<RunPhase, string>> = {
  before: "is the steady state there?",
  baseline: "the run without faults",
  method: "the run with faults",
  after: "is the steady state there again?",
  judge: "judging",
};

export function liveProgress({ globals, io, clock }: Invocation, plan: ChaosPlan): LiveProgress {
  const isShown = !globals.quiet && io.stderr.isTTY === true && io.env["TERM"] !== "dumb";
  if (!isShown) return { onPhase: () => {}, onEvent: () => {}, close: () => {} };
  const bars = createProgressReporter({ stream: io.stderr, clock, env: io.env });
  const { workload } = plan;
  const total = workload.kind === "training" ? workload.steps : undefined;
  let shown: RunPhase | undefined;
  let done = 0;
  bars.onBegin({ title: plan.title, subject: plan.title });
  const end = () => {
    if (shown !== undefined) bars.onItemEnd({ id: shown, item: nothing(phaseNames[shown]) });
  };
  return {
    onPhase: (phase) => {
      end();
      shown = phase;
      bars.onItemStart({ id: phase, name: phaseNames[phase] });
    },
    onEvent: (event) => {
      if (shown === undefined) return;
      if (event.kind === "step") done = event.step;
      const note = `${timeText(event.atUs)}  ${event.kind}`;
      bars.onProgress({ id: shown, done, ...(total === undefined ? {} : { total }), note });
    },
    close: () => {
      end();
      bars.onAbort();
    },
  };
}

function nothing(name: string) {
  return { name, status: "skipped" as const, reason: "", facts: [] };
}
