import assert from "node:assert/strict";
import { TesseraError } from "../../../src/platform/errors/index.ts";
import {
  isChosen,
  type SlurmClient,
  type SlurmNode,
  type SlurmNodeChange,
  type SlurmPartition,
  type SlurmQos,
  type SlurmSubmission,
} from "../../../src/platform/slurm/index.ts";
import type { Clock } from "../../../src/platform/time/index.ts";
import { FakeCluster, type FakeJob, type FakeNode } from "./fake-cluster.ts";
import { requestOf } from "./fake-submission.ts";

export interface FakeSlurmOptions {
  readonly clock: Clock;
  /** How many nodes: g0, g1, ... @default 4 */
  readonly nodes?: number;
  /** Who we are to it. @default "tessera" */
  readonly user?: string;
  /** Where the history comes from. @default "accounting" */
  readonly history?: "accounting" | "jobcomp" | "none";
}

/** What a test does to the cluster behind the client's back. */
export interface FakeSlurmHandles {
  /** Every submission, by its job's number. */
  readonly submissions: ReadonlyMap<number, SlurmSubmission>;
  /** Every call of the client, oldest first: `submit`, `cancel`, ... */
  readonly calls: readonly string[];
  /** A job of somebody else, as sbatch would take it: `["-w", "g0"]`. @returns its number */
  userJob(args?: readonly string[], user?: string): number;
  job(id: number): FakeJob;
  /** With false, jobs wait until `start`. */
  autoStart(on: boolean): void;
  /** Starts a waiting job. Fails when it cannot start. */
  start(id: number): void;
  /** Ends a running job by itself. @param exitCode @default 0 */
  finish(id: number, exitCode?: number): void;
  /** Ends a job in any state that Slurm has for ended ones: TIMEOUT, OUT_OF_MEMORY, ... */
  end(id: number, state: string, exitSignal?: number): void;
  /** The controller forgets an ended job, as it does after MinJobAge. */
  forget(id: number): void;
  /** Changes what is shown of a node, whatever that means for its jobs. */
  setNode(name: string, change: Partial<FakeNode>): void;
  /** The node is lost: down, its jobs back in the queue or failed. */
  loseNode(name: string): void;
  setSteps(id: number, steps: readonly string[]): void;
  setSetting(name: string, value: string): void;
  /** @default `normal` alone */
  setQos(qos: readonly SlurmQos[]): void;
  /** Adds a partition of all nodes, or changes the one of that name: `batch`, `tessera`. */
  setPartition(name: string, change: Partial<SlurmPartition>): void;
  /** All calls, or those named, fail with this until it is called with undefined. */
  failWith(error: Error | undefined, calls?: readonly (keyof SlurmClient)[]): void;
  /** Called before each call is answered: for what happens at an unlucky moment. */
  onCall(hook: ((call: keyof SlurmClient) => void | Promise<void>) | undefined): void;
}

/** A Slurm in memory: the client that the code under test gets, and the test's own handles. */
export type FakeSlurm = SlurmClient & { readonly test: FakeSlurmHandles };

/** An error as the real client throws it, for `failWith`. */
export function unreachable(tool = "scontrol"): TesseraError {
  const problem = "Unable to contact slurm controller (connect failure)";
  return new TesseraError("E_SLURM_UNREACHABLE", { tool, problem });
}

