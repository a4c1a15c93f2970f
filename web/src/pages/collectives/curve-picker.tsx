import { useEffect, useState } from "preact/hooks";
import type { StudyChoices } from "../../../../src/control/api/studies.ts";
import { formatCount } from "../../format.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import {
  type CurveChoice,
  choiceText,
  choiceWords,
  comparedMax,
  parseCompared,
  usualChoice,
} from "./compared-curves.ts";

type Param = (name: string) => string | undefined;

/** The curve that the address asks for; what it leaves out is as usual. */
export function chosen(param: Param): CurveChoice {
  const devices = Number(param("devices"));
  return {
    op: param("op") ?? usualChoice.op,
    topology: param("topology") ?? usualChoice.topology,
    devices: Number.isInteger(devices) && devices >= 2 ? devices : usualChoice.devices,
    algorithm: param("algorithm") ?? usualChoice.algorithm,
  };
}

/** The curves it is compared with. */
export function compared(param: Param): readonly CurveChoice[] {
  const current = choiceText(chosen(param));
  return parseCompared(param("with")).filter((one) => choiceText(one) !== current);
}

/** What to draw, and what to draw beside it. */
export function CurvePicker(props: {
  readonly choices: StudyChoices;
  readonly current: CurveChoice;
  readonly others: readonly CurveChoice[];
  readonly onChange: (change: Readonly<Record<string, string | number | undefined>>) => void;
}) {
  const { choices, current, others, onChange } = props;
  const topology = choices.topologies.find(({ name }) => name === current.topology);
  const keep = (all: readonly CurveChoice[]) => onChange({ with: all.map(choiceText).join(",") });
  return (
    <div class="stack">
      <div class="pickers">
        <Pick
          label="Operation"
          value={current.op}
          options={choices.ops}
          onPick={(op) => onChange({ op })}
        />
        <Pick
          label="Topology"
          value={current.topology}
          options={choices.topologies.map(({ name }) => name)}
          titles={Object.fromEntries(choices.topologies.map(({ name, title }) => [name, title]))}
          onPick={(name) => {
            const most = choices.topologies.find((one) => one.name === name)?.devicesMax ?? null;
            const devices = most === null ? current.devices : Math.min(current.devices, most);
            onChange({ topology: name, devices });
          }}
        />
        <Devices
          value={current.devices}
          most={topology?.devicesMax ?? null}
          onPick={(devices) => onChange({ devices })}
        />
        <Pick
          label="Algorithm"
          value={current.algorithm}
          options={choices.algorithms}
          onPick={(algorithm) => onChange({ algorithm })}
        />
      </div>
      <div class="row">
        <Button
          small
          disabled={others.length >= comparedMax - 1}
          title={
            others.length >= comparedMax - 1 ? `At most ${comparedMax} curves at once.` : undefined
          }
          onClick={() => keep([...others, current])}
        >
          Keep it and choose another
        </Button>
        {others.map((other) => (
          <span key={choiceText(other)} class="chip">
            {choiceWords(other)}
            <button
              type="button"
              aria-label={`Take away ${choiceWords(other)}`}
              onClick={() => keep(others.filter((one) => one !== other))}
            >
              ✕
            </button>
          </span>
        ))}
      </div>
    </div>
  );
}

function Pick(props: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly titles?: Readonly<Record<string, string>>;
  readonly onPick: (value: string) => void;
}) {
  const isKnown = props.options.includes(props.value);
  return (
    <Field label={props.label}>
      <select value={props.value} onChange={(event) => props.onPick(event.currentTarget.value)}>
        {isKnown ? null : <option value={props.value}>{props.value} (not known here)</option>}
        {props.options.map((one) => (
          <option key={one} value={one}>
            {props.titles?.[one] ?? one}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** A count is taken when it is finished, not with every digit of it. */
function Devices(props: {
  readonly value: number;
  readonly most: number | null;
  readonly onPick: (devices: number) => void;
}) {
  const [typed, setTyped] = useState(String(props.value));
  useEffect(() => setTyped(String(props.value)), [props.value]);
  const count = Number(typed);
  const isGood =
    Number.isInteger(count) && count >= 2 && (props.most === null || count <= props.most);
  const limit = props.most === null ? "2 or more." : `2 to ${formatCount(props.most)}.`;
  return (
    <Field label="Devices" error={isGood ? undefined : limit}>
      <input
        type="number"
        min={2}
        max={props.most ?? undefined}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onChange={() => {
          if (isGood) props.onPick(count);
        }}
      />
    </Field>
  );
}
