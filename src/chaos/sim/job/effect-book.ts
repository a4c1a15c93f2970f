import type { PlannedFault } from "../../plan/index.ts";
import type { InjectionRecord } from "../../record/index.ts";
import type { InjectionMoment, OnInjection } from "../../world.ts";
import type { SimEngine } from "../engine/index.ts";
import type { LinkMatch } from "../network/scope.ts";

/** Where the effect of a fault is looked for. */
export type Aspect =
  /** A process that ended, could not be started, or reports its device. */
  | "process"
  /** Work that a device took and did not finish. */
  | "hang"
  | "pace"
  /** Something that a process did not take notice of. */
  | "frozen"
  | "links"
  | "collective"
  | "values"
  | "memory"
  | "memory-split"
  | "store-time"
  | "store-room"
  | "store-content";

/** Effects that may be seen after the fault was taken back. */
const lateAspects: ReadonlySet<Aspect> = new Set([
  "process",
  "values",
  "collective",
  "store-content",
]);

interface Watch {
  readonly id: string;
  readonly aspect: Aspect;
  /** Null: wherever it is seen. */
  readonly slots: ReadonlySet<number> | null;
  readonly matches: LinkMatch | null;
}

/**
 * Faults and what was seen of them. The parts of the job report what they miss or meet; only a fault that
 * somebody met has an effect.
 */
export class EffectBook {
  readonly #engine: SimEngine;
  readonly #records: Map<string, Mutable<InjectionRecord>>;
  readonly #watches = new Map<Aspect, Watch[]>();
  readonly #onInjection: OnInjection | undefined;

  constructor(engine: SimEngine, faults: readonly InjectionRecord[], onInjection?: OnInjection) {
    this.#engine = engine;
    this.#onInjection = onInjection;
    this.#records = new Map(faults.map((fault) => [fault.id, { ...fault }]));
  }

  get records(): readonly InjectionRecord[] {
    return [...this.#records.values()];
  }

  injected(
    fault: PlannedFault,
    watch: {
      readonly aspect: Aspect;
      readonly slots?: readonly number[];
      readonly matches?: LinkMatch;
    },
  ): void {
    const record = this.#recordOf(fault.id);
    record.injectedUs = this.#engine.nowUs;
    this.#tell("injected", record);
    this.#engine.note("fault.injected", fault.trigger.kind.length, record.ranks.length);
    const { aspect, slots, matches = null } = watch;
    const all = this.#watches.get(aspect) ?? [];
    this.#watches.set(aspect, all);
    all.push({
      id: fault.id,
      aspect,
      slots: slots === undefined ? null : new Set(slots),
      matches,
    });
  }

  reverted(id: string): void {
    const record = this.#recordOf(id);
    record.revertedUs = this.#engine.nowUs;
    this.#tell("reverted", record);
    for (const [aspect, all] of this.#watches) {
      if (lateAspects.has(aspect)) continue;
      this.#watches.set(
        aspect,
        all.filter((watch) => watch.id !== id),
      );
    }
  }

  /** Whether a fault of this kind is in force whose effect nobody has seen. Cheap. */
  isWatching(aspect: Aspect): boolean {
    if (this.#watches.size === 0) return false;
    const all = this.#watches.get(aspect);
    return all !== undefined && all.length > 0;
  }

  /** Somebody met something at a slot. */
  saw(aspect: Aspect, slot: number, sentence: string): void {
    if (!this.isWatching(aspect)) return;
    this.#seen(aspect, sentence, ({ slots }) => slots === null || slots.has(slot));
  }

  /** Something between these slots did not pass, or took longer. */
  sawBetween(slots: readonly number[], sentence: string): void {
    if (!this.isWatching("links")) return;
    this.#seen("links", sentence, ({ matches }) => matches === null || anyPair(slots, matches));
  }

  /** The effect of one fault, where who met it knows which one it is. */
  sawFault(id: string, aspect: Aspect, sentence: string): void {
    if (this.isWatching(aspect)) this.#seen(aspect, sentence, (watch) => watch.id === id);
  }

  #seen(aspect: Aspect, sentence: string, isMet: (watch: Watch) => boolean): void {
    const left: Watch[] = [];
    for (const watch of this.#watches.get(aspect) ?? []) {
      if (!isMet(watch)) {
        left.push(watch);
        continue;
      }
      const record = this.#recordOf(watch.id);
      record.effectUs = this.#engine.nowUs;
      record.effect = sentence;
      this.#tell("effect", record);
      this.#engine.note("fault.effect", record.ranks.length);
    }
    this.#watches.set(aspect, left);
  }

  #tell(moment: InjectionMoment, record: InjectionRecord): void {
    this.#onInjection?.(moment, { ...record });
  }

  #recordOf(id: string): Mutable<InjectionRecord> {
    const record = this.#records.get(id);
    if (record === undefined) throw new Error(`${id} is no fault of the plan`);
    return record;
  }
}

function anyPair(slots: readonly number[], matches: LinkMatch): boolean {
  return slots.some((from) => slots.some((to) => from !== to && matches(from, to)));
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
