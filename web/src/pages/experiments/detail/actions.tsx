import { useState } from "preact/hooks";
import type {
  ExperimentDetailView,
  ExperimentRow,
} from "../../../../../src/control/api/experiments.ts";
import { apiSend, apiText } from "../../../api/client.ts";
import { session } from "../../../api/session.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ProblemNote } from "../../../ui/notes.tsx";
import { useAction } from "../../../ui/use-action.ts";
import { saveFile } from "../../reports/save-file.ts";
import { isGoingOn } from "../model/state-words.ts";

/** What can be done with an experiment: stop it while it runs, take its report afterwards. */
export function Actions(props: {
  readonly detail: ExperimentDetailView;
  readonly onChange: () => void;
}) {
  return isGoingOn(props.detail.state) ? <Stop {...props} /> : <Report detail={props.detail} />;
}

function Stop(props: { readonly detail: ExperimentDetailView; readonly onChange: () => void }) {
  const { id, title, state } = props.detail;
  const [asks, setAsks] = useState(false);
  const stop = useAction(
    () => apiSend<ExperimentRow>("POST", `experiments/${encodeURIComponent(id)}/stop`),
    { role: "inject" },
  );
  return (
    <>
      {stop.refusal === undefined ? null : <span class="muted small">{stop.refusal}</span>}
      <Button
        kind="danger"
        disabled={stop.refusal !== undefined || state === "stopping"}
        onClick={() => setAsks(true)}
      >
        {state === "stopping" ? "Stopping…" : "Stop"}
      </Button>
      <Dialog open={asks} title="Stop this experiment?" onClose={() => setAsks(false)}>
        <div class="stack">
          <p>
            Everything that <strong>{title}</strong> broke is undone first. A stopped experiment is
            inconclusive: it proves nothing either way.
          </p>
          {stop.problem === undefined ? null : <ProblemNote problem={stop.problem} />}
          <div class="row">
            <Button
              kind="danger"
              busy={stop.busy}
              onClick={() => {
                void stop.run().then((row) => {
                  if (row === undefined) return;
                  setAsks(false);
                  props.onChange();
                });
              }}
            >
              Stop it
            </Button>
            <Button onClick={() => setAsks(false)}>Let it run</Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}

/** A link cannot carry a token: where reading needs one, the report is fetched and saved instead. */
function Report({ detail }: { readonly detail: ExperimentDetailView }) {
  const path = `experiments/${encodeURIComponent(detail.id)}/report`;
  const save = useAction(async () => {
    const page = await apiText(path);
    saveFile(`tessera-${detail.id}.html`, { text: page, type: "text/html" });
  });
  if (detail.state !== "finished") return null;
  if (session.value?.readsNeedToken === false) {
    return (
      <a class="button button-plain" href={`/api/v1/${path}`} target="_blank" rel="noreferrer">
        Report (HTML)
      </a>
    );
  }
  return (
    <>
      <Button busy={save.busy} onClick={() => void save.run()}>
        Save the report (HTML)
      </Button>
      {save.problem === undefined ? null : <span class="tone-fail">{save.problem.message}</span>}
    </>
  );
}
