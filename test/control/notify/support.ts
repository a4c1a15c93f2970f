import { Notifier, type NotifierOptions } from "../../../src/control/notify/notifier.ts";
import type { NotificationTarget } from "../../../src/platform/config/sections/notifications.ts";
import { createLogger } from "../../../src/platform/log/index.ts";
import { createMetrics } from "../../../src/platform/metrics/index.ts";
import { createRng } from "../../../src/platform/rng/index.ts";
import { openStore, type Store } from "../../../src/platform/store/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import type { Provenance, Verdict } from "../../../src/platform/words.ts";
import { openHistory } from "../../../src/validation/history/index.ts";
import { tempDir } from "../../support/temp-dir.ts";

export const clock = createRealClock();
export const day = 86_400_000;
export const settings: NotifierOptions["settings"] = {
  targets: [],
  simulated: false,
  groupOver: 5,
  giveUpAfterMs: day,
};

export async function newStore(): Promise<Store> {
  return await openStore({ url: `sqlite:${await tempDir()}/tessera.db`, clock });
}

/** A target that is a webhook. */
export const hook = (url: string) => ({ name: "hook", kind: "webhook" as const, url });

let runs = 0;

interface Concluded {
  readonly node: string;
  readonly verdict: Verdict;
  readonly check?: string;
  readonly cluster?: string;
  readonly provenance?: Provenance;
}

/** Records completed runs of nodes and what was concluded from them, all at once. */
export async function conclude(store: Store, ...all: readonly Concluded[]): Promise<void> {
  await openHistory(store).recordRuns(all.map(runOf));
}

function runOf({ node, verdict, check = "gemm", cluster = "prod", ...rest }: Concluded) {
  runs++;
  const runId = `run-${runs}`;
  // What is older than its target is no news.
  const plannedAtMs = clock.nowMs() + runs * 1000;
  return {
    intent: {
      id: runId,
      cluster,
      node,
      check,
      plannedAtMs,
      jobName: runId,
      purpose: "routine" as const,
      reason: "a test",
      policy: "none",
      sku: "h100",
      rack: "r1",
      fileSystem: "",
      gpus: 8,
      gpuHours: 1,
      provenance: rest.provenance ?? "measured",
    },
    result: {
      runId,
      outcome: "completed" as const,
      endedAtMs: plannedAtMs + 500,
      figures: {},
      hardFacts: [],
      facts: {},
    },
    origin: "pod" as const,
    verdict: {
      runId,
      atMs: plannedAtMs + 600,
      verdict,
      reason: "412 TFLOP/s is below 540 TFLOP/s.",
      findings: [],
    },
  };
}

/** An experiment that is over, as the store keeps it. */
export function experimentRow(id: string, outcome: "pass" | "inconclusive" | "fail", atMs: number) {
  return {
    id,
    outcome,
    title: id,
    world: "sim",
    seed: "1",
    state: "finished" as const,
    reason: "The job did not recover.",
    faults: "[]",
    started_by: "a test",
    started_at: atMs - 1000,
    ended_at: atMs,
    holder: "here",
    seen_at: atMs,
    text: "",
    plan: "{}",
  };
}

export interface TestNotifier extends AsyncDisposable {
  readonly notifier: Notifier;
  readonly logged: () => string;
  readonly metrics: ReturnType<typeof createMetrics>;
  readonly changes: readonly string[];
}

/** A notifier that looks often, and stops at the end of the test. */
export function startNotifier(
  store: Store,
  target: NotificationTarget | readonly NotificationTarget[],
  options: Partial<NotifierOptions> & { readonly holder?: string } = {},
): TestNotifier {
  const lines: string[] = [];
  const changes: string[] = [];
  const metrics = createMetrics();
  const targets = "name" in target ? [target] : [...target];
  const notifier = new Notifier({
    sources: {},
    env: {},
    store,
    clock,
    rng: createRng("notify").stream("test"),
    log: createLogger({
      level: "debug",
      format: "json",
      stream: { write: (text) => lines.push(text) },
      clock,
    }),
    metrics,
    holder: "one",
    onChange: (name) => changes.push(name),
    everyMs: 20,
    ...options,
    settings: { ...settings, ...options.settings, targets },
  });
  notifier.start();
  return {
    notifier,
    metrics,
    changes,
    logged: () => lines.join(""),
    [Symbol.asyncDispose]: () => notifier.stop(),
  };
}

/** Waits until what the store has before is no longer news. */
export async function isListening(store: Store): Promise<boolean> {
  const rows = await store.db.selectFrom("notification_cursors").select("name").execute();
  return ["run_verdicts", "node_events", "experiments"].every((name) =>
    rows.some((row) => row.name === name),
  );
}
