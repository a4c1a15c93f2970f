import type { KubeClient, KubeObject, Reflector } from "../../../platform/kube/index.ts";
import type { Logger } from "../../../platform/log/index.ts";
import type { Clock } from "../../../platform/time/index.ts";
import type {
  Cluster,
  ClusterView,
  JobRequest,
  NodeControls,
  Sign,
  ViewTrust,
} from "../cluster.ts";
import { SignQueue } from "../sign-queue.ts";
import { Fleet } from "./discovery/fleet.ts";
import { needsOfTemplate } from "./discovery/needs-of-template.ts";
import type { NodeSummary } from "./discovery/project-node.ts";
import type { PodSummary } from "./discovery/project-pod.ts";
import { createWatches, type Watches } from "./discovery/watches.ts";
import { cancelJob, type JobPlace, submitJob } from "./jobs/submit.ts";
import { leaseNameOf } from "./labels.ts";
import { createNodeControls } from "./node-controls.ts";
import type { KubernetesRole } from "./rights.ts";
import { type KubernetesSettings, resolveKubernetesSettings } from "./settings.ts";
import { NodeMemory, nodeSigns, podSigns } from "./signs/signs.ts";
import { compileTemplate, type JobTemplate } from "./template/job-template.ts";
import { trustOf } from "./trust.ts";

export interface KubernetesClusterOptions {
  /** The cluster's name in the configuration. */
  readonly name: string;
  /** Stays the caller's: closing it is not for us. */
  readonly client: KubeClient;
  /** Clients with the rights of one role each; theirs too. @default `client` for all roles */
  readonly clientOf?: Readonly<Partial<Record<KubernetesRole, KubeClient>>>;
  readonly clock: Clock;
  /** For the jitter of waits; any stream of an Rng. */
  readonly random: { float(): number };
  readonly log: Logger;
  readonly settings: KubernetesSettings;
  /** How a watch goes about failures; for tests. */
  readonly watch?: {
    readonly idleTimeoutMs?: number;
    readonly backoff?: { readonly baseMs: number; readonly maxMs: number };
  };
}

const listenersMax = 256;

/** A Kubernetes cluster: its nodes, our jobs on them, from watches. */
class KubernetesCluster implements Cluster {
  readonly name: string;
  readonly kind = "kubernetes";
  readonly provenance = "measured";
  readonly clock: Clock;
  readonly checks: Cluster["checks"];
  readonly controls: NodeControls | undefined;
  readonly #log: Logger;
  readonly #template: JobTemplate;
  readonly #place: JobPlace;
  readonly #fleet: Fleet;
  readonly #watches: Watches;
  readonly #signs = new SignQueue();
  readonly #memory = new NodeMemory();
  readonly #listeners = new Set<() => void>();
  #started = false;
  #complained = false;

