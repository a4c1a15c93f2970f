import { useRef, useState } from "preact/hooks";
import type { HardwareFaultsView } from "../../../../src/control/api/faults.ts";
import { useQuery } from "../../api/use-query.ts";
import { queryParam, setQuery } from "../../router.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, QueryView } from "../../ui/notes.tsx";
import { Page } from "../../ui/page.tsx";
import { listCursor, Pager } from "../../ui/pager.tsx";
import { Panel } from "../../ui/panel.tsx";
import { FaultDetail } from "./fault-detail.tsx";
import { FaultTable } from "./fault-table.tsx";
import { brokenNow, isLeft } from "./fault-words.ts";
import { KnownAt } from "./lease-clock.tsx";
import { NewFault } from "./new-fault.tsx";
import { NotAvailable } from "./not-available.tsx";
import { type FaultWish, shownFault } from "./shown-fault.ts";
import { Unanswered } from "./unanswered.tsx";
import { XidList } from "./xid-list.tsx";
import "./faults.css";

/** Hardware faults on live deployments: what is broken now, what detectors made of it, and the next one. */
export default function FaultsPage() {
  const query = useQuery<HardwareFaultsView>("faults", {
    query: { cursor: listCursor() },
    on: ["fault.changed"],
    everyMs: 30_000,
  });
  return (
    <Page
      title="Hardware faults"
      lede="Make a live service lose a GPU, and hold what every detector does against what it should do."
    >
      <QueryView query={query} what="the list of faults">
        {(view) =>
          view.available || view.unanswered ? (
            <Known view={view} atMs={query.atMs} onChange={query.reload} />
          ) : (
            <NotAvailable reason={view.reason} brokenNow={brokenNow(view.live, view.left)} />
          )
        }
      </QueryView>
    </Page>
  );
}

/** What is known of faults: where the fault API does not answer, what it last said, with that moment. */
function Known(props: {
  readonly view: HardwareFaultsView;
  readonly atMs: number | undefined;
  readonly onChange: () => void;
}) {
  const { view, atMs, onChange } = props;
  const last = useRef<Pick<typeof props, "view" | "atMs"> | undefined>(undefined);
  if (view.available) last.current = { view, atMs };
  const known = last.current;
  return (
    <div class="stack">
      {view.unanswered ? (
        <Unanswered reason={view.reason} knownAtMs={known?.atMs} retry={onChange} />
      ) : null}
      {known === undefined ? (
        <XidList />
      ) : (
        <KnownAt.Provider value={known.atMs}>
          <Faults
            view={view.unanswered ? { ...known.view, live: null, left: null, reason: "" } : view}
            knownAtMs={known.atMs}
            onChange={onChange}
          />
        </KnownAt.Provider>
      )}
    </div>
  );
}

function Faults(props: {
  readonly view: HardwareFaultsView;
  readonly knownAtMs: number | undefined;
  readonly onChange: () => void;
}) {
  const { faults, live, left, reason } = props.view;
  const [made, setMade] = useState<FaultWish["made"]>(undefined);
  const { knownAtMs } = props;
  const chosen = queryParam("fault");
  const { fault: shown, missing } = shownFault(faults, { chosen, made, knownAtMs });
  const place = (fault: (typeof faults)[number]) => (fault.isLive ? 0 : isLeft(fault) ? 1 : 2);
  const rows = faults.toSorted((a, b) => place(a) - place(b));
  return (
    <div class="stack">
      <p
        class={(live ?? 0) + (left ?? 0) > 0 ? "faults-now faults-live" : "faults-now"}
        role="status"
      >
        <strong>{brokenNow(live, left)}</strong> <span class="muted">{reason}</span>
      </p>
      <Panel
        title="Faults"
        hint="Those in force first, then what could not be undone. Each undoes itself when its lease runs out."
        flush
      >
        <FaultTable
          faults={rows}
          shown={shown?.id}
          onOpen={(id) => setQuery({ fault: id })}
          onChange={props.onChange}
        />
        <Pager next={props.view.next} />
      </Panel>
      {shown === undefined ? null : <FaultDetail fault={shown} onChange={props.onChange} />}
      {missing === undefined ? null : <Missing id={missing} />}
      <NewFault
        onInjected={(id) => {
          setMade({ id, atMs: Date.now() });
          setQuery({ fault: id, cursor: undefined });
          props.onChange();
        }}
      />
    </div>
  );
}

/** Said instead of showing another fault than the one that was asked for. */
function Missing({ id }: { readonly id: string }) {
  return (
    <Panel title="Not in this list" hint={<code>{id}</code>}>
      <Empty
        title="The fault that was asked for is not among those above"
        text="It may stand on another page of the list, or the fault API knows it no more."
        action={
          <Button onClick={() => setQuery({ fault: undefined })}>Show what is in force</Button>
        }
      />
    </Panel>
  );
}
