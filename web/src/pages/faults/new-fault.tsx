import { useState } from "preact/hooks";
import type {
  HardwareFaultPlanView,
  HardwareFaultView,
} from "../../../../src/control/api/faults.ts";
import { apiSend } from "../../api/client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ProblemNote } from "../../ui/notes.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useAction } from "../../ui/use-action.ts";
import { FaultFieldset } from "./fault-fieldset.tsx";
import {
  emptyFields,
  type FaultFields,
  type FaultRequest,
  type FieldErrors,
  readFields,
} from "./fault-form.ts";
import { FaultPlan } from "./fault-plan.tsx";

/** A fault to be: its plan first, and only then the button that breaks something. */
export function NewFault(props: { readonly onInjected: (id: string) => void }) {
  const [fields, setFields] = useState<FaultFields>(emptyFields);
  const [errors, setErrors] = useState<FieldErrors>({});
  const plan = useAction(
    async (request: FaultRequest) => ({
      request,
      plan: await apiSend<HardwareFaultPlanView>("POST", "faults/plan", request),
    }),
    { role: "inject" },
  );
  const change = (next: FaultFields) => {
    setFields(next);
    setErrors({});
    plan.clear();
  };
  const ask = () => {
    const read = readFields(fields);
    if ("errors" in read) setErrors(read.errors);
    else void plan.run(read.request);
  };
  return (
    <>
      <Panel title="A new fault" hint="First the plan: it changes nothing.">
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            ask();
          }}
        >
          <FaultFieldset fields={fields} errors={errors} onChange={change} />
          <div class="row">
            <Button
              type="submit"
              kind="primary"
              busy={plan.busy}
              disabled={plan.refusal !== undefined}
            >
              Show the plan
            </Button>
            {plan.refusal === undefined ? null : <span class="tone-warn">{plan.refusal}</span>}
          </div>
          {plan.problem === undefined ? null : <ProblemNote problem={plan.problem} />}
        </form>
      </Panel>
      {plan.result === undefined || plan.problem !== undefined ? null : (
        <FaultPlan
          plan={plan.result.plan}
          actions={<Inject {...plan.result} onInjected={props.onInjected} />}
        />
      )}
    </>
  );
}

/** Breaks what was planned, after a question that names the node. */
function Inject(props: {
  readonly request: FaultRequest;
  readonly plan: HardwareFaultPlanView;
  readonly onInjected: (id: string) => void;
}) {
  const { request, plan } = props;
  const [asks, setAsks] = useState(false);
  const inject = useAction(() => apiSend<HardwareFaultView>("POST", "faults", request), {
    role: "inject",
  });
  return (
    <>
      <Button
        kind="danger"
        disabled={!plan.allowed || inject.refusal !== undefined}
        title={plan.allowed ? inject.refusal : "The guard does not allow it."}
        onClick={() => setAsks(true)}
      >
        Inject…
      </Button>
      <Dialog open={asks} title={`Break ${request.node}?`} onClose={() => setAsks(false)}>
        <div class="stack">
          <p>
            XID {request.xid} will stand in the kernel log of <strong>{request.node}</strong>, on
            GPU {request.gpu}, for the namespace <strong>{request.namespace}</strong>. It is undone
            after {request.durationSeconds} s at the latest.
          </p>
          {plan.pods.length === 0 ? null : (
            <p>
              Pods that will feel it:{" "}
              <strong>{plan.pods.map(({ name }) => name).join(", ")}</strong>
            </p>
          )}
          {request.allowRealReboot ? (
            <p class="tone-fail">Detectors may really restart this node.</p>
          ) : null}
          {inject.problem === undefined ? null : <ProblemNote problem={inject.problem} />}
          <div class="row">
            <Button
              kind="danger"
              busy={inject.busy}
              onClick={() => {
                void inject.run().then((fault) => {
                  if (fault === undefined) return;
                  setAsks(false);
                  props.onInjected(fault.id);
                });
              }}
            >
              Break {request.node}
            </Button>
            <Button onClick={() => setAsks(false)}>Leave it alone</Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}