export function createFakeSlurm(options: FakeSlurmOptions): FakeSlurm {
  const { clock, nodes = 4, user = "tessera", history = "accounting" } = options;
  const cluster = new FakeCluster({ clock, nodes });
  const steps = new Map<number, readonly string[]>();
  const submissions = new Map<number, SlurmSubmission>();
  const qos: SlurmQos[] = [{ name: "normal", preempts: [], preemptMode: "CLUSTER" }];
  const settings: Record<string, string> = { clustername: "fake", killwait: "30 sec" };
  const { handles, guarded } = createHandles({ cluster, steps, submissions, settings, qos });

  const client: SlurmClient = {
    release: async () => ({ text: "24.11.5", major: 24, minor: 11 }),
    nodes: async () => structuredClone(cluster.nodes),
    jobs: async ({ choice } = {}) =>
      structuredClone(cluster.jobs.map(({ request: _request, ...job }) => job)).filter((job) =>
        isChosen(job, choice),
      ),
    partitions: async () => structuredClone(cluster.partitions),
    qos: async () => structuredClone(qos),
    reservations: async () => structuredClone(cluster.reservations),
    settings: async () => ({ ...settings }),
    submit: async (submission) => {
      const request = requestOf(submission);
      const known = cluster.partitions.some(({ name }) => name === request.partition);
      if (!known) throw failed("sbatch", "Invalid partition name specified");
      const unknown = request.requestedNodes.find((name) => cluster.node(name) === undefined);
      if (unknown !== undefined) throw failed("sbatch", "Invalid node name specified");
      const id = cluster.add(request, user);
      submissions.set(id, submission);
      return id;
    },
    cancel: async (ids, { kill } = {}) => {
      // A signal alone changes nothing here: what the program does about it is the test's to say.
      if (kill !== undefined && kill !== "KILL" && kill !== "9") return;
      for (const job of cluster.jobs.filter((one) => isNamed(one, ids))) {
        if (job.endedAtMs !== undefined) continue;
        const exitSignal = job.state === "RUNNING" ? 15 : undefined;
        cluster.end(job, { state: "CANCELLED", exitCode: undefined, exitSignal });
      }
    },
    requeue: async (id) => putBack(cluster, id),
    steps: async (id) => steps.get(Number(id)) ?? [],
    updateNode: async (name, change) => {
      const node = cluster.node(name);
      if (node === undefined) throw failed("scontrol", "Invalid node name specified");
      changeNode(cluster, node, { change, user });
    },
    createReservation: async ({ name, nodes, users, flags }) => {
      if (cluster.reservations.some((one) => one.name === name)) return;
      const startAtMs = cluster.nowMs();
      const endAtMs = startAtMs + 365 * 86_400_000;
      cluster.reservations.push({ name, nodes, users, flags, startAtMs, endAtMs });
      cluster.settle();
    },
    deleteReservation: async (name) => {
      const at = cluster.reservations.findIndex((one) => one.name === name);
      if (at !== -1) cluster.reservations.splice(at, 1);
      cluster.settle();
    },
    history: async (sinceMs) => {
      if (history === "none") {
        return { source: "none", problem: "it keeps nothing", jobs: [], nodeEvents: [] };
      }
      const jobs = cluster.ends.filter(({ endedAtMs }) => endedAtMs >= sinceMs);
      const events = history === "accounting" ? cluster.events : [];
      return structuredClone({ source: history, jobs, nodeEvents: events });
    },
  };
  return { ...guarded(client), test: handles };
}

function putBack(cluster: FakeCluster, id: string): void {
  const job = cluster.jobs.find((one) => isNamed(one, [id]));
  if (job === undefined) throw failed("scontrol", "Invalid job id specified");
  if (job.state === "PENDING") throw failed("scontrol", "Job is pending execution");
  job.endedAtMs = undefined;
  cluster.putBack(job, "REQUEUED");
}

