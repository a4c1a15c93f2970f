/** What happens after a fault, in the order it usually does. */
export const phaseNames = ["detect", "cordon", "drain", "reschedule", "serving"] as const;
export type PhaseName = (typeof phaseNames)[number];

/** When each phase was over, in milliseconds since the fault was injected; null: never seen. */
export type PhaseTimes = Readonly<Record<PhaseName, number | null>>;

/** A node as a recovery sees it. */
export interface NodeLook {
  readonly cordoned: boolean;
  /** Who cordoned it. */
  readonly by: string;
  /** A detector says that something is wrong with it. */
  readonly detected: boolean;
}

/** A pod of the workload as a recovery sees it. */
export interface PodLook {
  readonly name: string;
  /** Absent while it waits for one. */
  readonly node?: string;
  readonly serving: boolean;
  readonly terminating: boolean;
}

/** Something was seen. */
export type Observation =
  | { readonly kind: "node"; readonly atMs: number; readonly node: NodeLook }
  | { readonly kind: "pods"; readonly atMs: number; readonly pods: readonly PodLook[] };

/** A line of what happened when. */
export interface RecoveryEvent {
  readonly atMs: number;
  readonly text: string;
}

export interface RecoveryTrackerOptions {
  /** The node that the fault is on. */
  readonly node: string;
  /** How many pods must serve. */
  readonly podsWanted: number;
  /** Lines kept at most; later ones are counted. @default 500 */
  readonly eventsMax?: number;
}

/**
 * Finds the phases of a recovery in what is seen of the cluster. Times are those at which something
 * was seen, by one clock, so that no two machines' clocks are compared. Pure but for its memory.
 */
export class RecoveryTracker {
  readonly #options: Required<RecoveryTrackerOptions>;
  readonly #marks: Record<PhaseName, number | null> = {
    detect: null,
    cordon: null,
    drain: null,
    reschedule: null,
    serving: null,
  };
  readonly #events: RecoveryEvent[] = [];
  #injectedMs: number | undefined;
  #cordonedBy: string | undefined;
  #node: NodeLook | undefined;
  /** As it was when the fault came: what was so before is not the fault's doing. */
  #nodeBefore: NodeLook | undefined;
  #pods: readonly PodLook[] | undefined;
  #eventsLost = 0;

  constructor(options: RecoveryTrackerOptions) {
    this.#options = { eventsMax: 500, ...options };
  }

  /** Who cordoned the node, once somebody has. */
  get cordonedBy(): string | undefined {
    return this.#cordonedBy;
  }

  get injectedMs(): number | undefined {
    return this.#injectedMs;
  }

  /** When each phase was over, since the fault. */
  get times(): PhaseTimes {
    const injectedMs = this.#injectedMs ?? 0;
    const since = (at: number | null) => (at === null ? null : at - injectedMs);
    const entries = phaseNames.map((name) => [name, since(this.#marks[name])]);
    return Object.fromEntries(entries) as PhaseTimes;
  }

  /** What happened, oldest first, at most `eventsMax`. */
  get events(): readonly RecoveryEvent[] {
    const lost = this.#eventsLost;
    const last = this.#events.at(-1)?.atMs ?? 0;
    return lost === 0 ? [...this.#events] : [...this.#events, { atMs: last, text: `${lost} more` }];
  }

  /** The fault is in: from here on phases count. */
  injected(atMs: number): void {
    if (this.#injectedMs !== undefined) return;
    this.#injectedMs = atMs;
    this.#nodeBefore = this.#node;
    this.#note(atMs, "the fault is injected");
  }

  /** The pods serve again without having moved. */
  recovered(atMs: number): void {
    this.#reach("serving", atMs, "the pods serve where they were");
  }

  /** Takes in what was seen. */
  observe(observation: Observation): void {
    const { atMs } = observation;
    if (observation.kind === "node") this.#seeNode(observation.node, atMs);
    else this.#seePods(observation.pods, atMs);
    this.#look(atMs);
  }

  #seeNode(node: NodeLook, atMs: number): void {
    if (node.cordoned && this.#node?.cordoned !== true) {
      this.#note(atMs, `node ${this.#options.node} is cordoned by ${node.by}`);
    }
    this.#node = node;
  }

  #seePods(pods: readonly PodLook[], atMs: number): void {
    const text = (pod: PodLook) => `pod ${pod.name} on ${pod.node ?? "no node"}: ${wordOf(pod)}`;
    const before = new Map((this.#pods ?? []).map((pod) => [pod.name, text(pod)]));
    for (const pod of pods) {
      if (before.get(pod.name) !== text(pod)) this.#note(atMs, text(pod));
      before.delete(pod.name);
    }
    for (const name of before.keys()) this.#note(atMs, `pod ${name} is gone`);
    this.#pods = pods;
  }

  /** Which phases are over by what is seen now. Nothing counts before the fault. */
  #look(atMs: number): void {
    if (this.#injectedMs === undefined) return;
    this.#lookAtNode(atMs);
    if (this.#marks.cordon === null || this.#pods === undefined) return;
    const { node, podsWanted } = this.#options;
    if (this.#pods.every((pod) => pod.node !== node)) {
      this.#reach("drain", atMs, `no pod is left on ${node}`);
    }
    const elsewhere = this.#pods.filter(
      (pod) => pod.node !== undefined && pod.node !== node && !pod.terminating,
    );
    if (elsewhere.length >= podsWanted) {
      this.#reach("reschedule", atMs, `${podsWanted} pods have nodes other than ${node}`);
    }
    if (elsewhere.filter(({ serving }) => serving).length >= podsWanted) {
      this.#reach("serving", atMs, `${podsWanted} pods serve elsewhere`);
    }
  }

  #lookAtNode(atMs: number): void {
    const now = this.#node;
    const before = this.#nodeBefore;
    if (now?.detected === true && before?.detected !== true) {
      this.#reach("detect", atMs, "a detector's mark is on the node");
    }
    if (now?.cordoned !== true) return;
    const isNew = before?.cordoned !== true || before.by !== now.by;
    // A node that was cordoned before cannot show it again; that it was detected must do.
    if (!isNew && this.#marks.detect === null) return;
    this.#cordonedBy ??= now.by;
    if (now.by !== "other") this.#reach("detect", atMs, "the cordon says so");
    this.#reach("cordon", atMs);
  }

  #reach(phase: PhaseName, atMs: number, text?: string): void {
    if (this.#injectedMs === undefined || this.#marks[phase] !== null) return;
    this.#marks[phase] = atMs;
    this.#note(atMs, `${phase} is done${text === undefined ? "" : `: ${text}`}`);
  }

  #note(atMs: number, text: string): void {
    if (this.#events.length < this.#options.eventsMax) this.#events.push({ atMs, text });
    else this.#eventsLost++;
  }
}

function wordOf(pod: PodLook): string {
  if (pod.terminating) return "is ending";
  return pod.serving ? "serves" : "does not serve";
}
