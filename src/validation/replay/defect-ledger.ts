import { secondsPerHour } from "../prioritize/index.ts";

/** A defect that is on a node now. */
interface ActiveDefect {
  readonly id: string;
  readonly kind: string;
  readonly node: number;
  readonly onsetS: number;
  /** Tests that were finished on the node while it had this defect. */
  tests: number;
}

/** How long a defect was active, and whether anyone found it. */
export interface EndedDefect {
  readonly hours: number;
  readonly wasFound: boolean;
}

/** The truth of a replay: which defects there are, and what became of them. */
export class DefectLedger {
  readonly #byNode = new Map<number, ActiveDefect[]>();
  readonly #nodeOf = new Map<string, number>();
  readonly #over = new Set<string>();
  readonly ended: EndedDefect[] = [];

  /** True when an event with these causes would not happen any more: all of them are over. */
  isMoot(causes: readonly string[]): boolean {
    return causes.length > 0 && causes.every((id) => this.#over.has(id));
  }

  isDefective(node: number): boolean {
    return this.#byNode.has(node);
  }

  begin(
    defect: { readonly id: string; readonly kind: string; node: number },
    onsetS: number,
  ): void {
    const { id, kind, node } = defect;
    const others = this.#byNode.get(node) ?? [];
    this.#byNode.set(node, [...others, { id, kind, node, onsetS, tests: 0 }]);
    this.#nodeOf.set(id, node);
  }

  /** A defect that befalls a node under repair goes with the repair. */
  neverBegin(id: string): void {
    this.#over.add(id);
  }

  /** Counts a finished test for each defect of the node, and asks of each whether it shows. */
  test(
    node: number,
    shows: (defect: { id: string; kind: string; nth: number }) => boolean,
  ): boolean {
    // Every defect is asked: what one of them draws must not depend on another.
    const answers = (this.#byNode.get(node) ?? []).map((defect) => {
      const { id, kind } = defect;
      return shows({ id, kind, nth: defect.tests++ });
    });
    return answers.includes(true);
  }

  /** The node was found: whatever it has is repaired. */
  find(node: number, atS: number): void {
    for (const defect of this.#byNode.get(node) ?? []) this.#end(defect, atS, true);
    this.#byNode.delete(node);
  }

  /** Somebody else repaired this defect. Defects that are not active stay as they are. */
  repair(id: string, atS: number): void {
    const node = this.#nodeOf.get(id);
    if (node === undefined) return;
    const here = this.#byNode.get(node) ?? [];
    const defect = here.find((one) => one.id === id);
    if (defect === undefined) return;
    this.#end(defect, atS, false);
    const others = here.filter((one) => one !== defect);
    if (others.length === 0) this.#byNode.delete(node);
    else this.#byNode.set(node, others);
  }

  /** The log ends: what nobody found was active until now. */
  close(atS: number): void {
    for (const defects of this.#byNode.values()) {
      for (const defect of defects) this.#end(defect, atS, false);
    }
    this.#byNode.clear();
  }

  #end({ id, onsetS }: ActiveDefect, atS: number, wasFound: boolean): void {
    this.#over.add(id);
    this.ended.push({ hours: (atS - onsetS) / secondsPerHour, wasFound });
  }
}