function createHandles(parts: {
  readonly cluster: FakeCluster;
  readonly steps: Map<number, readonly string[]>;
  readonly submissions: ReadonlyMap<number, SlurmSubmission>;
  readonly qos: SlurmQos[];
  readonly settings: Record<string, string>;
}): { handles: FakeSlurmHandles; guarded: (client: SlurmClient) => SlurmClient } {
  const { cluster, steps, submissions, settings } = parts;
  const calls: string[] = [];
  let failure: { error: Error; calls: readonly string[] | undefined } | undefined;
  let hook: ((call: keyof SlurmClient) => void | Promise<void>) | undefined;
  const job = (id: number) => {
    const found = cluster.jobs.find((one) => one.id === id);
    assert(found !== undefined, `there is a job ${id}`);
    return found;
  };
  const node = (name: string) => {
    const found = cluster.node(name);
    assert(found !== undefined, `there is a node ${name}`);
    return found;
  };
  const handles: FakeSlurmHandles = {
    submissions,
    calls,
    userJob: (args = [], user = "alice") =>
      cluster.add(requestOf({ script: "#!/bin/sh\n", args, env: {} }), user),
    job,
    autoStart: (on) => {
      cluster.autoStart = on;
      cluster.settle();
    },
    start: (id) => assert(cluster.start(job(id)), `job ${id} can start: ${job(id).reason}`),
    finish: (id, exitCode = 0) => {
      const state = exitCode === 0 ? "COMPLETED" : "FAILED";
      cluster.end(job(id), { state, exitCode, exitSignal: undefined });
    },
    end: (id, state, exitSignal) => {
      const exitCode = exitSignal === undefined ? 0 : undefined;
      cluster.end(job(id), { state, exitCode, exitSignal });
    },
    forget: (id) => {
      assert(job(id).endedAtMs !== undefined, `job ${id} has ended`);
      cluster.jobs.splice(cluster.jobs.indexOf(job(id)), 1);
    },
    setNode: (name, change) => {
      Object.assign(node(name), change);
      cluster.settle();
    },
    loseNode: (name) => cluster.takeDown(node(name)),
    setSteps: (id, names) => void steps.set(id, names),
    setQos: (all) => void parts.qos.splice(0, parts.qos.length, ...all),
    setPartition: (name, change) => cluster.setPartition(name, change),
    setSetting: (name, value) => {
      settings[name] = value;
    },
    failWith: (error, only) => {
      failure = error === undefined ? undefined : { error, calls: only };
    },
    onCall: (next) => {
      hook = next;
    },
  };
  const before = async (call: keyof SlurmClient) => {
    calls.push(call);
    await hook?.(call);
    if (failure !== undefined && (failure.calls?.includes(call) ?? true)) throw failure.error;
  };
  return { handles, guarded: (client) => guard(client, before) };
}

/** The same client with something to do before each call. */
function guard(
  client: SlurmClient,
  before: (call: keyof SlurmClient) => Promise<void>,
): SlurmClient {
  return new Proxy(client, {
    get: (target, name: keyof SlurmClient) => {
      const method: unknown = target[name];
      if (typeof method !== "function") return method;
      return async (...args: readonly unknown[]) => {
        await before(name);
        return method.apply(target, args);
      };
    },
  });
}

function changeNode(
  cluster: FakeCluster,
  node: FakeNode,
  { change, user }: { readonly change: SlurmNodeChange; readonly user: string },
): void {
  if ("comment" in change) {
    node.comment = change.comment;
    return;
  }
  const nowMs = cluster.nowMs();
  const open = cluster.events.find(
    (event) => event.node === node.name && event.endAtMs === undefined,
  );
  if ("reason" in change) {
    Object.assign(node, { reason: change.reason, reasonBy: user, reasonAtMs: nowMs });
    if (open !== undefined) open.endAtMs = nowMs;
    const { state, reason } = change;
    cluster.events.push({
      node: node.name,
      state,
      reason,
      user,
      startAtMs: nowMs,
      endAtMs: undefined,
    });
    if (state === "DOWN") cluster.takeDown(node);
    else if (!node.flags.includes("DRAIN")) node.flags = [...node.flags, "DRAIN"];
  } else {
    resume(node, change.state);
    if (open !== undefined) open.endAtMs = nowMs;
  }
  cluster.settle();
}

function resume(node: FakeNode, how: "RESUME" | "UNDRAIN"): void {
  const closed = node.flags.includes("DRAIN") || node.state === "DOWN";
  if (!closed && how === "RESUME") throw failed("scontrol", "Invalid node state specified");
  const lifted = (flag: string) =>
    flag === "DRAIN" || (how === "RESUME" && (flag === "FAIL" || flag.startsWith("REBOOT_")));
  node.flags = node.flags.filter((flag) => !lifted(flag));
  if (how === "RESUME" && node.state === "DOWN") node.state = "IDLE";
  // As slurmctld does it: the reason goes with the last thing that closes the node.
  if (node.state === "DOWN" || node.flags.includes("FAIL")) return;
  const none: Pick<SlurmNode, "reason" | "reasonBy" | "reasonAtMs"> = {
    reason: "",
    reasonBy: "",
    reasonAtMs: undefined,
  };
  Object.assign(node, none);
}

function isNamed(job: FakeJob, ids: readonly string[]): boolean {
  const task = job.arrayTaskId === undefined ? undefined : `${job.arrayJobId}_${job.arrayTaskId}`;
  return ids.some((id) => [String(job.id), String(job.arrayJobId), task].includes(id));
}

function failed(tool: string, problem: string): TesseraError {
  return new TesseraError("E_SLURM_FAILED", { tool, problem });
}
