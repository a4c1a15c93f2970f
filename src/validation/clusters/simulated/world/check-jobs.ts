import assert from "node:assert/strict";
import type { HandInWay, RunResult } from "../../../run.ts";
import type { JobRequest } from "../../cluster.ts";
import { CheckJob } from "./check-job.ts";
import { drawFate } from "./pod-fate.ts";
import type { RunWriter } from "./run-writer.ts";
import type { SimNode } from "./sim-node.ts";
import type { Stage } from "./stage.ts";

/** How long a running pod takes to end when it is told to. */
const terminationMs = 5000;
/** A post comes in a little after the file is written. */
const postDelayMs = 400;
const handInsMax = 20_000;

/** A result on its way. */
export interface HandIn {
  readonly result: RunResult;
  readonly way: HandInWay;
}

/** The checks' jobs: they wait, hold a node, run, and end in one way or another. */
export class CheckJobs {
  readonly #stage: Stage;
  readonly #writer: RunWriter;
  readonly #jobs = new Map<string, CheckJob>();
  /** Jobs that wait for their node, in the order they came. */
  readonly #waiting = new Map<SimNode, CheckJob[]>();
  #outbox: HandIn[] = [];

  constructor(stage: Stage, writer: RunWriter) {
    this.#stage = stage;
    this.#writer = writer;
    stage.onOpen = (node) => this.#placeNext(node);
  }

  get all(): Iterable<CheckJob> {
    return this.#jobs.values();
  }

  get count(): number {
    return this.#jobs.size;
  }

  get hasHandIns(): boolean {
    return this.#outbox.length > 0;
  }

  has(jobName: string): boolean {
    return this.#jobs.has(jobName);
  }

  /** The next result that came in; undefined when all were taken. */
  takeHandIn(): HandIn | undefined {
    return this.#outbox.shift();
  }

  submit(request: JobRequest, node: SimNode): void {
    const { rng, plan, nowMs } = this.#stage;
    const { id, check, jobName } = request.intent;
    assert(!this.#jobs.has(jobName), "a job's name is taken once");
    const random = rng.stream("pod", id);
    const fate = drawFate(random, plan.checkMinutes.get(check) ?? 0, plan.podTrouble);
    const facts = { request, node, fate, createdAtMs: nowMs };
    const job = new CheckJob(facts, (one, detail) => this.#fail(one, detail));
    this.#jobs.set(jobName, job);
    this.#stage.changed();
    const [blocked] = node.view().notFree;
    if (blocked !== undefined) {
      job.become("pending", `Unschedulable: ${blocked.text}`);
      this.#queueOf(node).push(job);
    } else this.#place(job);
  }

  cancel(jobName: string): void {
    const job = this.#jobs.get(jobName);
    if (job === undefined || job.phase === "gone") return;
    if (!job.holdsNode) {
      this.#remove(job);
      return;
    }
    job.become("gone", "is being deleted");
    this.#stage.changed();
    this.#stage.after(terminationMs, () => {
      this.#release(job);
      this.#remove(job);
    });
  }

  #queueOf(node: SimNode): CheckJob[] {
    const queue = this.#waiting.get(node) ?? [];
    this.#waiting.set(node, queue);
    return queue;
  }

  #placeNext(node: SimNode): void {
    const queue = this.#waiting.get(node);
    const job = queue?.shift();
    if (queue?.length === 0) this.#waiting.delete(node);
    if (job !== undefined) this.#place(job);
  }

  /** Gives a job its node; it runs when its pod is there. */
  #place(job: CheckJob): void {
    const { node, fate } = job;
    assert(node.isOpenToChecks, "only a free node takes a check");
    node.check = job;
    if (fate.isStuck) job.become("pending", "ImagePullBackOff: the registry does not answer");
    else {
      job.become("pending", "ContainerCreating: the image is being pulled");
      this.#stage.after(fate.startDelayMs, () => this.#begin(job));
    }
    this.#stage.settle(node);
  }

  #begin(job: CheckJob): void {
    if (job.phase !== "pending") return;
    job.startedAtMs = this.#stage.nowMs;
    job.become("running");
    this.#stage.changed();
    const { durationMs, diesAfterMs } = job.fate;
    const limitMs = job.request.runTimeoutMs;
    this.#stage.after(Math.min(durationMs, limitMs), () => this.#end(job, durationMs > limitMs));
    if (diesAfterMs === undefined) return;
    this.#stage.after(diesAfterMs, () => this.#die(job));
  }

  #die(job: CheckJob): void {
    if (job.phase === "running") this.#fail(job, "OOMKilled: exit code 137");
  }

  #end(job: CheckJob, gaveUp: boolean): void {
    if (job.phase !== "running") return;
    const result = gaveUp ? this.#writer.timeout(job) : this.#writer.completed(job);
    if (job.fate.writesFile) this.#handIn({ result, way: "file" });
    if (job.fate.posts && job.request.resultUrl !== undefined) {
      this.#stage.after(postDelayMs, () => this.#handIn({ result, way: "post" }));
    }
    job.become(gaveUp ? "failed" : "succeeded", gaveUp ? result.error : undefined);
    this.#release(job);
    this.#removeLater(job);
  }

  /** It ends without a result. */
  #fail(job: CheckJob, detail: string): void {
    // A job that is being deleted ends as such, only sooner.
    if (job.phase !== "gone") {
      job.become("failed", detail);
      this.#removeLater(job);
    }
    this.#release(job);
  }

  #handIn(handIn: HandIn): void {
    this.#outbox.push(handIn);
    // Nobody fetches them: what is posted to nobody is lost.
    if (this.#outbox.length > handInsMax) this.#outbox = this.#outbox.slice(handInsMax / 2);
  }

  #release(job: CheckJob): void {
    if (!job.holdsNode) return;
    job.node.check = undefined;
    this.#stage.settle(job.node);
  }

  #removeLater(job: CheckJob): void {
    this.#stage.after(this.#stage.plan.jobTtlMs, () => this.#remove(job));
  }

  #remove(job: CheckJob): void {
    if (this.#jobs.get(job.name) !== job) return;
    this.#jobs.delete(job.name);
    const queue = this.#waiting.get(job.node) ?? [];
    const left = queue.filter((other) => other !== job);
    if (left.length === 0) this.#waiting.delete(job.node);
    else this.#waiting.set(job.node, left);
    this.#stage.changed();
  }
}
