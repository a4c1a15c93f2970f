import { useEffect, useRef } from "preact/hooks";
import type {
  ExperimentDetailView,
  ExperimentPreset,
} from "../../../../src/control/api/experiments.ts";
import { useQuery } from "../../api/use-query.ts";
import { queryParam, setQuery } from "../../router.ts";
import { Field } from "../../ui/field.tsx";

/** The text that the address asks for: a preset's, or that of an experiment that was run before. */
export function useStartingText(
  presets: readonly ExperimentPreset[] | undefined,
  give: (text: string) => void,
): void {
  const from = queryParam("from");
  const wanted = queryParam("preset");
  const what = queryParam("what");
  const earlier = useQuery<ExperimentDetailView>(
    from === undefined ? null : `experiments/${encodeURIComponent(from)}`,
  );
  const preset = presets === undefined ? undefined : presetOf(presets, wanted);
  const found =
    from === undefined
      ? preset?.text
      : what === "reproducer"
        ? earlier.data?.reproducer.text
        : earlier.data?.text;
  const address = JSON.stringify([from, wanted, what]);
  const given = useRef<string | undefined>(undefined);
  useEffect(() => {
    // Once for an address: asked for again, it would replace what was written since.
    if (found === undefined || found === null || given.current === address) return;
    given.current = address;
    give(found);
  }, [found, address]);
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
