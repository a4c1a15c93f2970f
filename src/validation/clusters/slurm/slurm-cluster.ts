import { Semaphore } from "../../../platform/concurrency/index.ts";
import type { Logger } from "../../../platform/log/index.ts";
import type { SlurmClient, SlurmJob } from "../../../platform/slurm/index.ts";
import type { Clock } from "../../../platform/time/index.ts";
import type { Cluster, ClusterView, JobRequest, NodeControls, Sign } from "../cluster.ts";
import { NodeRefusal } from "../node-refusal.ts";
import { closedToTests } from "./doors/closure.ts";
import { choreText, doChores } from "./doors/do-chores.ts";
import { DoorTroubles } from "./doors/door-troubles.ts";
import { type Chore, choresOf } from "./doors/housekeeping.ts";
import { createSlurmNodeControls } from "./doors/node-controls.ts";
import { testClosedNode } from "./doors/test-closed-node.ts";
import { type Fleet, fleetOf } from "./fleet.ts";
import { Fresh } from "./jobs/fresh.ts";
import { isOpen } from "./jobs/job-states.ts";
import { type LandedJob, landedJob, withLanded } from "./jobs/landed.ts";
import { ownJobsOf } from "./jobs/own-jobs.ts";
import { refused, submitJob } from "./jobs/submit.ts";
import { Looker } from "./looker.ts";
import { NameCheck } from "./name-check.ts";
import type { SlurmIdentity } from "./names.ts";
import { OwnIdentity } from "./own-identity.ts";
import {
  type ResolvedSlurmSettings,
  resolveSlurmSettings,
  type SlurmSettings,
} from "./settings.ts";
import { SignFeed } from "./signs/sign-feed.ts";
import { partitionOf, type SlurmSnapshot, takeSnapshot } from "./snapshot.ts";

export interface SlurmClusterOptions {
  /** The cluster's name in the configuration. */
  readonly name: string;
  readonly client: SlurmClient;
  /** Who we are in the cluster: whose jobs and reservations are ours. */
  readonly user: string;
  /** Which store the runs of ours are in, in short. */
  readonly store: string;
  readonly clock: Clock;
  readonly log: Pick<Logger, "info" | "warn">;
  readonly settings: SlurmSettings;
  /** Of it, jobs are given where programs are found. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How soon after a change of ours is looked again; for tests. @default 500 */
  readonly soonMs?: number;
}

const listenersMax = 256;

/** A Slurm cluster: its nodes, our jobs on them, from what its controller says when asked. */
class SlurmCluster implements Cluster {
  readonly name: string;
  readonly kind = "slurm";
  readonly provenance = "measured";
  readonly clock: Clock;
  readonly checks: Cluster["checks"];
  readonly controls: NodeControls;
  readonly #options: SlurmClusterOptions;
  readonly #client: SlurmClient;
  readonly #settings: ResolvedSlurmSettings;
  readonly #identity: OwnIdentity;
  readonly #looker: Looker;
  readonly #lane = new Semaphore({ permits: 1 });
  readonly #jobs: Fresh<readonly SlurmJob[]>;
  readonly #signs: SignFeed;
  readonly #names: NameCheck;
  readonly #troubles = new DoorTroubles();
  readonly #listeners = new Set<() => void>();
  readonly #landed = new Map<string, LandedJob>();
  /** Names of jobs whose end was asked for, and when, by the stopwatch. */
  readonly #cancelled = new Map<string, number>();
  readonly #complaints = new Set<string>();
  #fleet: Fleet = { nodes: [], jobs: [] };
  #snapshot: SlurmSnapshot | undefined;
  #started = false;

