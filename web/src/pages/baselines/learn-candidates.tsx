import { useState } from "preact/hooks";
import type { BaselineProposalView } from "../../../../src/control/api/baselines.ts";
import { apiSend } from "../../api/client.ts";
import { Button, Dialog, useAction } from "../../ui/index.ts";
import { ReasonForm } from "../nodes/reason-form.tsx";

/** Learns candidates now, with a reason, instead of waiting for the loop to do it. */
export function LearnCandidates({ onDone }: { onDone(made: BaselineProposalView): void }) {
  const [isAsked, setAsked] = useState(false);
  const action = useAction(
    (reason: string) => apiSend<BaselineProposalView>("POST", "baselines/propose", { reason }),
    { role: "operate" },
  );
  const send = async (reason: string) => {
    const made = await action.run(reason);
    if (made === undefined) return;
    setAsked(false);
    onDone(made);
  };
  return (
    <>
      <Button
        kind="primary"
        disabled={action.refusal !== undefined}
        title={action.refusal}
        onClick={() => {
          action.clear();
          setAsked(true);
        }}
      >
        Learn candidates
      </Button>
      <Dialog open={isAsked} title="Learn candidates" onClose={() => setAsked(false)}>
        {isAsked && (
          <ReasonForm
            text="Learns what was usual from the runs of the last 14 days. What is learned is a candidate: no run is held against it until somebody takes it."
            hint="Kept with the candidates and in the audit log."
            doIt="Learn"
            kind="primary"
            busy={action.busy}
            problem={action.problem}
            onSend={(reason) => void send(reason)}
            onCancel={() => setAsked(false)}
          />
        )}
      </Dialog>
    </>
  );
}
