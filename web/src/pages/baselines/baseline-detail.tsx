import { useEffect, useRef } from "preact/hooks";
import type { BaselineView } from "../../../../src/control/api/baselines.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatCount, formatNumber } from "../../format.ts";
import { setQuery } from "../../router.ts";
import {
  Button,
  type Column,
  DataTable,
  Panel,
  ProvenanceTag,
  QueryView,
  StateBadge,
  Time,
} from "../../ui/index.ts";
import { FactList } from "../runs/fact-list.tsx";
import { BaselineActions } from "./baseline-actions.tsx";

/** One baseline: its figures, what it was learned from, and what may be done with it. */
export function BaselineDetail({ id, onChanged }: { readonly id: string; onChanged(): void }) {
  const query = useQuery<BaselineView>(`baselines/${encodeURIComponent(id)}`, {
    on: ["validation.changed"],
  });
  const place = useRef<HTMLDivElement>(null);
  // It stands above the list: whoever opened it there without a mouse would not find it.
  useEffect(() => place.current?.focus(), [id]);
  return (
    <div ref={place} tabIndex={-1}>
      <Panel
        title={query.data === undefined ? "Baseline" : `${query.data.check} on ${query.data.sku}`}
        hint={query.data?.cohort}
        actions={
          <Button small onClick={() => setQuery({ id: undefined })}>
            Close
          </Button>
        }
      >
        <QueryView query={query} what="the baseline">
          {(baseline) => (
            <div class="stack">
              <div class="row">
                <StateBadge state={baseline.state} />
                <ProvenanceTag provenance={baseline.evidence} />
                <span>
                  {baseline.reason} <span class="muted">({baseline.actor})</span>
                </span>
              </div>
              <p class="small muted">
                Made <Time at={baseline.madeAt} />, changed <Time at={baseline.changedAt} />,
                expires <Time at={baseline.expiresAt} />.
              </p>
              <DataTable
                columns={columns}
                rows={Object.entries(baseline.figures)}
                rowKey={([name]) => name}
                caption="Figures of the baseline"
                empty="It has no figures."
              />
              <details>
                <summary>What it was learned from</summary>
                <FactList facts={baseline.provenance} />
              </details>
              <BaselineActions
                baseline={baseline}
                onDone={() => {
                  query.reload();
                  onChanged();
                }}
              />
            </div>
          )}
        </QueryView>
      </Panel>
    </div>
  );
}

type Figure = readonly [name: string, figure: BaselineView["figures"][string]];

const number = (value: number | null, unit: string) =>
  value === null ? "–" : `${formatNumber(value, 4)} ${unit}`;

const columns: readonly Column<Figure>[] = [
  { key: "name", title: "Figure", render: ([name]) => <code>{name}</code> },
  {
    key: "better",
    title: "Better",
    render: ([, { higherIsBetter }]) => (higherIsBetter ? "higher" : "lower"),
    wideOnly: true,
  },
  { key: "median", title: "Usual", align: "right", render: ([, f]) => number(f.median, f.unit) },
  {
    key: "sigma",
    title: "Between nodes (σ)",
    align: "right",
    render: ([, f]) => number(f.sigma, f.unit),
  },
  {
    key: "runSigma",
    title: "Between runs (σ)",
    align: "right",
    render: ([, f]) => number(f.runSigma, f.unit),
    wideOnly: true,
  },
  {
    key: "tail",
    title: "Tail",
    align: "right",
    render: ([, f]) => number(f.tail, f.unit),
    wideOnly: true,
  },
  {
    key: "from",
    title: "From",
    align: "right",
    render: ([, f]) => `${formatCount(f.nodes)} nodes, ${formatCount(f.runs)} runs`,
  },
];
