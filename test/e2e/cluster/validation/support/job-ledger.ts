import {
  createReflector,
  type KubeClient,
  type KubeObject,
  type Reflector,
  type ResourceType,
} from "../../../../../src/platform/kube/index.ts";
import { createRng } from "../../../../../src/platform/rng/index.ts";
import { createRealClock } from "../../../../../src/platform/time/index.ts";

const clock = createRealClock();
const random = createRng("ledger").stream("waits");

export const volcanoJobs: ResourceType = {
  group: "batch.volcano.sh",
  version: "v1alpha1",
  plural: "jobs",
  kind: "Job",
  namespaced: true,
};

export interface JobLedgerOptions {
  /** Its own, not the loop's. */
  readonly client: KubeClient;
  readonly type: ResourceType;
  /** The cluster's name in the configuration. */
  readonly cluster: string;
  /** Runs whose pods have ended: their jobs hold nothing any more. */
  readonly over: ReadonlySet<string>;
}

interface JobObject extends KubeObject {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly state?: { readonly phase?: string };
  };
}

interface JobEntry {
  readonly name: string;
  readonly uid: string;
  readonly runId: string;
  readonly node: string;
  readonly hasEnded: boolean;
}

const ends = ["Complete", "Failed"];
const volcanoEnds = ["Completed", "Failed", "Aborted", "Terminated"];

/** Watches the jobs of a loop from outside and keeps account of what must never happen. */
export class JobLedger {
  readonly #jobs: Reflector<JobEntry, JobObject>;
  readonly #over: ReadonlySet<string>;
  readonly #uidsOfRuns = new Map<string, Set<string>>();
  #isDue = false;
  /** The most jobs that were there at once and had not ended. */
  unfinishedMax = 0;
  /** The same for any one node. */
  perNodeMax = 0;

  constructor({ client, type, cluster, over }: JobLedgerOptions) {
    this.#over = over;
    this.#jobs = createReflector<JobEntry, JobObject>({
      client,
      type,
      labelSelector: `app.kubernetes.io/managed-by=tessera,tessera.dev/cluster=${cluster}`,
      project: entryOf,
      clock,
      random,
      backoff: { baseMs: 50, maxMs: 500 },
    });
  }

  start(): void {
    this.#jobs.subscribe((event) => {
      if (event.type === "synced") return;
      if (event.type !== "deleted") this.#note(event.object);
      this.#countSoon();
    });
    this.#jobs.start();
  }

  stop(): Promise<void> {
    return this.#jobs.stop();
  }

  /** Every run that ever had a job. */
  get runIds(): readonly string[] {
    return [...this.#uidsOfRuns.keys()];
  }

  /** Runs that had more than one job. */
  get twice(): readonly string[] {
    return [...this.#uidsOfRuns].filter(([, uids]) => uids.size > 1).map(([runId]) => runId);
  }

  /** Jobs that have not ended. */
  get unfinished(): readonly JobEntry[] {
    return [...this.#jobs.objects.values()].filter(
      ({ hasEnded, runId }) => !hasEnded && !this.#over.has(runId),
    );
  }

  #note({ runId, uid }: JobEntry): void {
    const uids = this.#uidsOfRuns.get(runId);
    if (uids === undefined) this.#uidsOfRuns.set(runId, new Set([uid]));
    else uids.add(uid);
  }

  /** After all that arrived at once: a list says what is there, not in which order it came. */
  #countSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      const { unfinished } = this;
      this.unfinishedMax = Math.max(this.unfinishedMax, unfinished.length);
      const perNode = new Map<string, number>();
      for (const { node } of unfinished) perNode.set(node, (perNode.get(node) ?? 0) + 1);
      this.perNodeMax = Math.max(this.perNodeMax, ...perNode.values());
    });
  }
}

function entryOf({ metadata, status }: JobObject): JobEntry {
  const { labels = {}, annotations = {} } = metadata;
  return {
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    runId: labels["tessera.dev/run-id"] ?? "",
    node: annotations["tessera.dev/node"] ?? "",
    hasEnded: hasJobEnded({ status }),
  };
}

/** Whether a Job, plain or Volcano's, will do nothing more. */
export function hasJobEnded({ status }: { readonly status?: JobObject["status"] }): boolean {
  const isDone = status?.conditions?.some(
    ({ type, status: holds }) => ends.includes(type) && holds === "True",
  );
  return isDone === true || volcanoEnds.includes(status?.state?.phase ?? "");
}
