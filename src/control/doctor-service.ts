import assert from "node:assert/strict";
import {
  countStates,
  type DoctorFinding,
  findingStates,
  type Probe,
  runDoctor,
} from "../platform/doctor/index.ts";
import { TesseraError } from "../platform/errors/index.ts";
import {
  type DoctorHistoryView,
  type DoctorPort,
  type DoctorRunView,
  type DoctorView,
  type EventHub,
  type FindingView,
  measured,
} from "../platform/http/index.ts";
import { redactValue } from "../platform/log/index.ts";
import type { Metrics } from "../platform/metrics/index.ts";
import { findings, type Store } from "../platform/store/index.ts";
import type { Clock } from "../platform/time/clock.ts";
import { loadHistory } from "./findings-history.ts";

export interface DoctorServiceOptions {
  readonly probes: readonly Probe[];
  /** The environment probes see. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly store: Store;
  readonly hub: EventHub;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/** The doctor as the control plane keeps it: one run at a time, each recorded and made known. */
export class DoctorService implements DoctorPort {
  readonly #options: DoctorServiceOptions;
  readonly #stop = new AbortController();
  #current: Promise<DoctorRunView> | undefined;
  #next: Promise<DoctorRunView> | undefined;
  #lastRun: DoctorRunView | null = null;
  #history:
    | { readonly of: DoctorRunView | null; readonly view: Promise<DoctorHistoryView> }
    | undefined;

  constructor(options: DoctorServiceOptions) {
    this.#options = options;
  }

  view(): DoctorView {
    return { running: this.#current !== undefined, lastRun: this.#lastRun };
  }

  /** The history changes with each run, not with each visitor. */
  history(): Promise<DoctorHistoryView> {
    const of = this.#lastRun;
    if (this.#history?.of !== of || this.#history === undefined) {
      const view = loadHistory(this.#options.store, of?.findings ?? []);
      this.#history = { of, view };
      // Whoever asks next may have more luck with the store.
      view.catch(() => {
        this.#history = undefined;
      });
    }
    return this.#history.view;
  }

  /**
   * What the machine can do from now on. A run that is under way may have looked before the caller
   * repaired something, so the caller gets the one after it, shared with all who wait for that.
   */
  run(): Promise<DoctorRunView> {
    if (this.#current === undefined) return this.#start();
    this.#next ??= this.#current.catch(() => undefined).then(() => this.#start());
    return this.#next;
  }

  /** Ends a run that is under way, and every later one; who waits for it gets E_INTERRUPTED. */
  stop(): void {
    const signal = "the stop of the control plane";
    this.#stop.abort(new TesseraError("E_INTERRUPTED", { signal }));
  }

  #start(): Promise<DoctorRunView> {
    assert(this.#current === undefined, "one doctor at a time");
    this.#next = undefined;
    this.#current = this.#visit().finally(() => {
      this.#current = undefined;
    });
    return this.#current;
  }

  async #visit(): Promise<DoctorRunView> {
    const { clock, env, probes, hub, store } = this.#options;
    const startedAtMs = clock.nowMs();
    const startMs = clock.monotonicMs();
    hub.publish("doctor.started", {});
    const found = await runDoctor(probes, {
      clock,
      env,
      signal: this.#stop.signal,
      onFinding: (finding) => hub.publish("doctor.finding", toFindingView(finding)),
    });
    const finishedAtMs = clock.nowMs();
    const run = {
      startedAt: new Date(startedAtMs).toISOString(),
      finishedAt: new Date(finishedAtMs).toISOString(),
      duration: measured(
        (clock.monotonicMs() - startMs) / 1000,
        "seconds",
        "from the first probe to the last, on this host",
      ),
      counts: countStates(found),
      findings: found.map(toFindingView),
    };
    this.#lastRun = run;
    this.#measure(run, finishedAtMs);
    await findings.record(store.db, {
      atMs: finishedAtMs,
      findings: found.map((finding) => ({ probe: finding.id, finding })),
    });
    // Somebody may have read the history before this run was in it.
    this.#history = undefined;
    const { findings: _, ...summary } = run;
    hub.publish("doctor.finished", summary);
    return run;
  }

  #measure(run: DoctorRunView, finishedAtMs: number): void {
    const { metrics } = this.#options;
    metrics.clear("tessera_doctor_finding");
    for (const { probe, state } of run.findings) {
      for (const other of findingStates) {
        metrics.set("tessera_doctor_finding", { probe, state: other }, other === state ? 1 : 0);
      }
    }
    metrics.count("tessera_doctor_runs_total", {});
    metrics.set("tessera_doctor_run_duration_seconds", {}, run.duration.value);
    metrics.set("tessera_doctor_last_run_timestamp_seconds", {}, finishedAtMs / 1000);
  }
}

function toFindingView(finding: DoctorFinding): FindingView {
  const { id, title, state, required, neededFor, reason, hint, evidence, durationMs } = finding;
  return {
    probe: id,
    title,
    state,
    required,
    neededFor,
    reason,
    hint: hint ?? null,
    duration: measured(durationMs / 1000, "seconds", "this probe, on this host"),
    // Fit for JSON and, as a second fence, without what looks like a secret.
    evidence: redactValue(evidence ?? {}) as Record<string, unknown>,
  };
}
