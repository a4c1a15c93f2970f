import type {
  ExperimentListView,
  ExperimentPreset,
} from "../../../../src/control/api/experiments.ts";
import { useQuery } from "../../api/use-query.ts";
import { navigate, pathOf } from "../../router.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { ProblemNote, QueryView } from "../../ui/notes.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { TextEditor } from "./editor/text-editor.tsx";
import { PlanView } from "./plan-view.tsx";
import { PresetChoice, StartingNote, useStartingText } from "./starting-text.tsx";
import { type NewExperiment, useNewExperiment } from "./use-new-experiment.ts";
import { WorldChoice } from "./world-choice.tsx";
import "./experiments.css";

/** An experiment to be: a file, the world it runs in, its plan, and the button that starts it. */
export default function NewExperimentPage() {
  const wanted = useNewExperiment();
  const presets = useQuery<{ readonly presets: readonly ExperimentPreset[] }>(
    "experiments/presets",
  );
  const starting = useStartingText(presets.data?.presets, wanted.text, (text) =>
    wanted.change({ text }),
  );
  const { plan } = wanted;
  return (
    <Page
      title="New experiment"
      lede="Take one of ours or bring your own file. Look at the plan before anything is broken."
    >
      <div class="new-experiment">
        <Panel
          title="The experiment"
          hint="The same file runs in the simulator, on processes of this machine and on a cluster."
        >
          <div class="stack">
            <QueryView query={presets} what="the presets">
              {(data) => <PresetChoice presets={data.presets} />}
            </QueryView>
            <StartingNote starting={starting} />
            <TextEditor
              label="Experiment file (YAML)"
              value={wanted.text}
              problems={wanted.problemLines}
              onInput={(text) => wanted.change({ text })}
            />
          </div>
        </Panel>
        <div class="stack">
          <Where wanted={wanted} />
          {plan.result === undefined || plan.problem !== undefined ? null : (
            <PlanView plan={plan.result} />
          )}
        </div>
      </div>
    </Page>
  );
}

/** World and seed, and the two buttons: look at the plan, or begin. */
function Where({ wanted }: { readonly wanted: NewExperiment }) {
  const list = useQuery<ExperimentListView>("experiments", { query: { limit: 1 } });
  const { plan, start, problem } = wanted;
  const isEmpty = wanted.text.trim() === "";
  const begin = async () => {
    const row = await start.run();
    if (row !== undefined) navigate(pathOf("experiments", row.id));
  };
  return (
    <Panel title="Where">
      <div class="stack">
        <QueryView query={list} what="the worlds">
          {({ worlds }) => (
            <WorldChoice
              worlds={worlds}
              chosen={wanted.world}
              onChoose={(world) => wanted.change({ world })}
            />
          )}
        </QueryView>
        <Field
          label="Seed"
          hint="The same file, seed and version give the same run. Empty: the file's own."
        >
          <input
            value={wanted.seed}
            maxLength={200}
            onInput={(event) => wanted.change({ seed: event.currentTarget.value })}
          />
        </Field>
        <div class="row">
          <Button
            onClick={() => void plan.run()}
            busy={plan.busy}
            disabled={isEmpty || plan.refusal !== undefined}
          >
            Show the plan
          </Button>
          <Button
            kind="primary"
            onClick={() => void begin()}
            busy={start.busy}
            disabled={isEmpty || start.refusal !== undefined}
          >
            Start
          </Button>
        </div>
        {start.refusal === undefined ? null : <p class="refusal">{start.refusal}</p>}
        {problem === undefined ? null : <ProblemNote problem={problem} />}
      </div>
    </Panel>
  );
}
