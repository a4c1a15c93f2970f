import type { ExperimentDetailView } from "../../../../../src/control/api/experiments.ts";
import { formatSeconds } from "../../../format.ts";
import { OutcomeBadge, ProvenanceTag, StateBadge } from "../../../ui/badges.tsx";
import { Time } from "../../../ui/time.tsx";
import { Words } from "../../../ui/words.tsx";
import { isGoingOn, sentence, stateWords, worldWords } from "../model/state-words.ts";

/** How it stands: the outcome and the sentence that explains it, then who, where and when. */
export function Head({ detail }: { readonly detail: ExperimentDetailView }) {
  const tone = toneOf(detail);
  return (
    <section class={`outcome outcome-${tone}`} aria-label="Outcome">
      <div class="row">
        {detail.outcome === null ? (
          <StateBadge state={detail.state} />
        ) : (
          <OutcomeBadge outcome={detail.outcome} />
        )}
        {detail.outcome === null || detail.state === "finished" ? null : (
          <StateBadge state={detail.state} />
        )}
        <ProvenanceTag provenance={detail.provenance} />
      </div>
      <p class="outcome-reason" aria-live="polite">
        <Words text={reasonOf(detail)} />
      </p>
      <p class="muted small">
        {worldWords[detail.world]} · seed <code>{detail.seed}</code> · by {detail.startedBy} ·{" "}
        <Time at={detail.startedAt} />
        {detail.endedAt === null ? null : ` · took ${tookText(detail.startedAt, detail.endedAt)}`}
        {detail.endS === null ? null : ` (${formatSeconds(detail.endS)} of ${timeOf(detail)})`}
      </p>
      {detail.residualFaults.length === 0 ? null : (
        <p class="tone-fail">
          <strong>✕ Left broken:</strong> {detail.residualFaults.join(", ")}. Undo these by hand.
        </p>
      )}
    </section>
  );
}

/** Why it came out so; a run that was not judged says what that means. */
function reasonOf({ state, reason }: ExperimentDetailView): string {
  if (reason === null) return stateWords[state];
  return state === "finished" ? reason : `${sentence(reason)} ${stateWords[state]}`;
}

function toneOf({ outcome, state }: ExperimentDetailView): string {
  if (outcome === "pass") return "pass";
  if (outcome === "fail") return "fail";
  return outcome === null && isGoingOn(state) ? "accent" : "unknown";
}

function timeOf({ provenance }: ExperimentDetailView): string {
  return provenance === "simulated" ? "simulated time" : "the workload";
}

function tookText(from: string, to: string): string {
  return formatSeconds((Date.parse(to) - Date.parse(from)) / 1000);
}
