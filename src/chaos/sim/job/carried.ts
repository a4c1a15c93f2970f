import type { EventId, EventKind, SimEngine } from "../engine/index.ts";
import { never } from "../network/index.ts";

/** Something that links carry, and how long they take for all of it as they are. */
export interface Carried {
  readonly us: number;
  /** Time on top of it that has nothing to do with links. @default 0 */
  readonly extraUs?: number;
  /** As links are now; `never`: nobody can tell, and it goes on as before. */
  readonly usNow: () => number;
  /** It will be there at another time. */
  readonly moved?: (doneUs: number) => void;
  readonly done: () => void;
}

interface Underway {
  readonly what: Carried;
  /** For all of it. */
  us: number;
  doneUs: number;
  event: EventId;
}

/** What disturbed links carry: the rest of it goes faster once they are better. */
export class CarriedByLinks {
  readonly #engine: SimEngine;
  readonly #underway = new Map<number, Underway>();
  readonly #done: EventKind;
  #begun = 0;

  constructor(engine: SimEngine) {
    this.#engine = engine;
    this.#done = engine.kind("exchange.carried", (at) => {
      const underway = this.#underway.get(at);
      this.#underway.delete(at);
      underway?.what.done();
    });
  }

  begin(what: Carried): void {
    const at = this.#begun++ | 0;
    const doneUs = this.#engine.nowUs + what.us + (what.extraUs ?? 0);
    const event = this.#engine.at(doneUs, this.#done, at);
    this.#underway.set(at, { what, us: what.us, doneUs, event });
  }

  /** Something that was done to links is over. */
  linksHealed(): void {
    const { nowUs } = this.#engine;
    for (const [at, underway] of this.#underway) {
      const us = underway.what.usNow();
      if (us >= underway.us || us === never) continue;
      const leftUs = underway.doneUs - nowUs;
      const onLinksUs = Math.min(leftUs, underway.us);
      const soonerUs = onLinksUs - Math.ceil((onLinksUs * us) / underway.us);
      this.#engine.cancel(underway.event);
      underway.us = us;
      underway.doneUs -= soonerUs;
      underway.event = this.#engine.at(underway.doneUs, this.#done, at);
      underway.what.moved?.(underway.doneUs);
    }
  }
}
