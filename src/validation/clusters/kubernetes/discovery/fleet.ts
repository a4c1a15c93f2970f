import assert from "node:assert/strict";
import type { ClusterNode, JobView } from "../../cluster.ts";
import { jobView, type NodeOfJob } from "../jobs/job-view.ts";
import type { OwnPod } from "../jobs/own-pod.ts";
import type { JobSummary } from "../jobs/project-job.ts";
import { gpusOf, whyNotFree } from "./free-node.ts";
import type { JobNeeds } from "./job-needs.ts";
import type { NodeSummary } from "./project-node.ts";
import type { PodSummary } from "./project-pod.ts";

export interface FleetOptions {
  readonly needs: JobNeeds;
  /** Whether nodes may be missing that the cluster has. */
  readonly partial: boolean;
}

const noPods: ReadonlyMap<string, PodSummary> = new Map();

/**
 * Nodes, pods and jobs of ours, put together as they change. Only what a change touches is worked out
 * again, so that looking costs what has changed, not what there is.
 */
export class Fleet {
  readonly #needs: JobNeeds;
  readonly #partial: boolean;
  readonly #nodes = new Map<string, NodeSummary>();
  readonly #podsOfNodes = new Map<string, Map<string, PodSummary>>();
  readonly #jobs = new Map<string, JobSummary>();
  readonly #jobsOfNodes = new Map<string, Map<string, JobSummary>>();
  readonly #podsOfRuns = new Map<string, Map<string, OwnPod>>();
  readonly #worked = new Map<string, ClusterNode>();
  /** In order. */
  #names: readonly string[] | undefined;
  #nodeList: readonly ClusterNode[] | undefined;
  #jobList: readonly JobView[] | undefined;

  constructor(options: FleetOptions) {
    this.#needs = options.needs;
    this.#partial = options.partial;
  }

  /** `node` undefined: it is gone. */
  setNode(name: string, node: NodeSummary | undefined): void {
    if (this.#nodes.has(name) !== (node !== undefined)) this.#names = undefined;
    if (node === undefined) this.#nodes.delete(name);
    else this.#nodes.set(name, node);
    this.#touch(name);
    this.#jobList = undefined;
  }

  /** `pod` undefined: it is gone. `before`: as it was last told of. */
  setPod(key: string, pod: PodSummary | undefined, before: PodSummary | undefined): void {
    if (before !== undefined) {
      if (before.node !== pod?.node) this.#move(this.#podsOfNodes, before.node, key, undefined);
      if (before.own !== undefined && before.own.runId !== pod?.own?.runId)
        this.#move(this.#podsOfRuns, before.own.runId, key, undefined);
      this.#touch(before.node);
    }
    if (pod !== undefined && pod.node !== "") {
      this.#move(this.#podsOfNodes, pod.node, key, pod);
      this.#touch(pod.node);
    }
    if (pod?.own !== undefined) this.#move(this.#podsOfRuns, pod.own.runId, key, pod.own);
    if (pod?.own !== undefined || before?.own !== undefined) this.#jobList = undefined;
  }

  /** `job` undefined: it is gone. */
  setJob(key: string, job: JobSummary | undefined): void {
    const before = this.#jobs.get(key);
    if (before !== undefined) {
      this.#move(this.#jobsOfNodes, before.node, key, undefined);
      this.#touch(before.node);
    }
    if (job === undefined) this.#jobs.delete(key);
    else {
      this.#jobs.set(key, job);
      this.#move(this.#jobsOfNodes, job.node, key, job);
      this.#touch(job.node);
    }
    this.#jobList = undefined;
  }

  node(name: string): NodeSummary | undefined {
    return this.#nodes.get(name);
  }

  /** All nodes, in the order of their names. */
  nodes(): readonly ClusterNode[] {
    this.#names ??= [...this.#nodes.keys()].toSorted();
    this.#nodeList ??= this.#names.map((name) => this.#work(name));
    return this.#nodeList;
  }

  /** All jobs of ours, oldest first. */
  jobs(): readonly JobView[] {
    this.#jobList ??= [...this.#jobs.values()]
      .map((job) => jobView(job, this.#podsOf(job), this.#nodeOf(job)))
      .toSorted((a, b) => a.createdAtMs - b.createdAtMs || (a.name < b.name ? -1 : 1));
    return this.#jobList;
  }

  #work(name: string): ClusterNode {
    const before = this.#worked.get(name);
    if (before !== undefined) return before;
    const node = this.#nodes.get(name);
    assert(node !== undefined, "names are those of nodes");
    const jobs = [...(this.#jobsOfNodes.get(name)?.values() ?? [])];
    const worked: ClusterNode = {
      name,
      sku: node.sku,
      rack: node.rack,
      gpus: gpusOf(node, this.#needs),
      notFree: whyNotFree({
        node,
        pods: this.#podsOfNodes.get(name) ?? noPods,
        openJobs: jobs.filter(({ stage }) => stage === "open").map(({ name }) => name),
        needs: this.#needs,
      }),
      awaitsAcceptance: node.awaitsAcceptance,
      cordoned: node.cordoned,
    };
    this.#worked.set(name, worked);
    return worked;
  }

  #podsOf(job: JobSummary): readonly OwnPod[] {
    return [...(this.#podsOfRuns.get(job.runId)?.values() ?? [])];
  }

  #nodeOf(job: JobSummary): NodeOfJob {
    const node = this.#nodes.get(job.node);
    if (node === undefined) return { state: this.#partial ? "unseen" : "gone" };
    if (node.notReady === undefined) return { state: "ready" };
    return { state: "not-ready", why: node.notReady };
  }

  #touch(node: string): void {
    this.#worked.delete(node);
    this.#nodeList = undefined;
  }

  #move<T>(index: Map<string, Map<string, T>>, group: string, key: string, value: T | undefined) {
    const members = index.get(group);
    if (value !== undefined) {
      if (members === undefined) index.set(group, new Map([[key, value]]));
      else members.set(key, value);
    } else if (members?.delete(key) === true && members.size === 0) index.delete(group);
  }
}
