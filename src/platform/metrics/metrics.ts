import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { type LabelsOf, type MetricNameOf, type MetricRow, metricTable } from "./table.ts";

/** The metrics of one app. Two apps in one process do not share anything. */
export interface Metrics {
  /** Adds to a counter; by 1 unless told. */
  count<Name extends MetricNameOf<"counter">>(
    name: Name,
    labels: LabelsOf<Name>,
    by?: number,
  ): void;
  /** Sets a gauge. */
  set<Name extends MetricNameOf<"gauge">>(name: Name, labels: LabelsOf<Name>, value: number): void;
  /** Adds one observation to a histogram, in the metric's unit. */
  observe<Name extends MetricNameOf<"histogram">>(
    name: Name,
    labels: LabelsOf<Name>,
    value: number,
  ): void;
  /** Forgets every series of a gauge: what is not known is not shown, least of all as 0. */
  clear(name: MetricNameOf<"gauge">): void;
  /** Registers what must be refreshed before each scrape. A collector that throws is skipped. */
  onScrape(collect: () => void | Promise<void>): void;
  /** The text for Prometheus, after refreshing what is collected at scrape time. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** Makes every metric of the table, in a registry of its own. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const counters = new Map<string, Counter>();
  const gauges = new Map<string, Gauge>();
  const histograms = new Map<string, Histogram>();
  for (const [name, row] of Object.entries<MetricRow>(metricTable)) {
    const common = { name, help: row.help, labelNames: [...row.labels], registers: [registry] };
    if (row.type === "counter") counters.set(name, new Counter(common));
    else if (row.type === "gauge") gauges.set(name, withoutZero(new Gauge(common)));
    else histograms.set(name, new Histogram({ ...common, buckets: [...(row.buckets ?? [])] }));
  }
  const collectors: (() => void | Promise<void>)[] = [];
  return {
    count: (name, labels, by = 1) => counters.get(name)?.inc(labels, by),
    set: (name, labels, value) => gauges.get(name)?.set(labels, value),
    observe: (name, labels, value) => histograms.get(name)?.observe(labels, value),
    clear: (name) => {
      const gauge = gauges.get(name);
      gauge?.reset();
      if (gauge !== undefined) withoutZero(gauge);
    },
    onScrape: (collect) => {
      collectors.push(collect);
    },
    text: async () => {
      await Promise.allSettled(collectors.map(async (collect) => collect()));
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

/** A gauge without labels starts at 0, which would be a claim nobody has made yet. */
function withoutZero(gauge: Gauge): Gauge {
  gauge.remove({});
  return gauge;
}
