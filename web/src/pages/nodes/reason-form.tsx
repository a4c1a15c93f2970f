import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { ApiProblem } from "../../api/client.ts";
import { Button, Field, ProblemNote } from "../../ui/index.ts";

const reasonLengthMin = 3;

/** Asks for a reason before something is done. */
export function ReasonForm(props: {
  readonly text: string;
  readonly hint: string;
  readonly doIt: string;
  readonly kind: "primary" | "danger";
  readonly busy: boolean;
  readonly problem: ApiProblem | undefined;
  readonly children?: ComponentChildren;
  onSend(reason: string): void;
  onCancel(): void;
}) {
  const [reason, setReason] = useState("");
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        props.onSend(reason.trim());
      }}
    >
      <p>{props.text}</p>
      {props.children}
      <Field label="Reason" hint={props.hint}>
        <textarea
          rows={3}
          maxLength={500}
          required
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </Field>
      {props.problem !== undefined && <ProblemNote problem={props.problem} />}
      <div class="row">
        <Button
          kind={props.kind}
          type="submit"
          busy={props.busy}
          disabled={reason.trim().length < reasonLengthMin}
        >
          {props.doIt}
        </Button>
        <Button onClick={props.onCancel}>Cancel</Button>
      </div>
    </form>
  );
}
