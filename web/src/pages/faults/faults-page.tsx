import type { HardwareFaultsView } from "../../../../src/control/api/faults.ts";
import { useQuery } from "../../api/use-query.ts";
import { queryParam, setQuery } from "../../router.ts";
import { QueryView } from "../../ui/notes.tsx";
import { Page } from "../../ui/page.tsx";
import { listCursor, Pager } from "../../ui/pager.tsx";
import { Panel } from "../../ui/panel.tsx";
import { FaultDetail } from "./fault-detail.tsx";
import { FaultTable } from "./fault-table.tsx";
import { brokenNow, isLeft } from "./fault-words.ts";
import { NewFault } from "./new-fault.tsx";
import { NotAvailable } from "./not-available.tsx";
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
          view.available ? (
            <Faults view={view} onChange={query.reload} />
          ) : (
            <NotAvailable reason={view.reason} />
          )
        }
      </QueryView>
    </Page>
  );
}

function Faults(props: { readonly view: HardwareFaultsView; readonly onChange: () => void }) {
  const { faults, live, left, reason } = props.view;
  const chosen = queryParam("fault");
  const shown = faults.find(({ id }) => id === chosen) ?? faults.find(({ isLive }) => isLive);
  const place = (fault: (typeof faults)[number]) => (fault.isLive ? 0 : isLeft(fault) ? 1 : 2);
  const rows = faults.toSorted((a, b) => place(a) - place(b));
  return (
    <div class="stack">
      <p class={live + left > 0 ? "faults-now faults-live" : "faults-now"} role="status">
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
      <NewFault
        onInjected={(id) => {
          setQuery({ fault: id });
          props.onChange();
        }}
      />
    </div>
  );
}