  constructor(options: SlurmClusterOptions) {
    const { name, client, clock, user, store, soonMs } = options;
    this.name = name;
    this.clock = clock;
    this.#options = options;
    this.#client = client;
    this.#identity = new OwnIdentity(client, { cluster: name, user, store });
    this.#settings = resolveSlurmSettings(options.settings);
    this.checks = { available: this.#settings.checks, unavailable: {} };
    const complain = (text: string) => this.#complain(text);
    this.#names = new NameCheck(this.#settings, complain);
    this.#signs = new SignFeed({ client, who: this.#who, clock, complain });
    this.#jobs = new Fresh(() => client.jobs({ choice: { user } }));
    this.#looker = new Looker({
      clock,
      everyMs: this.#settings.lookEveryMs,
      look: (signal) => this.#look(signal),
      onSeen: () => this.#seen(),
      onFailure: () => this.#failed(),
      ...(soonMs === undefined ? {} : { soonMs }),
    });
    this.controls = createSlurmNodeControls({
      client,
      identify: () => this.#identity.told(),
      lane: this.#lane,
      nodeComments: this.#settings.nodeComments,
      seen: (node) => this.#snapshot?.nodes.find((one) => one.name === node),
      onChange: () => this.#looker.ask(),
    });
  }

  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#looker.start();
  }

  view(): ClusterView {
    const { nodes, jobs } = withLanded(this.#fleet, this.#landed.values());
    return {
      atMs: this.clock.nowMs(),
      trust: this.#names.trust(this.#looker.trust()),
      nodes,
      jobs,
    };
  }

  subscribe(listener: () => void): () => void {
    if (this.#listeners.size >= listenersMax) throw new RangeError("too many listeners");
    // Wrapped, so that one function given twice is two subscriptions.
    const own = () => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  takeSigns(): readonly Sign[] {
    return this.#signs.take();
  }

  async submit(request: JobRequest): Promise<void> {
    const { node, purpose, jobName } = request.intent;
    const seen = this.#fleet.nodes.find(({ name }) => name === node);
    const isClosed = seen?.awaitsAcceptance ?? purpose === "acceptance";
    const id = isClosed ? await this.#submitToClosed(request) : await this.#submitToOpen(request);
    const at = { id, nowMs: this.clock.nowMs(), monotonicMs: this.clock.monotonicMs() };
    this.#landed.set(jobName, landedJob(request, at));
    this.#looker.ask();
    this.#tell();
  }

  async cancel(jobName: string): Promise<void> {
    const own = ownJobsOf(await this.#jobs.get(), this.#who);
    const open = own.filter(({ job }) => job.name === jobName && isOpen(job));
    if (open.length > 0) await this.#client.cancel(open.map(({ job }) => String(job.id)));
    this.#landed.delete(jobName);
    this.#cancelled.set(jobName, this.clock.monotonicMs());
    this.#refresh();
    this.#looker.ask();
    this.#tell();
  }

  async tend(): Promise<void> {
    const seen = this.#snapshot;
    if (seen === undefined || this.#choresOf(seen).length === 0) return;
    // In turn with whoever is in the middle of the same, and from what is there then.
    await this.#lane.run(async () => {
      const chores = this.#choresOf(await this.#takeSnapshot());
      await doChores({ client: this.#client, who: this.#who, onDone: this.#choreDone }, chores);
    });
  }

  async stop(): Promise<void> {
    await Promise.all([this.#looker.stop(), this.#signs.stop()]);
    this.#listeners.clear();
  }

  #choresOf(snapshot: SlurmSnapshot): readonly Chore[] {
    return choresOf(snapshot, this.#who, { opensNodes: this.#settings.actMode === "on" });
  }

  async #submitToOpen(request: JobRequest): Promise<number> {
    return await submitJob(this.#place, request, {
      jobs: await this.#jobs.get(),
      closed: undefined,
    });
  }

  async #submitToClosed(request: JobRequest): Promise<number> {
    const { actMode } = this.#settings;
    // One that was planned while acting was on.
    if (actMode !== "on") {
      const problem = closedToTests[actMode];
      throw refused(this.#who, request, problem, new NodeRefusal(problem));
    }
    return await this.#lane.run(async () => {
      const snapshot = await this.#takeSnapshot();
      const { node } = request.intent;
      const input = { client: this.#client, who: this.#who, node, snapshot };
      try {
        const id = await testClosedNode(input, (closed) =>
          submitJob(this.#place, request, { jobs: snapshot.jobs, closed }),
        );
        this.#troubles.succeeded(node);
        return id;
      } catch (error) {
        if (!(error instanceof NodeRefusal)) throw error;
        this.#troubles.failed(node, error.message, this.clock.monotonicMs());
        this.#refresh();
        throw refused(this.#who, request, error.message, error);
      }
    });
  }

  get #who(): SlurmIdentity {
    return this.#identity.who;
  }
  get #place() {
    const { client, env } = this.#options;
    const partition = partitionOf(this.#snapshot?.partitions ?? [], this.#settings.partition);
    const timeLimitMs = partition?.maxTimeMs;
    return { client, env, who: this.#who, settings: this.#settings, timeLimitMs };
  }

  async #takeSnapshot(signal?: AbortSignal): Promise<SlurmSnapshot> {
    const { user } = await this.#identity.told(signal);
    return takeSnapshot(this.#client, { atMs: this.clock.nowMs(), user, signal });
  }

  async #look(signal: AbortSignal): Promise<void> {
    const begunMs = this.clock.monotonicMs();
    const snapshot = await this.#takeSnapshot(signal);
    this.#snapshot = snapshot;
    this.#names.look(snapshot);
    const names = new Set(snapshot.jobs.map(({ name }) => name));
    for (const [name, { landedMs }] of this.#landed) {
      if (landedMs < begunMs) this.#landed.delete(name);
    }
    for (const [name, askedMs] of this.#cancelled) {
      if (askedMs < begunMs && !names.has(name)) this.#cancelled.delete(name);
    }
    this.#troubles.keepOnly(new Set(snapshot.nodes.map(({ name: node }) => node)));
    this.#refresh();
    this.#signs.look(snapshot.nodes, snapshot.atMs);
  }

  /** Works out the view again from what was last seen; without a node in it, it stays as it was. */
  #refresh(): void {
    if (this.#snapshot === undefined || this.#names.leavesNone) return;
    const monotonicMs = this.clock.monotonicMs();
    this.#fleet = fleetOf({
      snapshot: this.#snapshot,
      who: this.#who,
      settings: this.#settings,
      troubles: this.#troubles.current(monotonicMs),
      cancelledForMs: new Map(
        [...this.#cancelled].map(([name, askedMs]) => [name, monotonicMs - askedMs]),
      ),
    });
  }

  #seen(): void {
    if (this.#names.leavesNone) return this.#failed();
    if (this.#complaints.delete(untrusted)) {
      this.#options.log.info({ cluster: this.name }, "The view of the cluster is current again.");
    }
    this.#tell();
  }

  /** Says so once, not at every attempt. */
  #failed(): void {
    const trust = this.#names.trust(this.#looker.trust());
    if (trust.state !== "current" && !this.#complaints.has(untrusted)) {
      this.#complaints.add(untrusted);
      this.#options.log.warn({ cluster: this.name }, trust.reason);
    }
    this.#tell();
  }

  #complain(text: string): void {
    if (this.#complaints.has(text) || this.#complaints.size >= complaintsMax) return;
    this.#complaints.add(text);
    this.#options.log.warn({ cluster: this.name }, text);
  }

  readonly #choreDone = (chore: Chore): void => {
    this.#options.log.info({ cluster: this.name }, choreText(chore));
    this.#looker.ask();
  };

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const untrusted = "untrusted";
const complaintsMax = 100;

/**
 * A cluster of Slurm's, through its own programs. All it knows comes from asking the controller now
 * and then; all it does are jobs, drains that say so, and reservations while a closed node is tested.
 */
export function createSlurmCluster(options: SlurmClusterOptions): Cluster {
  return new SlurmCluster(options);
}
