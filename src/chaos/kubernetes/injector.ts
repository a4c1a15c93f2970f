import assert from "node:assert/strict";
import { isNotFound, resourceTypes } from "../../platform/kube/index.ts";
import { sleep } from "../../platform/time/index.ts";
import type { Ledger, Undo, UndoExecutor } from "../ledger/index.ts";
import type { PlannedFault, PodsWorkload, Target } from "../plan/index.ts";
import type { InjectionRecord } from "../record/index.ts";
import type { KubernetesWorldOptions } from "./kubernetes-options.ts";
import { isNodeReady, marks, type NodeObject, networkPolicies } from "./objects.ts";
import type { PodWatch } from "./pod-watch.ts";
import { undoes } from "./undo.ts";

export interface InjectorOptions {
  readonly world: KubernetesWorldOptions;
  readonly workload: PodsWorkload;
  readonly run: string;
  readonly ledger: Ledger;
  readonly undo: UndoExecutor;
  readonly watch: PodWatch;
  readonly nowUs: () => number;
  /** Milliseconds since the Unix epoch, until when others leave our faults alone. */
  readonly leaseUntilMs: () => number;
  /** Aborts when the run is over: nothing new is broken then. */
  readonly over: AbortSignal;
}

type Draft = { -readonly [K in keyof InjectionRecord]: InjectionRecord[K] };

/** One thing that is broken: how it is taken back, how it is done, and what shows it. */
interface Deed {
  readonly target: string;
  readonly undo: Undo;
  act(): Promise<void>;
  /** What is seen of it by now; undefined: nothing yet. Asked again and again. */
  see(): Promise<string | undefined>;
}

/** A node's silence is noticed after 40 s as clusters are set up; others show sooner. */
const effectMs = 120_000;
const pollMs = 250;

/** Breaks pods and nodes of a cluster and watches for what came of it. */
export class KubernetesInjector {
  readonly #options: InjectorOptions;
  readonly #drafts: ReadonlyMap<string, Draft>;

