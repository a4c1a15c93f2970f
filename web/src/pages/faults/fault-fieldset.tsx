import { useId } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import type { FaultFields, FieldErrors } from "./fault-form.ts";
import { useXids } from "./xid-list.tsx";
import { usedXids } from "./xid-search.ts";

/** Where, which GPU, which XID and for how long. */
export function FaultFieldset(props: {
  readonly fields: FaultFields;
  readonly errors: FieldErrors;
  readonly onChange: (fields: FaultFields) => void;
}) {
  const { fields, errors } = props;
  const input = (name: Exclude<keyof FaultFields, "allowRealReboot">, more: object = {}) => (
    <input
      value={fields[name]}
      autocomplete="off"
      spellcheck={false}
      aria-invalid={errors[name] !== undefined}
      onInput={(event) => props.onChange({ ...fields, [name]: event.currentTarget.value })}
      {...more}
    />
  );
  return (
    <div class="stack">
      <div class="fault-fields">
        <Field label="Node" error={errors.node} hint="It must carry the label that allows faults.">
          {input("node")}
        </Field>
        <Field label="Namespace under test" error={errors.namespace}>
          {input("namespace")}
        </Field>
        <XidField fields={fields} error={errors.xid} onChange={props.onChange} />
        <Field label="GPU" error={errors.gpu} hint="Its index on the node.">
          {input("gpu", { inputMode: "numeric" })}
        </Field>
        <Field label="Minutes" error={errors.minutes} hint="Undone after this, whatever happens.">
          {input("minutes", { inputMode: "decimal" })}
        </Field>
      </div>
      <label class="row">
        <input
          type="checkbox"
          checked={fields.allowRealReboot}
          onChange={(event) =>
            props.onChange({ ...fields, allowRealReboot: event.currentTarget.checked })
          }
        />
        Go on where a detector would really restart the node
      </label>
    </div>
  );
}

function XidField(props: {
  readonly fields: FaultFields;
  readonly error: string | undefined;
  readonly onChange: (fields: FaultFields) => void;
}) {
  const { fields } = props;
  const list = useId();
  const xids = usedXids(useXids().data?.xids ?? []);
  const known = xids.find(({ code }) => String(code) === fields.xid.trim());
  const hint =
    known === undefined
      ? xids.length === 0
        ? undefined
        : "Not in the catalogue."
      : `${known.name} (${known.severity}). ${known.description}`;
  return (
    <Field label="XID" error={props.error} hint={hint}>
      <input
        value={fields.xid}
        list={list}
        inputMode="numeric"
        autocomplete="off"
        onInput={(event) => props.onChange({ ...fields, xid: event.currentTarget.value })}
      />
      <datalist id={list}>
        {xids.map(({ code, name, severity }) => (
          <option key={code} value={String(code)}>
            {name} ({severity})
          </option>
        ))}
      </datalist>
    </Field>
  );
}
