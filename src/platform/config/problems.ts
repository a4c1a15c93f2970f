import { TesseraError } from "../errors/index.ts";

/** Where something is wrong: a line of the file, a variable, a flag. */
export interface Place {
  readonly name: string;
  readonly line?: number;
}

interface Problem {
  readonly place: Place;
  readonly text: () => string;
}

// More would not be read; the texts are only made for these, since they cost a search.
const shownMax = 20;
// A file of nothing but errors is not worth remembering whole.
const rememberedMax = 1000;

/** Collects everything that is wrong, so that a person can mend it all in one go. */
export class Problems {
  readonly #remembered: Problem[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(place: Place, text: () => string): void {
    this.#count += 1;
    if (this.#remembered.length < rememberedMax) this.#remembered.push({ place, text });
  }

  /** Throws E_CONFIG_INVALID with every problem in the order of lines, if there is any. */
  throwIfAny(): void {
    const lines = this.#remembered.toSorted(byPlace).slice(0, shownMax).map(describe);
    const [first] = lines;
    if (first === undefined) return;
    throw new TesseraError("E_CONFIG_INVALID", {
      summary: this.#count === 1 ? first : list(lines, this.#count),
      problems: lines,
      count: this.#count,
    });
  }
}

function byPlace({ place: one }: Problem, { place: other }: Problem): number {
  return one.name === other.name ? (one.line ?? 0) - (other.line ?? 0) : 0;
}

function describe({ place, text }: Problem): string {
  return `${placeText(place)}: ${text()}`;
}

/** As a person would look it up: `tessera.yaml:12`. */
export function placeText({ name, line }: Place): string {
  return line === undefined ? name : `${name}:${line}`;
}

function list(lines: readonly string[], count: number): string {
  const rest = count - lines.length;
  const items = [...lines, ...(rest === 0 ? [] : [`and ${rest} more`])];
  return `${count} problems:\n${items.map((item) => `- ${item}\n`).join("")}Nothing was done.`;
}
