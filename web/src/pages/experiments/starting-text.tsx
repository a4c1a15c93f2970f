import { useEffect, useRef, useState } from "preact/hooks";
import type {
  ExperimentDetailView,
  ExperimentPreset,
} from "../../../../src/control/api/experiments.ts";
import { type QueryResult, useQuery } from "../../api/use-query.ts";
import { queryParam, setQuery } from "../../router.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Loading, QueryView } from "../../ui/notes.tsx";
import { startingStep } from "./model/starting-step.ts";

/** The text that a new experiment starts from, on its way into the editor. */
export interface StartingText {
  /** What it is called to people. */
  readonly name: string;
  /** The experiment that it is the file of; undefined where it is a preset's. */
  readonly earlier: QueryResult<ExperimentDetailView> | undefined;
  /** Why there is no such text; undefined while there may be one. */
  readonly missing: string | undefined;
  /** It came after something else was written, which was left in the editor. */
  readonly isHeld: boolean;
  /** Replaces what was written. */
  take(): void;
}

/** The text that the address asks for: a preset's, or that of an experiment that was run before. */
export function useStartingText(
  presets: readonly ExperimentPreset[] | undefined,
  text: string,
  give: (text: string) => void,
): StartingText {
  const [from, wanted, what] = [queryParam("from"), queryParam("preset"), queryParam("what")];
  const earlier = useQuery<ExperimentDetailView>(
    from === undefined ? null : `experiments/${encodeURIComponent(from)}`,
  );
  const preset = presets === undefined ? undefined : presetOf(presets, wanted);
  const reproducer = what === "reproducer" ? earlier.data?.reproducer : undefined;
  const ofEarlier = what === "reproducer" ? reproducer?.text : earlier.data?.text;
  const found = from === undefined ? preset?.text : ofEarlier;
  const address = JSON.stringify([from, wanted, what]);
  const asked = useRef({ address, text });
  if (asked.current.address !== address) asked.current = { address, text };
  const doneFor = useRef<string | undefined>(undefined);
  const [heldFor, setHeldFor] = useState<string | undefined>(undefined);
  useEffect(() => {
    const at = { found, address, doneFor: doneFor.current, text };
    const step = startingStep({ ...at, textBefore: asked.current.text });
    if (step === "wait") return;
    doneFor.current = address;
    if (step === "hold") setHeldFor(address);
    else give(found ?? "");
  }, [found, address]);
  return {
    name:
      from === undefined
        ? `the example “${preset?.title ?? ""}”`
        : `the file of experiment ${from}`,
    earlier: from === undefined ? undefined : earlier,
    missing: reproducer?.text === null ? whyNone(reproducer) : undefined,
    isHeld: heldFor === address,
    take: () => {
      setHeldFor(undefined);
      give(found ?? "");
    },
  };
}

function whyNone({ state, reason }: ExperimentDetailView["reproducer"]): string {
  return state === "running" ? "it is still looked for." : (reason ?? "nobody asked for it.");
}

/** Says what became of the starting text where it is not in the editor. */
export function StartingNote({ starting }: { readonly starting: StartingText }) {
  const { name, earlier, missing } = starting;
  return (
    <>
      {earlier === undefined ? null : (
        <QueryView query={earlier} what={name} skeleton={<Loading what={name} lines={1} />}>
          {() => null}
        </QueryView>
      )}
      {missing === undefined ? null : (
        <p class="tone-warn" role="status">
          This experiment has no smallest reproducer: {missing}
        </p>
      )}
      {starting.isHeld ? (
        <p class="row" role="status">
          What was in the editor before {name} came was left there.
          <Button small onClick={starting.take}>
            Replace it
          </Button>
        </p>
      ) : null}
    </>
  );
}

/** The preset of a name; without one the first that is meant to pass. */
function presetOf(
  presets: readonly ExperimentPreset[],
  wanted: string | undefined,
): ExperimentPreset | undefined {
  return (
    presets.find(({ name }) => name === wanted) ??
    presets.find(({ mustFail }) => !mustFail) ??
    presets[0]
  );
}

/** One of ours to start from; the address says which. */
export function PresetChoice({ presets }: { readonly presets: readonly ExperimentPreset[] }) {
  const from = queryParam("from");
  const current = presetOf(presets, queryParam("preset"));
  const shown = from === undefined ? current : undefined;
  if (presets.length === 0 && from === undefined) {
    return <p class="muted">This server brings no examples. Paste a file below.</p>;
  }
  return (
    <Field
      label="Start from"
      hint={
        shown?.mustFail === true
          ? "A twin that must fail: it shows that the test can."
          : shown === undefined
            ? undefined
            : `Faults: ${shown.faults.join(", ")}`
      }
    >
      <select
        value={shown?.name ?? ""}
        onChange={(event) =>
          setQuery({ preset: event.currentTarget.value, from: undefined, what: undefined })
        }
      >
        {from === undefined ? null : <option value="">The file of experiment {from}</option>}
        {presets.map(({ name, title, mustFail }) => (
          <option key={name} value={name}>
            {title}
            {mustFail ? " (must fail)" : ""}
          </option>
        ))}
      </select>
    </Field>
  );
}
