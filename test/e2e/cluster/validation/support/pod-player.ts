import {
  createReflector,
  isNotFound,
  type KubeClient,
  type KubeObject,
  type Reflector,
  resourceTypes,
} from "../../../../../src/platform/kube/index.ts";
import { createRng } from "../../../../../src/platform/rng/index.ts";
import { createRealClock, sleep } from "../../../../../src/platform/time/index.ts";
import {
  encodeResult,
  handIn,
  runPaths,
  wasAccepted,
} from "../../../../../src/validation/collect/index.ts";

const clock = createRealClock();

/** Each is enough alone. */
const ways = ["post", "file", "both"] as const;

export interface PodPlayerOptions {
  /** Its own, not the loop's. */
  readonly client: KubeClient;
  /** The cluster's name in the configuration. */
  readonly cluster: string;
  /** What the pods' volume is on this machine. */
  readonly resultsDir: string;
  /** How long a pod runs, drawn anew for each. @default 50 to 400 ms */
  readonly runMs?: { readonly min: number; readonly max: number };
  /** How they hand in. @default each way now and then */
  readonly way?: (typeof ways)[number];
}

interface OwnPod {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly isRunning: boolean;
  readonly env: Readonly<Record<string, string>>;
}

interface PodObject extends KubeObject {
  readonly spec: {
    readonly containers: readonly {
      readonly env?: readonly { readonly name: string; readonly value?: string }[];
    }[];
  };
  readonly status?: { readonly phase?: string };
}

/** Is the program in the pods of KWOK: reads its environment, hands a result in, and ends. */
export class PodPlayer {
  readonly #options: PodPlayerOptions;
  readonly #pods: Reflector<OwnPod, PodObject>;
  readonly #rng = createRng("pods").stream("run times");
  readonly #played = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #gate = new Gate();
  /** Runs whose result was taken from their pods. */
  readonly accepted = new Set<string>();
  /** Runs whose pods have ended or are about to. */
  readonly over = new Set<string>();
  /** Pods that run because they are held. */
  held = 0;
  /** What went wrong; nothing may. */
  readonly complaints: string[] = [];

  constructor(options: PodPlayerOptions) {
    const { client, cluster } = options;
    this.#options = options;
    this.#pods = createReflector<OwnPod, PodObject>({
      client,
      type: resourceTypes.pods,
      labelSelector: `app.kubernetes.io/managed-by=tessera,tessera.dev/cluster=${cluster}`,
      project: ownPod,
      clock,
      random: this.#rng,
      backoff: { baseMs: 50, maxMs: 500 },
    });
  }

  start(): void {
    this.#pods.subscribe((event) => {
      if (event.type === "synced" || event.type === "deleted") return;
      const { isRunning, uid } = event.object;
      if (isRunning && !this.#played.has(uid)) this.#played.set(uid, this.#play(event.object));
    });
    this.#pods.start();
  }

  /** From now on pods go on running, until `release`. */
  hold(): void {
    this.#gate.close();
  }

  release(): void {
    this.#gate.open();
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error("the pods are ended"));
    this.#gate.open();
    await this.#pods.stop();
    await Promise.all(this.#played.values());
  }

  async #play(pod: OwnPod): Promise<void> {
    const { signal } = this.#stopping;
    const { min, max } = this.#options.runMs ?? { min: 50, max: 400 };
    try {
      await sleep(clock, min + this.#rng.int(max - min + 1), signal);
      this.held++;
      await this.#gate.opened;
      this.held--;
      signal.throwIfAborted();
      await this.#handIn(pod);
      await this.#end(pod);
    } catch (error) {
      if (!signal.aborted) this.complaints.push(`${pod.name}: ${String(error)}`);
    }
  }

  async #handIn({ env, name }: OwnPod): Promise<void> {
    const variable = (suffix: string) => env[`TESSERA_${suffix}`] ?? "";
    const subject = {
      id: variable("RUN_ID"),
      cluster: variable("CLUSTER"),
      node: variable("NODE"),
      check: variable("CHECK"),
    };
    const token = variable("RUN_TOKEN");
    const plannedAtMs = Number(variable("PLANNED_AT")) * 1000;
    const endedAtMs = clock.nowMs();
    const document = encodeResult(
      {
        runId: subject.id,
        outcome: "completed",
        startedAtMs: endedAtMs,
        endedAtMs,
        figures: { throughput: { samples: this.#samples(), higherIsBetter: true, unit: "GB/s" } },
        hardFacts: [],
        facts: { pod: name },
      },
      { subject, token },
    );
    const way = this.#options.way ?? ways[this.#rng.int(ways.length)];
    const receipt = await handIn({
      document,
      token,
      ...(way === "file" ? {} : { resultUrl: variable("RESULT_URL") }),
      ...(way === "post"
        ? {}
        : { paths: runPaths(this.#options.resultsDir, { ...subject, plannedAtMs }) }),
      clock,
      rng: this.#rng,
      deadlineMs: 90_000,
    });
    if (wasAccepted(receipt)) this.accepted.add(subject.id);
    else this.complaints.push(`${name}: ${JSON.stringify(receipt)}`);
  }

  #samples(): readonly number[] {
    return Array.from({ length: 20 }, () => 100 + this.#rng.float());
  }

  /** Ends as a container does that returned 0; asks again while the server is away. */
  async #end({ name, namespace, env }: OwnPod): Promise<void> {
    const { client } = this.#options;
    const state = { terminated: { exitCode: 0, reason: "Completed" } };
    const container = { name: "check", image: "", imageID: "", ready: false, restartCount: 0 };
    const status = { phase: "Succeeded", containerStatuses: [{ ...container, state }] };
    // Noted first: whoever sees its end acts after that.
    this.over.add(env["TESSERA_RUN_ID"] ?? "");
    for (;;) {
      try {
        const ref = { namespace, name };
        await client.patch(
          resourceTypes.pods,
          ref,
          { merge: { status } },
          { subresource: "status" },
        );
        return;
      } catch (error) {
        if (isNotFound(error)) return;
        await sleep(clock, 200, this.#stopping.signal);
      }
    }
  }
}

/** Something to wait at. */
class Gate {
  #opened = Promise.resolve();
  #open = () => {};

  get opened(): Promise<void> {
    return this.#opened;
  }

  close(): void {
    this.open();
    this.#opened = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  open(): void {
    this.#open();
  }
}

function ownPod({ metadata, spec, status }: PodObject): OwnPod {
  const env = spec.containers[0]?.env ?? [];
  return {
    name: metadata.name ?? "",
    namespace: metadata.namespace ?? "",
    uid: metadata.uid ?? "",
    isRunning: status?.phase === "Running" && metadata.deletionTimestamp === undefined,
    env: Object.fromEntries(env.map(({ name, value = "" }) => [name, value])),
  };
}
