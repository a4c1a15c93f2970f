import { useEffect, useMemo } from "preact/hooks";
import type { HeatMapView } from "../../../../src/control/api/nodes.ts";
import { useQuery } from "../../api/use-query.ts";
import { countOf } from "../../format.ts";
import { navigate, type Params, pathOf, queryParam, search, setQuery } from "../../router.ts";
import { Empty, Page, ProvenanceTag, QueryView, Time, Untold } from "../../ui/index.ts";
import { ClusterPicker, largestCluster, useClusters } from "./cluster-picker.tsx";
import { readFilter, readView, standingsParam, toggled } from "./filter-query.ts";
import { Filters } from "./filters.tsx";
import { FleetTable } from "./fleet-table.tsx";
import { HeatMap } from "./heat/heat-map.tsx";
import { type HeatModel, heatModel, ofCheck } from "./heat/model.ts";
import { countStandings, searchNodes, shownNodes } from "./heat/select.ts";
import { isAbout } from "./is-about.ts";
import { Legend } from "./legend.tsx";
import { fleetEveryMs } from "./pace.ts";
import { useSame } from "./use-same.ts";
import "./fleet.css";

/** Every node of a cluster at one glance. */
export default function FleetPage({ params }: { readonly params: Params }) {
  const clusters = useClusters();
  const names = clusters.data?.clusters.map(({ name }) => name) ?? [];
  const cluster = params["cluster"];
  const first = largestCluster(clusters.data);
  useEffect(() => {
    if (cluster === undefined && first !== undefined) {
      navigate(pathOf("fleet", first) + search.peek(), { replace: true });
    }
  }, [cluster, first]);
  const query = useQuery<HeatMapView>(
    cluster === undefined ? null : `clusters/${encodeURIComponent(cluster)}/heatmap`,
    {
      on: ["validation.changed"],
      when: (_, data) => isAbout(data, cluster ?? ""),
      everyMs: fleetEveryMs,
    },
  );
  const model = useMemo(
    () => (query.data === undefined ? undefined : heatModel(query.data)),
    [query.data],
  );
  return (
    <Page
      title={cluster === undefined ? "Fleet" : `Fleet ${cluster}`}
      lede={
        model === undefined ? "Every node of a cluster at one glance." : <FleetLede model={model} />
      }
      actions={
        <ClusterPicker
          clusters={names}
          current={cluster}
          onChoose={(name) => navigate(pathOf("fleet", name))}
        />
      }
    >
      {cluster === undefined ? (
        <QueryView query={clusters} what="the clusters">
          {(view) =>
            view.clusters.length === 0 ? <NoCluster isValidating={view.validating} /> : null
          }
        </QueryView>
      ) : (
        <QueryView
          query={query}
          what="the fleet"
          skeleton={<div class="heat-canvas heat-skeleton" />}
        >
          {() => (model === undefined ? null : <Fleet cluster={cluster} model={model} />)}
        </QueryView>
      )}
    </Page>
  );
}

function FleetLede({ model }: { readonly model: HeatModel }) {
  const { provenance, at, untold } = model.view;
  if (untold !== undefined) return <ProvenanceTag provenance={provenance} />;
  return (
    <>
      {countOf(model.nodes, "node")}, {countOf(model.checks.length, "check")} each, as of{" "}
      <Time at={at} /> <ProvenanceTag provenance={provenance} />
    </>
  );
}

function NoCluster({ isValidating }: { readonly isValidating: boolean }) {
  return (
    <Empty
      title="No cluster is validated here"
      text={
        isValidating
          ? "The configuration names none. Add one under validation.clusters and start again."
          : "This process does not validate. Start it with validation switched on to see a fleet."
      }
    />
  );
}

function Fleet(props: { readonly cluster: string; readonly model: HeatModel }) {
  const { cluster } = props;
  const address = search.value;
  const view = readView(queryParam);
  const filter = useMemo(() => {
    const read = readFilter(queryParam);
    // The table comes from the server, which knows neither.
    return view === "table" ? { ...read, check: undefined, closed: undefined } : read;
  }, [address, view]);
  const model = useMemo(() => ofCheck(props.model, filter.check), [props.model, filter.check]);
  const wanted = queryParam("search") ?? "";
  const order = useSame(useMemo(() => shownNodes(model, filter), [model, filter]));
  const found = useSame(useMemo(() => searchNodes(model, wanted), [model, wanted]));
  const counts = useMemo(() => countStandings(model, filter), [model, filter]);
  const matches = found?.reduce((sum, one) => sum + one, 0);
  if (model.view.untold !== undefined) return <Untold untold={model.view.untold} />;
  if (model.nodes === 0) {
    return (
      <Empty
        title="No node seen yet"
        text="The fleet appears with the first look at the cluster."
      />
    );
  }
  return (
    <section class="fleet" aria-label="Fleet">
      <Filters
        view={view}
        filter={filter}
        search={wanted}
        racks={model.view.racks}
        skus={model.view.skus}
        checks={model.view.checks}
      />
      <Legend
        counts={counts}
        chosen={filter.standings}
        onToggle={(standing) =>
          setQuery({ standing: standingsParam(toggled(filter.standings, standing)) })
        }
      />
      <p class="sr" role="status">
        {countOf(order.length, "node")} shown{matches === undefined ? "" : `, ${matches} found`}
      </p>
      {view === "table" ? (
        <FleetTable cluster={cluster} filter={filter} search={wanted} />
      ) : order.length === 0 ? (
        <Empty title="No node fits" text="Take a filter away to see more of the fleet." />
      ) : (
        <HeatMap
          model={model}
          order={order}
          found={found}
          mode={view}
          onOpen={(node) => navigate(pathOf("nodes", cluster, node))}
        />
      )}
    </section>
  );
}
