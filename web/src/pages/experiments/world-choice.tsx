import type { ExperimentListView, ExperimentRow } from "../../../../src/control/api/experiments.ts";
import { Words } from "../../ui/words.tsx";
import { worldWords } from "./model/state-words.ts";

type World = ExperimentRow["world"];

/** Where it runs and what that touches. What is not allowed here says why. */
export function WorldChoice(props: {
  readonly worlds: ExperimentListView["worlds"];
  readonly chosen: World | undefined;
  readonly onChoose: (world: World | undefined) => void;
}) {
  return (
    <fieldset class="world-choice">
      <legend>World</legend>
      <label class="world-option">
        <input
          type="radio"
          name="world"
          checked={props.chosen === undefined}
          onChange={() => props.onChoose(undefined)}
        />
        <span>As the file says</span>
        <span class="small muted">Files that name none run in the simulator.</span>
      </label>
      {props.worlds.map(({ world, allowed, reason }) => (
        <label key={world} class="world-option">
          <input
            type="radio"
            name="world"
            disabled={!allowed}
            checked={props.chosen === world}
            onChange={() => props.onChoose(world)}
          />
          <span>
            {worldWords[world]} {allowed ? null : <strong>(not allowed here)</strong>}
          </span>
          <span class="small muted">
            <Words text={reason} />
          </span>
        </label>
      ))}
    </fieldset>
  );
}
