import { messageOf } from "../../platform/errors/index.ts";
import { resourceTypes } from "../../platform/kube/index.ts";
import { sleep } from "../../platform/time/index.ts";
import type { Ledger } from "../ledger/index.ts";
import type { ChaosPlan, PlannedFault, PodsWorkload } from "../plan/index.ts";
import type { RunRecord } from "../record/index.ts";
import type { WorldRunOptions } from "../world.ts";
import { KubernetesInjector } from "./injector.ts";
import type { KubernetesWorldOptions } from "./kubernetes-options.ts";
import { findLeftovers } from "./leftovers.ts";
import { marks, networkPolicies } from "./objects.ts";
import { PodLogs } from "./pod-logs.ts";
import type { PodWatch } from "./pod-watch.ts";
import { ReadinessBook } from "./readiness-book.ts";
import { createKubernetesUndo } from "./undo.ts";

export interface PodsRunParts {
  readonly plan: ChaosPlan;
  readonly workload: PodsWorkload;
  readonly world: KubernetesWorldOptions;
  readonly run: string;
  readonly ledger: Ledger;
  readonly watch: PodWatch;
  readonly options: WorldRunOptions;
  readonly isReachable: KubernetesWorldOptions["isReachable"] | undefined;
  /** Pods that were ready when it began. */
  readonly wanted: number;
  readonly notes: readonly string[];
}

const lookEveryMsDefault = 1000;
const leaseMsDefault = 60_000;
/** All pods ready for so many looks in a row, after the last fault: they are back. */
const calmLooks = 3;

/** One run against pods that somebody else runs. */
export class PodsRun {
  readonly #parts: PodsRunParts;
  readonly #startMs: number;
  readonly #book: ReadinessBook;
  readonly #logs: PodLogs | undefined;
  readonly #injector: KubernetesInjector;
  readonly #over = new AbortController();
  readonly #notes: string[];
  #digest: string | null = null;
  #steps = 0;

