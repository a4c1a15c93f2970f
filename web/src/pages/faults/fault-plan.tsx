import type { ComponentChildren } from "preact";
import type { HardwareFaultPlanView } from "../../../../src/control/api/faults.ts";
import { Badge } from "../../ui/badges.tsx";
import { Code } from "../../ui/code.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { Panel } from "../../ui/panel.tsx";

type Detector = HardwareFaultPlanView["detectors"][number];
type Pod = HardwareFaultPlanView["pods"][number];

const detectorColumns: readonly Column<Detector>[] = [
  {
    key: "name",
    title: "Detector",
    render: ({ name, present }) => (
      <>
        <strong>{name}</strong>
        <div class="muted small">here: {present}</div>
      </>
    ),
  },
  { key: "matched", title: "Sees it", render: ({ matched }) => (matched ? "✓ yes" : "✕ no") },
  { key: "fatal", title: "Fatal", render: ({ isFatal }) => (isFatal ? "yes" : "no") },
  { key: "action", title: "Advises", render: ({ action }) => action },
  { key: "cordon", title: "Cordons", render: ({ cordon }) => cordon },
  { key: "drain", title: "Drains", render: ({ drain }) => drain },
  {
    key: "why",
    title: "Why",
    render: ({ why }) => <span class="muted">{why}</span>,
    wideOnly: true,
  },
];

const podColumns: readonly Column<Pod>[] = [
  { key: "name", title: "Pod", render: ({ name }) => name },
  { key: "workload", title: "Of", render: ({ workload }) => workload },
  { key: "effect", title: "What happens to it", render: ({ effect }) => effect },
];

/** What would happen: the kernel's lines, what each detector should do, which pods feel it, and the guard's word. */
export function FaultPlan(props: {
  readonly plan: HardwareFaultPlanView;
  readonly actions: ComponentChildren;
}) {
  const { plan } = props;
  return (
    <Panel
      title={plan.node === null ? "The plan" : `The plan for ${plan.node}`}
      hint="Nothing was changed to make it."
      actions={
        <>
          <Badge tone={plan.allowed ? "pass" : "fail"} sign={plan.allowed ? "✓" : "✕"}>
            {plan.allowed ? "allowed" : "refused by the guard"}
          </Badge>
          {props.actions}
        </>
      }
    >
      <div class="stack fault-plan" role="status">
        <Guard guard={plan.guard} />
        <h3>In the kernel log</h3>
        {plan.lines.length === 0 ? (
          <p class="muted">Nothing.</p>
        ) : (
          <Code text={plan.lines.join("\n")} label="kernel lines" />
        )}
        <h3>What each detector should do</h3>
        <DataTable
          caption="Predicted reactions"
          columns={detectorColumns}
          rows={plan.detectors}
          rowKey={({ name }) => name}
          empty="No detector is known here."
        />
        <h3>Pods</h3>
        <DataTable
          caption="Pods that feel it"
          columns={podColumns}
          rows={plan.pods}
          rowKey={({ name }) => name}
          empty="No pod will feel it."
        />
        <p>
          <strong>Would anything really restart?</strong> {plan.realReboot}
        </p>
        {plan.restarts === null ? null : <p>{plan.restarts}</p>}
      </div>
    </Panel>
  );
}

/** Each rule and its word; those that refuse come first. */
function Guard({ guard }: { readonly guard: HardwareFaultPlanView["guard"] }) {
  const rows = guard.toSorted((a, b) => Number(a.allows) - Number(b.allows));
  return (
    <ul class="guard">
      {rows.map(({ rule, allows, reason }) => (
        <li key={rule} class={allows ? "" : "guard-refuses"}>
          <span aria-hidden="true">{allows ? "✓" : "✕"}</span>{" "}
          <span class="sr">{allows ? "allows:" : "refuses:"}</span>
          <strong>{rule}</strong> {reason}
        </li>
      ))}
    </ul>
  );
}
