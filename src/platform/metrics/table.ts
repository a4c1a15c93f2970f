/** One metric: everything a person who builds a dashboard or an alert needs to know. */
export interface MetricRow {
  readonly type: "counter" | "gauge" | "histogram";
  /** One sentence; ends up in `/metrics` and in docs/metrics.md. */
  readonly help: string;
  /** Label names. Their values come from closed sets, so that the number of series stays bounded. */
  readonly labels: readonly string[];
  /** Upper bounds of a histogram's buckets, in the metric's unit. */
  readonly buckets?: readonly number[];
}

/**
 * Every metric Tessera exposes. Units follow the Prometheus convention: seconds and bytes, counters
 * end in `_total`. `docs/metrics.md` is generated from this table.
 */
export const metricTable = {
  tessera_build_info: {
    type: "gauge",
    help: "Always 1; the labels say which version of Tessera runs on which Node.",
    labels: ["version", "node"],
  },
  tessera_http_request_duration_seconds: {
    type: "histogram",
    help: "Time from a request's headers to the end of its handler, by route pattern; for event streams, to the start of the stream.",
    labels: ["method", "route", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  tessera_http_requests_in_flight: {
    type: "gauge",
    help: "Requests being handled now; open event streams are counted apart.",
    labels: [],
  },
  tessera_http_errors_total: {
    type: "counter",
    help: "Requests answered with a problem, by error code.",
    labels: ["code"],
  },
  tessera_http_rate_limited_total: {
    type: "counter",
    help: "Requests refused because their caller made too many, by what there were too many of.",
    labels: ["kind"],
  },
  tessera_http_not_modified_total: {
    type: "counter",
    help: "Reads answered with 304 because the caller had the same answer already.",
    labels: [],
  },
  tessera_http_event_streams: {
    type: "gauge",
    help: "Event streams open now.",
    labels: [],
  },
  tessera_http_events_published_total: {
    type: "counter",
    help: "Events published to the event streams, by type.",
    labels: ["type"],
  },
  tessera_http_event_streams_dropped_total: {
    type: "counter",
    help: "Event streams closed because their reader was too slow.",
    labels: [],
  },
  tessera_store_info: {
    type: "gauge",
    help: "Always 1; the labels say which store is in use and the version of its schema.",
    labels: ["engine", "schema_version"],
  },
  tessera_store_up: {
    type: "gauge",
    help: "1 when the store answered at this scrape, 0 when it did not.",
    labels: [],
  },
  tessera_store_answer_seconds: {
    type: "gauge",
    help: "How long the store took to answer the query of this scrape.",
    labels: [],
  },
  tessera_doctor_finding: {
    type: "gauge",
    help: "1 for the state each probe was found in by the last doctor run, 0 for its other states.",
    labels: ["probe", "state"],
  },
  tessera_doctor_runs_total: {
    type: "counter",
    help: "Doctor runs completed since the start of the process.",
    labels: [],
  },
  tessera_doctor_run_duration_seconds: {
    type: "gauge",
    help: "How long the last doctor run took.",
    labels: [],
  },
  tessera_doctor_last_run_timestamp_seconds: {
    type: "gauge",
    help: "When the last doctor run ended, in seconds since the Unix epoch.",
    labels: [],
  },
  tessera_validation_runs_total: {
    type: "counter",
    help: "Runs that ended since the start of the process, by how they ended.",
    labels: ["cluster", "provenance", "outcome"],
  },
  tessera_validation_verdicts_total: {
    type: "counter",
    help: "Conclusions drawn from runs since the start of the process; a run may get a newer one.",
    labels: ["cluster", "provenance", "verdict"],
  },
  tessera_validation_nodes: {
    type: "gauge",
    help: "Nodes by what is known of them: `pass` when every check passed and none too long ago, `stale` when the evidence of a pass is too old, `incomplete` when checks of it never completed, `skipped` when nothing was tested; else the worst of their newest runs.",
    labels: ["cluster", "provenance", "status"],
  },
  tessera_validation_coverage_ratio: {
    type: "gauge",
    help: "Share of the nodes with complete evidence that is fresh enough; absent without nodes.",
    labels: ["cluster", "provenance"],
  },
  tessera_validation_overdue_nodes: {
    type: "gauge",
    help: "Nodes without such evidence, by whether they are `free`, `busy`, `untestable`, `under-test` or `unseen`: nobody can tell.",
    labels: ["cluster", "provenance", "state"],
  },
  tessera_validation_runs_in_flight: {
    type: "gauge",
    help: "Runs without a result.",
    labels: ["cluster", "provenance"],
  },
  tessera_validation_leading: {
    type: "gauge",
    help: "1 when this process leads the cluster's validation, 0 when it does not.",
    labels: ["cluster", "provenance"],
  },
  tessera_validation_oldest_evidence_seconds: {
    type: "gauge",
    help: "Age of the oldest evidence that still counts, over the nodes that have any; in the cluster's own time.",
    labels: ["cluster", "provenance"],
  },
  tessera_validation_nodes_closed: {
    type: "gauge",
    help: "Nodes that Tessera keeps closed to users.",
    labels: ["cluster", "provenance"],
  },
  tessera_validation_postponed_runs: {
    type: "gauge",
    help: "Runs that were due at the last plan and were not begun, by the guard rail that held them back; at most 100 are counted.",
    labels: ["cluster", "provenance", "rail"],
  },
  tessera_validation_breaker_open: {
    type: "gauge",
    help: "1 while failed nodes stay open to users because closing them would go too far, 0 otherwise; left out until its leader has decided.",
    labels: ["cluster", "provenance"],
  },
  tessera_validation_troubles: {
    type: "gauge",
    help: "Steps of the cluster's loop that do not work now.",
    labels: ["cluster", "provenance"],
  },
  tessera_experiments_total: {
    type: "counter",
    help: "Experiments that ended since the start of the process, by world and outcome.",
    labels: ["world", "outcome"],
  },
  tessera_experiments_running: {
    type: "gauge",
    help: "Experiments under way in this process.",
    labels: [],
  },
  tessera_hardware_api_up: {
    type: "gauge",
    help: "1 while the fault API can be asked, 0 otherwise; absent where none is configured.",
    labels: [],
  },
  tessera_hardware_faults_live: {
    type: "gauge",
    help: "Hardware faults in force; absent where nobody can tell.",
    labels: [],
  },
  tessera_hardware_faults_left: {
    type: "gauge",
    help: "Hardware faults that could not be undone; absent where nobody can tell.",
    labels: [],
  },
  tessera_notifications_total: {
    type: "counter",
    help: "Attempts to deliver a message, by target and outcome: delivered, retried, given-up.",
    labels: ["target", "outcome"],
  },
  tessera_notifications_waiting: {
    type: "gauge",
    help: "News not delivered yet, by target.",
    labels: ["target"],
  },
  tessera_notifications_oldest_waiting_seconds: {
    type: "gauge",
    help: "How long the oldest undelivered news of a target has waited; 0 when none waits.",
    labels: ["target"],
  },
  process_cpu_seconds_total: {
    type: "counter",
    help: "User and system CPU time spent by the process.",
    labels: [],
  },
  process_resident_memory_bytes: {
    type: "gauge",
    help: "Resident memory of the process.",
    labels: [],
  },
  process_start_time_seconds: {
    type: "gauge",
    help: "When the process started, in seconds since the Unix epoch.",
    labels: [],
  },
  process_open_fds: {
    type: "gauge",
    help: "Open file descriptors; only on Linux.",
    labels: [],
  },
  nodejs_heap_used_bytes: {
    type: "gauge",
    help: "JavaScript heap in use.",
    labels: [],
  },
  nodejs_external_memory_bytes: {
    type: "gauge",
    help: "Memory held by JavaScript objects outside the heap, array buffers included.",
    labels: [],
  },
  nodejs_eventloop_lag_seconds: {
    type: "gauge",
    help: "How late the event loop ran since the last scrape, by percentile; percentile 100 is the worst.",
    labels: ["percentile"],
  },
} as const satisfies Record<string, MetricRow>;

export type MetricName = keyof typeof metricTable;

/** The metrics of one type. */
export type MetricNameOf<Type extends MetricRow["type"]> = {
  [Name in MetricName]: (typeof metricTable)[Name]["type"] extends Type ? Name : never;
}[MetricName];

/** The labels a metric takes: all of them, each time. */
export type LabelsOf<Name extends MetricName> = {
  readonly [Label in (typeof metricTable)[Name]["labels"][number]]: string | number;
};
