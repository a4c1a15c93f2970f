import { mapConcurrent } from "../../../platform/concurrency/index.ts";
import {
  isNotFound,
  kubeFailureOf,
  listAll,
  resourceTypes,
  updateWithRetry,
} from "../../../platform/kube/index.ts";
import type { NodeObject } from "../../objects/index.ts";
import { writeNodeEvent } from "./connector.ts";
import {
  type DrainPod,
  type DrainSettings,
  type DrainState,
  type DrainStep,
  nextDrainStep,
} from "./drain.ts";
import { readEventList } from "./event-list.ts";
import { nvSentinelNames } from "./names.ts";
import { type Remediation, remediationOf } from "./remediation.ts";
import type { SimulatorPorts } from "./simulator-options.ts";

const failuresMax = 10;
const podsMax = 5_000;
const remediationsMax = 1_000;

/** node-drainer on a cluster, and what fault-remediation would do when it is done. */
export class DrainDriver {
  readonly #ports: SimulatorPorts;
  readonly #settings: DrainSettings;
  readonly #failures = new Map<string, number>();
  readonly #told = new Map<string, string>();
  readonly remediations: Remediation[] = [];

  constructor(ports: SimulatorPorts, settings: DrainSettings) {
    this.#ports = ports;
    this.#settings = settings;
  }

  /** One step on every node that is closed and not yet empty. */
  async sweep(nodes: readonly NodeObject[]): Promise<void> {
    const busy = nodes.filter((node) => isToBeDrained(stateOf(node)));
    await mapConcurrent(busy, 4, (node) => this.#drain(node));
  }

  async #drain(node: NodeObject): Promise<void> {
    const name = node.metadata.name ?? "";
    const event = readEventList(node.metadata.annotations?.[nvSentinelNames.annotations.event])[0];
    if (event === undefined) return;
    const nowMs = this.#ports.clock.nowMs();
    const eventAtMs = (event.generatedTimestamp?.seconds ?? nowMs / 1000) * 1000;
    const pods = await this.#podsOn(name);
    const step = nextDrainStep(pods, { settings: this.#settings, eventAtMs, nowMs });
    if (step.kind === "done") {
      await this.#setState(name, "drain-succeeded");
      if (this.remediations.length < remediationsMax) this.remediations.push(remediationOf(event));
      return;
    }
    if (stateOf(node) === "quarantined") await this.#setState(name, "draining");
    await this.#carryOut(name, step);
  }

  async #carryOut(node: string, step: Exclude<DrainStep, { kind: "done" }>): Promise<void> {
    if (step.kind === "wait") return await this.#tell(node, step.reason, step.pods);
    for (const pod of step.pods) {
      try {
        await this.#remove(pod, step.kind);
        this.#failures.delete(node);
      } catch (error) {
        if (isNotFound(error) || kubeFailureOf(error)?.status === 429) continue;
        const failures = (this.#failures.get(node) ?? 0) + 1;
        this.#failures.set(node, failures);
        if (failures >= failuresMax) return await this.#setState(node, "drain-failed");
      }
    }
  }

  async #remove(pod: DrainPod, how: "evict" | "delete"): Promise<void> {
    const { client } = this.#ports;
    const { name = "", namespace, uid, deletionTimestamp } = pod.metadata;
    const one = { name, namespace };
    const guard = uid === undefined ? {} : { uid };
    if (how === "delete")
      return await client.delete(resourceTypes.pods, one, { ...guard, gracePeriodSeconds: 0 });
    // One that is on its way out is only waited for.
    if (deletionTimestamp !== undefined) return;
    const gracePeriodSeconds = this.#settings.evictionGraceSeconds;
    await client.evict(one, { ...guard, gracePeriodSeconds, retryForMs: 0 });
  }

  /** An Event for each reason, once for a node. */
  async #tell(node: string, reason: string, pods: readonly DrainPod[]): Promise<void> {
    if (this.#told.get(node) === reason) return;
    const names = pods.slice(0, 10).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    await writeNodeEvent(this.#ports, {
      node,
      type: "NodeDraining",
      reason,
      message: `Waiting for following pods to finish: ${names.join(", ")}`,
      component: "nvsentinel-node-drainer",
    });
    this.#told.set(node, reason);
  }

  async #setState(name: string, state: DrainState): Promise<void> {
    const { client, clock, random } = this.#ports;
    const change = (node: NodeObject) => {
      // Somebody may have opened it meanwhile.
      if (!isToBeDrained(stateOf(node))) return undefined;
      const labels = { ...node.metadata.labels, [nvSentinelNames.labels.state]: state };
      return { ...node, metadata: { ...node.metadata, labels } };
    };
    const options = { clock, random, attemptsMax: 10 };
    await updateWithRetry<NodeObject>(client, resourceTypes.nodes, { name }, change, options);
    if (state !== "draining") {
      this.#failures.delete(name);
      this.#told.delete(name);
    }
  }

  async #podsOn(node: string): Promise<readonly DrainPod[]> {
    const { items } = await listAll<DrainPod, DrainPod>(this.#ports.client, resourceTypes.pods, {
      fieldSelector: `spec.nodeName=${node}`,
      itemsMax: podsMax,
      project: (pod) => pod,
    });
    return items.filter(({ spec }) => spec?.nodeName === node);
  }
}

function stateOf(node: NodeObject): string | undefined {
  return node.metadata.labels?.[nvSentinelNames.labels.state];
}

function isToBeDrained(state: string | undefined): boolean {
  return state === "quarantined" || state === "draining";
}
