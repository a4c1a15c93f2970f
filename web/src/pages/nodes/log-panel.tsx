import { useState } from "preact/hooks";
import type { NodeDetailView } from "../../../../src/control/api/nodes.ts";
import type { RunDetailView, RunRow } from "../../../../src/control/api/runs.ts";
import { useQuery } from "../../api/use-query.ts";
import { pathOf } from "../../router.ts";
import { Empty, Field, Link, Panel, QueryView } from "../../ui/index.ts";
import { RunLog } from "../runs/run-log.tsx";
import { logChoices } from "./log-choices.ts";

/** What a run on the node wrote: at first the run that its verdict rests on. */
export function LogPanel(props: {
  readonly verdicts: NodeDetailView["verdicts"];
  readonly runs: readonly RunRow[];
}) {
  const choices = logChoices(props.verdicts, props.runs);
  const [wanted, setWanted] = useState<string>();
  const runId = (choices.find((one) => one.runId === wanted) ?? choices[0])?.runId;
  if (runId === undefined) return null;
  return (
    <Panel
      title="Log"
      hint="At first of the run that the worst verdict rests on."
      actions={<Link href={pathOf("runs", runId)}>The run</Link>}
    >
      <div class="node-log-choice">
        <Field label="Run" inline>
          <select value={runId} onChange={(event) => setWanted(event.currentTarget.value)}>
            {choices.map((choice) => (
              <option key={choice.runId} value={choice.runId}>
                {choice.label}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <LogOf key={runId} runId={runId} />
    </Panel>
  );
}

/** Not every run leaves a log: why not is known to the run. */
function LogOf({ runId }: { readonly runId: string }) {
  const query = useQuery<RunDetailView>(`runs/${encodeURIComponent(runId)}`, {
    on: ["run.changed"],
    when: (_, data) =>
      typeof data === "object" && data !== null && "runId" in data && data.runId === runId,
  });
  return (
    <QueryView query={query} what="the run">
      {({ log }) =>
        log.available ? (
          <RunLog id={runId} maxHeight="18rem" />
        ) : (
          <Empty title="No log" text={log.reason} />
        )
      }
    </QueryView>
  );
}