  constructor(parts: PodsRunParts) {
    const { plan, workload, world, run, ledger, watch, options, wanted, notes } = parts;
    this.#parts = parts;
    this.#startMs = world.clock.monotonicMs();
    this.#notes = [...notes];
    this.#book = new ReadinessBook({
      wanted,
      hasProgress: workload.progress,
      onEvent: options.onEvent ?? (() => {}),
    });
    this.#logs = workload.progress ? new PodLogs(world.client, workload.namespace) : undefined;
    const nowUs = () => this.#nowUs();
    this.#injector = new KubernetesInjector(
      {
        clock: world.clock,
        context: {
          client: world.client,
          nodeHook: world.nodeHook,
          hardware: world.hardware,
          isReachable: parts.isReachable,
          namespace: workload.namespace,
          run,
          pods: () => watch.pods,
          pod: (name) => watch.pod(name),
          leaseUntilMs: () => world.clock.nowMs() + (world.leaseMs ?? leaseMsDefault),
        },
        ledger,
        undo: createKubernetesUndo(world.client, world),
        nowUs,
        onNote: (note) => this.#notes.push(note),
        over: this.#over.signal,
      },
      plan.faults,
    );
  }

  async carryOut(): Promise<RunRecord> {
    const { plan, world, watch, ledger } = this.#parts;
    const unsubscribe = watch.onChange(() => {
      if (watch.isLive) this.#book.changed(watch.pods, this.#nowUs());
    });
    this.#book.looked(watch.pods, this.#nowUs());
    const renewing = this.#renew();
    let open = plan.faults.length;
    const faults = plan.faults.map((fault) => this.#carryOutFault(fault).finally(() => open--));
    const end = await this.#look(() => open === 0);
    this.#over.abort(new Error("the run is over"));
    await Promise.all([...faults, renewing]);
    const left = await ledger.revertAll(createKubernetesUndo(world.client, world));
    this.#injector.markReverted(left);
    const residualFaults = [
      ...left.map(
        ({ fault, target, problem }) => `${fault} of ${target}: ${problem ?? "not undone"}`,
      ),
      ...(await this.#marked()),
    ];
    unsubscribe();
    return this.#record(end, residualFaults);
  }

  async #carryOutFault(fault: PlannedFault): Promise<void> {
    const { clock } = this.#parts.world;
    const { signal } = this.#over;
    try {
      if (fault.trigger.kind !== "time") return;
      await sleep(clock, fault.trigger.atUs / 1000, signal);
      await this.#injector.inject(fault);
    } catch (error) {
      if (!signal.aborted) this.#notes.push(`${fault.id} failed: ${messageOf(error)}`);
    }
  }

  /** Looks at the pods until all is over. */
  async #look(areFaultsOver: () => boolean): Promise<RunRecord["end"]> {
    const { plan, world, watch, options } = this.#parts;
    const { clock, lookEveryMs = lookEveryMsDefault } = world;
    const endMs = this.#startMs + plan.limits.durationUs / 1000;
    let calm = 0;
    while (clock.monotonicMs() < endMs) {
      try {
        await sleep(clock, lookEveryMs, options.signal);
        // A view that is not live says nothing: the look is left out, and the gap shows.
        if (watch.isLive) this.#book.looked(watch.pods, this.#nowUs());
        await this.#readLogs(options.signal);
      } catch (error) {
        if (!options.signal.aborted) throw error;
        this.#notes.push(`interrupted: ${messageOf(options.signal.reason)}`);
        return "aborted";
      }
      calm = areFaultsOver() && this.#book.wholeLooks > 0 ? calm + 1 : 0;
      // A fault that lasts to the end is undone at the end; nobody waits for it to be over.
      if (calm >= calmLooks) return "finished";
    }
    return "cut";
  }

  async #readLogs(signal: AbortSignal): Promise<void> {
    if (this.#logs === undefined) return;
    const { watch } = this.#parts;
    const { generation } = this.#book;
    for (const line of await this.#logs.newLines(watch.pods, signal)) {
      const { step, units = 1, digest, finish } = line;
      if (step !== undefined) {
        this.#steps++;
        this.#digest = digest ?? null;
        this.#book.put({ kind: "step", generation, step, units }, this.#nowUs());
      }
      if (finish?.digest !== undefined) this.#digest = finish.digest;
    }
  }

  /** Both the ledger and the objects say how long others have to leave us alone. */
  async #renew(): Promise<void> {
    const { ledger, world } = this.#parts;
    const leaseMs = world.leaseMs ?? leaseMsDefault;
    const { signal } = this.#over;
    while (!signal.aborted) {
      await sleep(world.clock, leaseMs / 3, signal).catch(() => {});
      if (signal.aborted) return;
      try {
        await ledger.renew();
        await this.#renewMarks(world.clock.nowMs() + leaseMs);
      } catch (error) {
        this.#notes.push(`a lease could not be renewed: ${messageOf(error)}`);
      }
    }
  }

  async #renewMarks(untilMs: number): Promise<void> {
    const { world, workload, run } = this.#parts;
    const { client } = world;
    const merge = { metadata: { annotations: { [marks.leaseUntil]: String(untilMs) } } };
    for (const { kind, name, run: of } of await findLeftovers(client, workload.namespace)) {
      if (of !== run || kind === "pod") continue;
      if (kind === "node") await client.patch(resourceTypes.nodes, { name }, { merge });
      else await client.patch(networkPolicies, { namespace: workload.namespace, name }, { merge });
    }
  }

  /** An independent look: what in the cluster still bears the mark of this run. */
  async #marked(): Promise<readonly string[]> {
    const { world, workload, run } = this.#parts;
    try {
      const all = await findLeftovers(world.client, workload.namespace);
      return all.flatMap(({ kind, name, run: of }) =>
        of === run ? [`${kind} ${name} still bears the mark of this run`] : [],
      );
    } catch (error) {
      return [`nobody could look for what is left: ${messageOf(error)}`];
    }
  }

  #record(end: RunRecord["end"], residualFaults: readonly string[]): RunRecord {
    const { plan, workload } = this.#parts;
    const endUs = this.#nowUs();
    const stateDigest = end === "finished" ? this.#digest : null;
    if (end === "finished") {
      this.#book.put({ kind: "finish", stateDigest: stateDigest ?? "unknown" }, endUs);
    }
    const about = workload.progress
      ? `${this.#steps} lines of progress were read from the logs of the pods`
      : "a step is a look at which as many pods were ready as at the start; its units are these pods";
    return {
      world: "kubernetes",
      provenance: "measured",
      plan,
      events: this.#book.events,
      injections: this.#injector.records(),
      residualFaults,
      end,
      endUs,
      stateDigest,
      traceHash: null,
      probes: [],
      notes: [...this.#notes.slice(0, 100), about],
    };
  }

  #nowUs(): number {
    return Math.round((this.#parts.world.clock.monotonicMs() - this.#startMs) * 1000);
  }
}
