import type { OverviewView } from "../../../../src/control/api/overview.ts";
import { type QueryResult, useQuery } from "../../api/use-query.ts";
import { Field } from "../../ui/index.ts";

/** The clusters there are, for pages that show one of them. */
export function useClusters(): QueryResult<OverviewView> {
  return useQuery<OverviewView>("overview", { on: ["status"] });
}

/** What is shown before anybody chose: the largest, which most people came for. */
export function largestCluster(view: OverviewView | undefined): string | undefined {
  const sorted = view?.clusters.toSorted((a, b) => b.nodes.total - a.nodes.total);
  return sorted?.[0]?.name;
}

/** Chooses one of several clusters; with one there is nothing to choose. */
export function ClusterPicker(props: {
  readonly clusters: readonly string[];
  readonly current: string | undefined;
  onChoose(cluster: string): void;
}) {
  const { clusters, current } = props;
  if (clusters.length < 2) return null;
  return (
    <Field label="Cluster" inline>
      <select value={current} onChange={(event) => props.onChoose(event.currentTarget.value)}>
        {clusters.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}
