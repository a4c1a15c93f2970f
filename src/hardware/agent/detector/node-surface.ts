import { type KubeClient, kubeFailureOf, resourceTypes } from "../../../platform/kube/index.ts";
import { type Clock, retry } from "../../../platform/time/index.ts";
import { whoCordoned } from "../../detectors/index.ts";
import { marks, type NodeCondition, type NodeObject, ownCondition } from "../../objects/index.ts";
import { realCauseMark } from "../../undo/index.ts";
import type { Cause } from "./cause.ts";
import { cordonMark, describeCause } from "./cause.ts";

export interface NodeSurfaceOptions {
  readonly node: string;
  readonly client: KubeClient;
  readonly clock: Clock;
  /** For the jitter between attempts. */
  readonly random: { float(): number };
}

const attemptsMax = 8;

/** What the own detector shows on its node, and nothing else of it. */
export class NodeSurface {
  readonly #options: NodeSurfaceOptions;

  constructor(options: NodeSurfaceOptions) {
    this.#options = options;
  }

  read(): Promise<NodeObject> {
    const { client, node } = this.#options;
    return client.get<NodeObject>(resourceTypes.nodes, { name: node });
  }

  /** Sets the own condition; those of others are left alone. */
  async setCondition(cause: Cause, { isNew }: { readonly isNew: boolean }): Promise<void> {
    const { xid } = cause;
    await this.#patchCondition({
      status: "True",
      reason: `Xid${xid}`,
      message: describeCause(cause),
      isNew,
    });
  }

  /** Says that nothing is wrong any more. */
  clearCondition(message: string): Promise<void> {
    return this.#patchCondition({ status: "False", reason: "Cleared", message, isNew: true });
  }

  /** Closes the node. One that is closed already stays as it is, without a mark of ours. */
  async cordon(cause: Cause): Promise<"closed" | "was-closed"> {
    return this.#patchAsRead((node) => {
      if (node.spec?.unschedulable === true) return { answer: "was-closed" };
      const annotations = { [marks.cordonedBy]: cordonMark(cause) };
      return { answer: "closed", patch: { annotations, unschedulable: true } };
    });
  }

  /**
   * Opens the node if it was closed for this cause, unless another detector holds it as well. One that
   * also shows what is real stays closed for that.
   */
  async uncordon(mark: string): Promise<"opened" | "not-ours" | "real"> {
    return this.#patchAsRead((node) => {
      const isMarked = node.metadata.annotations?.[marks.cordonedBy] === mark;
      const real = realCauseMark(node);
      if (real !== undefined) {
        const patch = { annotations: { [marks.cordonedBy]: real } };
        return { answer: "real", ...(isMarked ? { patch } : {}) };
      }
      if (!isMarked) return { answer: "not-ours" };
      const annotations = { [marks.cordonedBy]: null };
      if (whoCordoned(node).by !== "tessera") return { answer: "not-ours", patch: { annotations } };
      return { answer: "opened", patch: { annotations, unschedulable: null } };
    });
  }

  /** Gives the mark on a closed node to another cause that is still there. */
  async remark(mark: string, next: Cause): Promise<"given" | "not-ours"> {
    return this.#patchAsRead((node) => {
      if (node.metadata.annotations?.[marks.cordonedBy] !== mark) return { answer: "not-ours" };
      return { answer: "given", patch: { annotations: { [marks.cordonedBy]: cordonMark(next) } } };
    });
  }

  /** Changes a node only as it was read: with another's change in between it is read again. */
  #patchAsRead<Answer extends string>(
    decide: (node: NodeObject) => {
      readonly answer: Answer;
      readonly patch?: {
        readonly annotations: Readonly<Record<string, string | null>>;
        readonly unschedulable?: true | null;
      };
    },
  ): Promise<Answer> {
    const { client, clock, node, random } = this.#options;
    const attempt = async () => {
      const read = await this.read();
      const { answer, patch } = decide(read);
      if (patch === undefined) return answer;
      const { resourceVersion } = read.metadata;
      const { annotations, unschedulable } = patch;
      const merge = {
        metadata: { resourceVersion, annotations },
        ...(unschedulable === undefined ? {} : { spec: { unschedulable } }),
      };
      await client.patch(resourceTypes.nodes, { name: node }, { merge });
      return answer;
    };
    return retry(attempt, {
      clock,
      rng: random,
      attemptsMax,
      delayMs: 20,
      delayMsMax: 500,
      shouldRetry: (error) => kubeFailureOf(error)?.reason === "Conflict",
    });
  }

  async #patchCondition(condition: {
    readonly status: "True" | "False";
    readonly reason: string;
    readonly message: string;
    readonly isNew: boolean;
  }): Promise<void> {
    const { client, clock, node } = this.#options;
    const { isNew, ...shown } = condition;
    const now = new Date(clock.nowMs()).toISOString().replace(/\.\d+Z$/, "Z");
    const own: NodeCondition = {
      type: ownCondition,
      ...shown,
      lastHeartbeatTime: now,
      ...(isNew ? { lastTransitionTime: now } : {}),
    };
    // The API server merges conditions by their type.
    const strategic = { status: { conditions: [own] } };
    await client.patch(
      resourceTypes.nodes,
      { name: node },
      { strategic },
      { subresource: "status" },
    );
  }
}
