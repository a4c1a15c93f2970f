import type { ClusterSnapshot } from "./cluster-snapshot.ts";

/** Answers from the same snapshots. */
interface Shelf<T> {
  readonly snapshots: readonly ClusterSnapshot[];
  readonly answers: Map<string, Promise<T>>;
}

const shelvesMax = 8;

/** Answers made once for the snapshots they come from and given to all who ask, for as long as those are shown. */
export class SnapshotAnswers<T> {
  readonly #answersMax: number;
  /** By the first of the snapshots, so that nothing is kept of those that are gone. */
  readonly #shelves = new WeakMap<ClusterSnapshot, Shelf<T>[]>();

  /** `answersMax` are kept of the same snapshots, the newest. */
  constructor(answersMax: number) {
    this.#answersMax = answersMax;
  }

  get(snapshots: readonly ClusterSnapshot[], key: string, make: () => T | Promise<T>): Promise<T> {
    const answers = this.#answersFrom(snapshots);
    const known = answers.get(key);
    if (known !== undefined) return known;
    const made = (async () => await make())();
    answers.set(key, made);
    // A failure is for those who asked now; the next ones ask again.
    made.catch(() => {
      if (answers.get(key) === made) answers.delete(key);
    });
    const [oldest] = answers.keys();
    if (answers.size > this.#answersMax && oldest !== undefined) answers.delete(oldest);
    return made;
  }

  #answersFrom(snapshots: readonly ClusterSnapshot[]): Map<string, Promise<T>> {
    const [first] = snapshots;
    if (first === undefined) return new Map();
    const shelves = this.#shelves.get(first) ?? [];
    const known = shelves.find((one) => isSame(one.snapshots, snapshots));
    if (known !== undefined) return known.answers;
    const answers = new Map<string, Promise<T>>();
    this.#shelves.set(first, [...shelves, { snapshots, answers }].slice(-shelvesMax));
    return answers;
  }
}

function isSame(some: readonly ClusterSnapshot[], others: readonly ClusterSnapshot[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at]);
}
