import type { HardwareFaultView } from "../../../../src/control/api/faults.ts";
import { countOf } from "../../format.ts";
import { Badge, StateBadge } from "../../ui/badges.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { Empty } from "../../ui/notes.tsx";
import { Time } from "../../ui/time.tsx";
import { agreementSummary, isLeft } from "./fault-words.ts";
import { LeaseClock } from "./lease-clock.tsx";
import { RevertButton } from "./revert-button.tsx";

interface TableProps {
  readonly faults: readonly HardwareFaultView[];
  readonly shown: string | undefined;
  readonly onOpen: (id: string) => void;
  readonly onChange: () => void;
}

function columnsOf(props: TableProps): readonly Column<HardwareFaultView>[] {
  return [
    {
      key: "what",
      title: "Fault",
      render: ({ id, kind, target, node }) => (
        <>
          <button
            type="button"
            class="fault-open"
            aria-pressed={id === props.shown}
            onClick={() => props.onOpen(id)}
          >
            {kind} · {target}
          </button>
          <div class="muted small">{node === null ? "no node of its own" : `on ${node}`}</div>
        </>
      ),
    },
    { key: "state", title: "State", render: (fault) => <FaultState fault={fault} /> },
    {
      key: "lease",
      title: "Ends",
      render: (fault) =>
        fault.isLive ? <LeaseClock fault={fault} /> : <Time at={fault.endedAt} relative />,
    },
    {
      key: "seen",
      title: "Seen",
      render: ({ sightings }) =>
        sightings.length === 0 ? (
          <span class="muted">by nobody</span>
        ) : (
          countOf(sightings.length, "time")
        ),
      wideOnly: true,
    },
    {
      key: "predicted",
      title: "Predicted against observed",
      render: ({ predicted }) => agreementSummary(predicted),
      wideOnly: true,
    },
    { key: "by", title: "Who", render: ({ requestedBy }) => requestedBy, wideOnly: true },
    {
      key: "revert",
      title: "Undo",
      align: "right",
      wideOnly: true,
      render: (fault) =>
        fault.isLive ? <RevertButton fault={fault} onChange={props.onChange} /> : null,
    },
  ];
}

function FaultState({ fault }: { readonly fault: HardwareFaultView }) {
  return (
    <>
      <StateBadge state={fault.state} />
      {isLeft(fault) ? (
        <div>
          <Badge tone="fail" sign="!" title={fault.left.join("; ")}>
            not wholly undone
          </Badge>
        </div>
      ) : null}
    </>
  );
}

/** Every fault that the API still knows of. */
export function FaultTable(props: TableProps) {
  return (
    <DataTable
      caption="All hardware faults"
      columns={columnsOf(props)}
      rows={props.faults}
      rowKey={({ id }) => id}
      onRow={({ id }) => props.onOpen(id)}
      empty={
        <Empty
          title="No fault was injected yet"
          text="Plan one below. A plan changes nothing and says what each detector should do."
        />
      }
    />
  );
}
