import type { ExperimentDetailView } from "../../../../../src/control/api/experiments.ts";
import { formatCount, formatSeconds } from "../../../format.ts";
import { Panel } from "../../../ui/panel.tsx";
import { type EventTail, newestStep } from "../model/event-tail.ts";
import { phaseWords, runPhases, stateWords } from "../model/state-words.ts";

/** Where a run is: its phases in order, its newest step, the last thing that happened. */
export function Progress(props: {
  readonly detail: ExperimentDetailView;
  readonly tail: EventTail;
}) {
  const { detail, tail } = props;
  const newest = tail.events.at(-1);
  const phase = detail.phase ?? newest?.phase ?? null;
  const at = runPhases.findIndex((one) => one === phase);
  const step = newestStep(tail);
  return (
    <Panel title="Now" hint={stateWords[detail.state]}>
      <ol class="phases">
        {runPhases.map((one, index) => (
          <li
            key={one}
            class={index < at ? "phase-done" : index === at ? "phase-now" : ""}
            aria-current={index === at ? "step" : undefined}
          >
            <span aria-hidden="true">{index < at ? "✓" : index === at ? "▸" : "○"}</span>{" "}
            {phaseWords[one]}
          </li>
        ))}
      </ol>
      <p class="sr" role="status">
        {phase === null ? "" : phaseWords[phase]}
      </p>
      <p class="muted">
        {newest === undefined
          ? "Nothing has happened yet."
          : `${step === null ? "" : `Step ${formatCount(step)}, `}${formatSeconds(newest.atS)} in: ${newest.text}`}
      </p>
    </Panel>
  );
}
