import type { HardwareFaultView } from "../../../../src/control/api/faults.ts";
import { Badge, StateBadge } from "../../ui/badges.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Time } from "../../ui/time.tsx";
import { agreement, agreementSummary } from "./fault-words.ts";
import { LeaseClock } from "./lease-clock.tsx";
import { RevertButton } from "./revert-button.tsx";

type Predicted = HardwareFaultView["predicted"][number];
type Sighting = HardwareFaultView["sightings"][number];

const predictedColumns: readonly Column<Predicted>[] = [
  { key: "detector", title: "Detector", render: ({ detector }) => <strong>{detector}</strong> },
  { key: "what", title: "What", render: ({ what }) => what },
  { key: "expected", title: "Predicted", render: ({ expected }) => expected },
  {
    key: "observed",
    title: "Observed",
    render: ({ observed }) => observed ?? <span class="muted">nothing so far</span>,
  },
  {
    key: "agrees",
    title: "Came out",
    render: (row) => {
      const { sign, word, tone } = agreement(row);
      return (
        <Badge tone={tone} sign={sign}>
          {word}
        </Badge>
      );
    },
  },
];

const sightingColumns: readonly Column<Sighting>[] = [
  { key: "at", title: "When", render: ({ at }) => <Time at={at} /> },
  { key: "by", title: "Who", render: ({ by }) => by },
  { key: "what", title: "What", render: ({ what }) => what },
  { key: "detail", title: "More", render: ({ detail }) => detail ?? "", wideOnly: true },
];

/** One fault: its way through its states, and predicted against observed. */
export function FaultDetail(props: {
  readonly fault: HardwareFaultView;
  readonly onChange: () => void;
}) {
  const { fault } = props;
  return (
    <>
      <Panel
        title={`${fault.kind} · ${fault.target}`}
        hint={<code>{fault.id}</code>}
        actions={
          <>
            <StateBadge state={fault.state} />
            {fault.isLive ? <RevertButton fault={fault} onChange={props.onChange} /> : null}
          </>
        }
      >
        <Facts fault={fault} />
      </Panel>
      <Panel title="Predicted against observed" hint={agreementSummary(fault.predicted)} flush>
        <DataTable
          caption="Each prediction and how it came out"
          columns={predictedColumns}
          rows={fault.predicted}
          rowKey={({ detector, what }) => `${detector} ${what}`}
          empty="No prediction was kept for this fault."
        />
      </Panel>
      <Panel title="Who saw it" flush>
        <DataTable
          caption="Sightings"
          columns={sightingColumns}
          rows={fault.sightings}
          rowKey={({ at, by, what }) => `${at} ${by} ${what}`}
          empty={fault.isLive ? "Nobody has seen it yet." : "Nobody saw it: it proves nothing."}
        />
      </Panel>
    </>
  );
}

function Facts({ fault }: { readonly fault: HardwareFaultView }) {
  return (
    <dl class="facts">
      <dt>Node</dt>
      <dd>{fault.node ?? "none of its own"}</dd>
      <dt>Namespace</dt>
      <dd>{fault.namespace}</dd>
      <dt>Asked for by</dt>
      <dd>{fault.requestedBy}</dd>
      <dt>Run</dt>
      <dd>
        <code>{fault.run}</code>
      </dd>
      <dt>Injected</dt>
      <dd>
        <Time at={fault.injectedAt} />
      </dd>
      <dt>First seen</dt>
      <dd>
        <Time at={fault.observedAt} />
      </dd>
      <dt>{fault.isLive ? "Ends" : "Ended"}</dt>
      <dd>
        {fault.isLive ? <LeaseClock fault={fault} /> : <Time at={fault.endedAt} />}
        {fault.endReason === null ? null : ` (${fault.endReason})`}
      </dd>
      {fault.left.length === 0 ? null : (
        <>
          <dt class="tone-fail">✕ Left behind</dt>
          <dd>{fault.left.join("; ")}</dd>
        </>
      )}
      {fault.message === null ? null : (
        <>
          <dt>Last word</dt>
          <dd>{fault.message}</dd>
        </>
      )}
    </dl>
  );
}
