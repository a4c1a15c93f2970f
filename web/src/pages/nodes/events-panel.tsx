import { useState } from "preact/hooks";
import type { NodeDetailView } from "../../../../src/control/api/nodes.ts";
import { Badge, Button, Empty, Panel, Sentence, Time, type Tone } from "../../ui/index.ts";

const shownAtFirst = 15;
const toneOfKind: Readonly<Record<string, Tone>> = {
  kernel: "fail",
  cordoned: "suspect",
  closed: "suspect",
  opened: "pass",
  uncordoned: "pass",
  incident: "fail",
};

/** What happened to the node besides its runs: errors of the kernel, closings, people's words. */
export function EventsPanel(props: { readonly events: NodeDetailView["events"] }) {
  const [kind, setKind] = useState<string>();
  const [isAll, setAll] = useState(false);
  const kinds = [...new Set(props.events.map((event) => event.kind))].toSorted();
  const fitting = props.events.filter((event) => kind === undefined || event.kind === kind);
  const shown = isAll ? fitting : fitting.slice(0, shownAtFirst);
  return (
    <Panel
      title="Events"
      hint="Errors of the kernel, closings, and what people said."
      actions={kinds.length > 1 && <Kinds kinds={kinds} chosen={kind} onChoose={setKind} />}
    >
      {shown.length === 0 ? (
        <Empty title="No events" text="None of this node is known." />
      ) : (
        <ol class="node-events">
          {shown.map((event) => (
            <li key={`${event.at} ${event.kind} ${event.text}`}>
              <Time at={event.at} />
              <Badge tone={toneOfKind[event.kind] ?? "info"}>{event.kind}</Badge>
              <span>
                <Sentence text={event.text} />
              </span>
            </li>
          ))}
        </ol>
      )}
      {fitting.length > shown.length && (
        <Button small onClick={() => setAll(true)}>
          Show all {fitting.length}
        </Button>
      )}
    </Panel>
  );
}

function Kinds(props: {
  readonly kinds: readonly string[];
  readonly chosen: string | undefined;
  onChoose(kind: string | undefined): void;
}) {
  return (
    <select
      aria-label="Kind of event"
      value={props.chosen ?? ""}
      onChange={(event) => props.onChoose(event.currentTarget.value || undefined)}
    >
      <option value="">all kinds</option>
      {props.kinds.map((kind) => (
        <option key={kind} value={kind}>
          {kind}
        </option>
      ))}
    </select>
  );
}
