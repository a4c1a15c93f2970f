import type {
  ExperimentDetailView,
  ReproducerView,
} from "../../../../../src/control/api/experiments.ts";
import { apiSend } from "../../../api/client.ts";
import { countOf } from "../../../format.ts";
import { pathOf } from "../../../router.ts";
import { Button } from "../../../ui/button.tsx";
import { Code } from "../../../ui/code.tsx";
import { Link } from "../../../ui/link.tsx";
import { ProblemNote } from "../../../ui/notes.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { useAction } from "../../../ui/use-action.ts";
import { sentence } from "../model/state-words.ts";

/** The smallest experiment that fails the same way; looked for on demand. */
export function Reproducer(props: {
  readonly detail: ExperimentDetailView;
  readonly onChange: () => void;
}) {
  const { id, reproducer, outcome } = props.detail;
  const search = useAction(
    () => apiSend<ReproducerView>("POST", `experiments/${encodeURIComponent(id)}/minimise`),
    { role: "operate" },
  );
  if (outcome !== "fail" && reproducer.state === "none") return null;
  const isRunning = reproducer.state === "running" || search.busy;
  return (
    <Panel
      title="Smallest reproducer"
      hint="Faults are taken away and made shorter for as long as it still fails the same way."
      actions={
        reproducer.state === "done" ? (
          <Link
            class="button button-small button-primary"
            href={`${pathOf("experiments", "new")}?from=${encodeURIComponent(id)}&what=reproducer`}
          >
            Start this
          </Link>
        ) : (
          <Button
            small
            busy={isRunning}
            disabled={search.refusal !== undefined}
            title={search.refusal}
            onClick={() => void search.run().then(props.onChange)}
          >
            {isRunning ? "Looking…" : "Look for it"}
          </Button>
        )
      }
    >
      <div class="stack">
        <p role="status">{words(reproducer)}</p>
        {search.refusal === undefined || reproducer.state === "done" ? null : (
          <p class="refusal">{search.refusal}</p>
        )}
        {search.problem === undefined ? null : <ProblemNote problem={search.problem} />}
        {reproducer.text === null ? null : (
          <Code text={reproducer.text} label="smallest experiment" maxHeight="24rem" />
        )}
      </div>
    </Panel>
  );
}

function words({ state, reason, runs, faultsBefore, faultsAfter }: ReproducerView): string {
  switch (state) {
    case "none":
      return reason === null ? "Nobody has looked for it yet." : sentence(reason);
    case "running":
      return `${countOf(runs, "run")} so far.`;
    case "failed":
      return `It was not found after ${countOf(runs, "run")}. ${sentence(reason ?? "no reason was given")}`;
    case "done":
      return `${counts(faultsBefore)} became ${counts(faultsAfter)} in ${countOf(runs, "run")}.${
        reason === null ? "" : ` ${sentence(reason)}`
      }`;
  }
}

function counts(faults: number | null): string {
  return faults === null ? "An unknown number of faults" : countOf(faults, "fault");
}
