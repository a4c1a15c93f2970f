import { useState } from "preact/hooks";
import type { BaselineView } from "../../../../src/control/api/baselines.ts";
import { apiSend } from "../../api/client.ts";
import { Button, Dialog, useAction } from "../../ui/index.ts";
import { ReasonForm } from "../nodes/reason-form.tsx";

type Change = "activate" | "reject";

const texts: Readonly<Record<Change, { readonly title: string; readonly text: string }>> = {
  activate: {
    title: "Take it",
    text: "Runs are held against this baseline from now on. The one before it is superseded.",
  },
  reject: {
    title: "Reject it",
    text: "No run is held against this baseline. A new one is learned in time.",
  },
};

/** Which changes a state allows. */
export function changesOf(state: BaselineView["state"]): readonly Change[] {
  if (state === "candidate") return ["activate", "reject"];
  return state === "active" ? ["reject"] : ["activate"];
}

/** Takes or rejects a baseline, with a reason. */
export function BaselineActions({
  baseline,
  onDone,
}: {
  readonly baseline: BaselineView;
  onDone(): void;
}) {
  const [asked, setAsked] = useState<Change>();
  const action = useAction(
    (change: Change, reason: string) =>
      apiSend<BaselineView>("POST", `baselines/${encodeURIComponent(baseline.id)}/${change}`, {
        reason,
      }),
    { role: "operate" },
  );
  const send = async (change: Change, reason: string) => {
    if ((await action.run(change, reason)) === undefined) return;
    setAsked(undefined);
    onDone();
  };
  return (
    <div class="row">
      {changesOf(baseline.state).map((change) => (
        <Button
          key={change}
          kind={change === "activate" ? "primary" : "danger"}
          disabled={action.refusal !== undefined}
          title={action.refusal}
          onClick={() => {
            action.clear();
            setAsked(change);
          }}
        >
          {texts[change].title}
        </Button>
      ))}
      {action.refusal !== undefined && <span class="small muted">{action.refusal}</span>}
      <Dialog
        open={asked !== undefined}
        title={asked === undefined ? "" : texts[asked].title}
        onClose={() => setAsked(undefined)}
      >
        {asked !== undefined && (
          <ReasonForm
            text={texts[asked].text}
            hint="Kept with the baseline and in the audit log."
            doIt={texts[asked].title}
            kind={asked === "reject" ? "danger" : "primary"}
            busy={action.busy}
            problem={action.problem}
            onSend={(reason) => void send(asked, reason)}
            onCancel={() => setAsked(undefined)}
          />
        )}
      </Dialog>
    </div>
  );
}