  constructor(options: InjectorOptions, faults: readonly PlannedFault[]) {
    this.#options = options;
    // Pods have no ranks: each thing that is hit counts as one place.
    const places = [...new Set(faults.flatMap(({ targets }) => targets.map(targetText)))];
    this.#drafts = new Map(
      faults.map(({ id, fault, targets }) => [
        id,
        {
          id,
          fault,
          target: targets.map(targetText).join(", "),
          injectedUs: null,
          effectUs: null,
          effect: null,
          revertedUs: null,
          ranks: targets.map((target) => places.indexOf(targetText(target))),
        },
      ]),
    );
  }

  records(): readonly InjectionRecord[] {
    return [...this.#drafts.values()];
  }

  /** Carries one fault out, to its end. Rejects when it cannot be done, or the run is over. */
  async inject(fault: PlannedFault): Promise<void> {
    const { ledger, undo, nowUs, world, over } = this.#options;
    const draft = this.#drafts.get(fault.id);
    assert(draft !== undefined, "a fault of the plan");
    const deeds = await this.#deedsOf(fault);
    const entries: string[] = [];
    for (const deed of deeds) {
      entries.push(await ledger.plan({ fault: fault.fault, target: deed.target, undo: deed.undo }));
    }
    const untilMs = world.clock.monotonicMs() + (fault.durationUs ?? 0) / 1000;
    draft.injectedUs = nowUs();
    for (const [at, deed] of deeds.entries()) {
      await deed.act();
      await ledger.activate(entries[at] ?? "");
    }
    const isInstant = fault.fault === "kill_pod";
    await this.#watchFor(draft, deeds, isInstant ? null : fault.durationUs);
    if (!isInstant) {
      if (fault.durationUs === null) return;
      const leftMs = untilMs - world.clock.monotonicMs();
      if (leftMs > 0) await sleep(world.clock, leftMs, over);
    }
    for (const entry of entries) await ledger.revert(entry, undo);
    draft.revertedUs = nowUs();
  }

  /** All that was still in force when the run was over has been taken back. */
  markReverted(): void {
    for (const draft of this.#drafts.values()) {
      if (draft.injectedUs !== null) draft.revertedUs ??= this.#options.nowUs();
    }
  }

  async #watchFor(draft: Draft, deeds: readonly Deed[], forUs: number | null): Promise<void> {
    const { world, nowUs, over } = this.#options;
    const { clock } = world;
    const endMs =
      clock.monotonicMs() + Math.min(effectMs, forUs === null ? effectMs : forUs / 1000);
    for (;;) {
      const seen = await Promise.all(deeds.map((deed) => deed.see()));
      if (seen.every((one) => one !== undefined)) {
        draft.effectUs = nowUs();
        draft.effect = seen.join("; ");
        return;
      }
      if (over.aborted || clock.monotonicMs() >= endMs) return;
      await sleep(clock, pollMs);
    }
  }

  async #deedsOf(fault: PlannedFault): Promise<readonly Deed[]> {
    const { targets, params } = fault;
    switch (fault.fault) {
      case "kill_pod":
        return targets.map((target) =>
          this.#killPod(nameOf(target), Number(params["graceSeconds"])),
        );
      case "cordon_node":
        return Promise.all(targets.map((target) => this.#cordonNode(nameOf(target))));
      case "network_policy":
        return [this.#networkPolicy(fault.id, targets.map(nameOf), String(params["direction"]))];
      case "fail_node":
        return targets.map((target) => this.#failNode(nameOf(target)));
      default:
        assert.fail(`${fault.fault} was refused`);
    }
  }

  #killPod(name: string, gracePeriodSeconds: number): Deed {
    const { world, workload, watch } = this.#options;
    const { namespace } = workload;
    const uid = watch.pod(name)?.uid;
    return {
      target: `pod ${namespace}/${name}`,
      undo: undoes.none(),
      act: async () => {
        // Only the pod that was chosen: one that took its name meanwhile is another.
        if (uid === undefined) throw new Error(`there is no pod ${name} any more`);
        await world.client.delete(
          resourceTypes.pods,
          { namespace, name },
          { gracePeriodSeconds, uid },
        );
      },
      see: async () => {
        const now = watch.pod(name);
        if (now === undefined) return `pod ${name} is gone`;
        return now.uid === uid ? undefined : `pod ${name} is another one`;
      },
    };
  }

  async #cordonNode(node: string): Promise<Deed> {
    const { world, run, leaseUntilMs } = this.#options;
    const read = () => world.client.get<NodeObject>(resourceTypes.nodes, { name: node });
    const { spec, metadata } = await read();
    const wasUnschedulable = spec?.unschedulable === true;
    const other = metadata.annotations?.[marks.run];
    if (other !== undefined) throw new Error(`node ${node} is in the hands of run ${other}`);
    return {
      target: `node ${node}`,
      undo: undoes.cordon({ node, run, wasUnschedulable }),
      act: async () => {
        const annotations = {
          [marks.run]: run,
          [marks.leaseUntil]: String(leaseUntilMs()),
          [marks.wasUnschedulable]: String(wasUnschedulable),
        };
        const { resourceVersion } = metadata;
        const merge = { metadata: { annotations, resourceVersion }, spec: { unschedulable: true } };
        await world.client.patch(resourceTypes.nodes, { name: node }, { merge });
      },
      // A node that was closed before shows nothing of us.
      see: async () => {
        if (wasUnschedulable) return undefined;
        return (await read()).spec?.unschedulable === true
          ? `node ${node} takes no pods`
          : undefined;
      },
    };
  }

  #networkPolicy(id: string, pods: readonly string[], direction: string): Deed {
    const { world, workload, run, watch, leaseUntilMs } = this.#options;
    const { namespace } = workload;
    const name = `tessera-${run}-${id}`
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]+/g, "-")
      .slice(0, 63);
    const types = { both: ["Ingress", "Egress"], ingress: ["Ingress"], egress: ["Egress"] }[
      direction
    ];
    assert(types !== undefined, "the catalogue knows the directions");
    const uids = new Map(pods.map((pod) => [pod, watch.pod(pod)?.uid]));
    return {
      target: `pods ${pods.join(", ")} of ${namespace}`,
      undo: undoes.policy({ namespace, name, pods: [...pods] }),
      act: async () => {
        for (const pod of pods) {
          const merge = { metadata: { labels: { [marks.cut]: run } } };
          await world.client.patch(resourceTypes.pods, { namespace, name: pod }, { merge });
        }
        await world.client.create(networkPolicies, {
          metadata: {
            name,
            namespace,
            labels: { [marks.run]: run },
            annotations: { [marks.leaseUntil]: String(leaseUntilMs()) },
          },
          ...{
            spec: { podSelector: { matchLabels: { [marks.cut]: run } }, policyTypes: types },
          },
        });
      },
      see: async () => {
        const gone = await Promise.all(pods.map((pod) => this.#isCutOff(pod, uids.get(pod))));
        return gone.every(Boolean) ? `nobody gets through to ${pods.join(", ")}` : undefined;
      },
    };
  }

  /** By whoever can ask the pod; else a pod that is not ready any more. */
  async #isCutOff(name: string, uid: string | undefined): Promise<boolean> {
    const { world, workload, watch } = this.#options;
    if (world.isReachable !== undefined) {
      return !(await world.isReachable({ namespace: workload.namespace, name }));
    }
    const pod = watch.pod(name);
    return pod !== undefined && pod.uid === uid && !pod.isReady;
  }

  #failNode(node: string): Deed {
    const { world } = this.#options;
    const { client, nodeHook } = world;
    assert(nodeHook !== undefined, "without a hook this was refused");
    return {
      target: `node ${node}`,
      undo: undoes.node(node),
      act: () => nodeHook.stop(node),
      see: async () => {
        try {
          const object = await client.get<NodeObject>(resourceTypes.nodes, { name: node });
          return isNodeReady(object) ? undefined : `Kubernetes calls node ${node} not ready`;
        } catch (error) {
          if (isNotFound(error)) return `node ${node} is gone`;
          throw error;
        }
      },
    };
  }
}

function nameOf(target: Target): string {
  assert(target.kind === "pod" || target.kind === "kubernetes-node", "others were refused");
  return target.name;
}

function targetText(target: Target): string {
  if (target.kind === "pod") return `pod ${target.namespace}/${target.name}`;
  return `node ${nameOf(target)}`;
}