  constructor(options: KubernetesClusterOptions) {
    const { name, client, clock, clientOf = {} } = options;
    const { reader = client, submitter = client, cordoner = client } = clientOf;
    const settings = resolveKubernetesSettings(options.settings, client.config);
    this.name = name;
    this.clock = clock;
    this.#log = options.log;
    this.checks = { available: settings.checks, unavailable: settings.unavailableChecks };
    this.#template = compileTemplate(settings, { cluster: name });
    const requirements = needsOfTemplate(this.#template, settings);
    const partial = settings.nodeSelector !== undefined;
    this.#fleet = new Fleet({ needs: requirements.needs, partial });
    const { type } = this.#template;
    this.#place = {
      client: submitter,
      type,
      namespace: settings.namespace,
      cluster: name,
      ownerLease: settings.ownedByLease ? leaseNameOf(name) : undefined,
    };
    this.#watches = createWatches({
      ...options,
      client: reader,
      settings,
      jobType: type,
      requirements,
      onFailure: () => this.#failed(),
    });
    this.controls = settings.nodeControls
      ? createNodeControls({ ...options, client: cordoner, reader, cluster: name })
      : undefined;
  }

  start(): void {
    if (this.#started) return;
    this.#started = true;
    for (const warning of this.#template.warnings) this.#log.warn(warning);
    const { nodes, pods, jobs } = this.#watches;
    this.#follow(nodes, (change) => this.#nodeChanged(change));
    this.#follow(pods, (change) => this.#podChanged(change));
    this.#follow(jobs, ({ key, now }) => this.#fleet.setJob(key, now));
    for (const watch of [nodes, pods, jobs]) watch.start();
  }

  view(): ClusterView {
    return {
      atMs: this.clock.nowMs(),
      trust: this.#trust(),
      nodes: this.#fleet.nodes(),
      jobs: this.#fleet.jobs(),
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
    const { purpose, node } = request.intent;
    // Somebody else may have closed the node since this was planned: then the job must not land there.
    const cordoned = this.#fleet.node(node)?.awaitsAcceptance ?? purpose === "acceptance";
    await submitJob(this.#place, this.#template.job({ request, cordoned }));
  }

  async cancel(jobName: string): Promise<void> {
    await cancelJob(this.#place, jobName);
  }

  async stop(): Promise<void> {
    const { nodes, pods, jobs } = this.#watches;
    await Promise.all([nodes, pods, jobs].map((watch) => watch.stop()));
    this.#listeners.clear();
  }

  /** Applies every change of a watch, and tells listeners once the first list is complete. */
  #follow<T, Source extends KubeObject>(
    watch: Reflector<T, Source>,
    apply: (change: Change<T>) => void,
  ): void {
    let listed = false;
    watch.subscribe((event) => {
      if (event.type === "synced") {
        listed = true;
        this.#synced();
        return;
      }
      apply({
        key: event.key,
        now: event.type === "deleted" ? undefined : event.object,
        before:
          event.type === "added"
            ? undefined
            : event.type === "deleted"
              ? event.object
              : event.previous,
        listed,
      });
      if (listed) this.#tell();
    });
  }

  #nodeChanged({ key, now, listed }: Change<NodeSummary>): void {
    this.#fleet.setNode(key, now);
    if (now === undefined) return;
    const before = this.#memory.swap(now);
    // What was there when we came may be old news.
    if (listed) this.#signs.add(nodeSigns(before, now, this.clock.nowMs()));
  }

  #podChanged({ key, now, before, listed }: Change<PodSummary>): void {
    this.#fleet.setPod(key, now, before);
    if (now !== undefined && listed) {
      this.#signs.add(podSigns(before, now, this.clock.nowMs()));
    }
  }

  #trust(): ViewTrust {
    const { nodes, pods, jobs } = this.#watches;
    return trustOf([
      { what: "nodes", freshness: nodes.freshness },
      { what: "pods", freshness: pods.freshness },
      { what: "jobs", freshness: jobs.freshness },
    ]);
  }

  /** Says so once, not at every attempt. */
  #failed(): void {
    const trust = this.#trust();
    if (trust.state !== "current" && !this.#complained) {
      this.#log.warn({ cluster: this.name }, trust.reason);
      this.#complained = true;
    }
    this.#tell();
  }

  #synced(): void {
    if (this.#complained && this.#trust().state === "current") {
      this.#log.info({ cluster: this.name }, "The view of the cluster is current again.");
      this.#complained = false;
    }
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** A change of something that is watched. */
interface Change<T> {
  readonly key: string;
  readonly now: T | undefined;
  readonly before: T | undefined;
  /** Whether it happened before our eyes, after the first list. */
  readonly listed: boolean;
}

/**
 * A cluster on a Kubernetes API. All it knows comes from three watches (nodes, pods, jobs of ours);
 * all it does are jobs, and marks on nodes.
 *
 * @throws TesseraError E_TEMPLATE_INVALID before anything else happens.
 */
export function createKubernetesCluster(options: KubernetesClusterOptions): Cluster {
  return new KubernetesCluster(options);
}
