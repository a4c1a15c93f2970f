/** One crash of a job, as a puzzle: which of its nodes was it, or was it the job itself? */
export interface CrashRecord {
  readonly nodes: readonly number[];
  /** For each of its nodes, the rate at which it is expected to cause crashes. */
  readonly blame: Float64Array;
  /** The rate of what is not a node: a bug of the job, a storm over the fleet. */
  readonly elsewhere: number;
}

/** What else could have caused a crash, seen from one of its nodes: the rate of all the others. */
export function blameOfOthers({ blame, elsewhere }: CrashRecord, place: number): number {
  let sum = elsewhere;
  for (let other = 0; other < blame.length; other++) if (other !== place) sum += blame[other] ?? 0;
  return sum;
}

/** Something that was seen of a node. */
export type Sign =
  | { readonly type: "crash"; readonly crash: CrashRecord; readonly place: number }
  | { readonly type: "kernel"; readonly xid: number }
  | { readonly type: "passed" | "found"; readonly check: number }
  | { readonly type: "repair" };

/** A sign, and the quiet stretch before it. */
export interface Entry {
  readonly hours: number;
  readonly busyHours: number;
  readonly sign: Sign;
}

/** What is kept of a node at most. Older signs say little about today. */
export const entriesMax = 1000;

/** Everything seen of one node, in order, and how long it was busy since the last of it. */
export class NodeHistory {
  readonly entries: Entry[] = [];
  #sinceS: number;
  #busyS = 0;
  #busyFromS: number | undefined;

  constructor(startS: number) {
    this.#sinceS = startS;
  }

  get isBusy(): boolean {
    return this.#busyFromS !== undefined;
  }

  setBusy(isBusy: boolean, nowS: number): void {
    if (this.#busyFromS !== undefined) this.#busyS += nowS - this.#busyFromS;
    this.#busyFromS = isBusy ? nowS : undefined;
  }

  /** The stretch since the last sign. */
  quietUntil(nowS: number): { readonly hours: number; readonly busyHours: number } {
    const running = this.#busyFromS === undefined ? 0 : nowS - this.#busyFromS;
    return { hours: (nowS - this.#sinceS) / 3600, busyHours: (this.#busyS + running) / 3600 };
  }

  /** Crashes seen in about the last so many hours before the last sign, newest first. */
  recentCrashes(hours: number): readonly CrashRecord[] {
    const crashes: CrashRecord[] = [];
    let passed = 0;
    for (let at = this.entries.length - 1; at >= 0 && passed < hours; at--) {
      const entry = this.entries[at];
      if (entry?.sign.type === "crash") crashes.push(entry.sign.crash);
      passed += entry?.hours ?? 0;
    }
    return crashes;
  }

  add(sign: Sign, nowS: number): void {
    this.entries.push({ ...this.quietUntil(nowS), sign });
    if (this.entries.length > entriesMax) this.entries.splice(0, entriesMax / 2);
    this.restart(nowS);
  }

  /** Begins a new stretch without a sign: what was before is over, as after a repair. */
  restart(nowS: number): void {
    this.#sinceS = nowS;
    this.#busyS = 0;
    if (this.#busyFromS !== undefined) this.#busyFromS = nowS;
  }
}
