import type { Fact, ReportItem } from "../../../platform/reporters/index.ts";

/** A part of a machine that a sentence names. */
export interface NamedPart {
  /** `GPU 3`. */
  readonly name: string;
  /** The board it is, or another name that lasts. */
  readonly board?: string;
}

const partPattern = /\b(gpu|device|rank|process) (\d{1,5})\b(?: \(([^()\s]{1,80})\))?/gi;
/** What follows tells the good from the bad, and names good ones. */
const othersFollow = /\b(?:differ from those|than the other)\b/;
const elementPattern = /\[(\d{1,15}), (\d{1,15})\]/;
const placePattern = /\b(row|column|element|word|byte|parameter) (\d{1,15})\b/g;
const placesMax = 8;

/** The parts that a hard fact blames, by their names, each once. */
export function partsIn(sentence: string): readonly NamedPart[] {
  const [blaming = ""] = sentence.split(othersFollow, 1);
  const parts = new Map<string, NamedPart>();
  for (const [, kind = "", number = "", board] of blaming.matchAll(partPattern)) {
    const lower = kind.toLowerCase();
    const name = `${lower === "gpu" ? "GPU" : lower} ${Number(number)}`;
    const known = parts.get(name)?.board ?? board;
    parts.set(name, { name, ...(known === undefined ? {} : { board: known }) });
  }
  return [...parts.values()];
}

/** Where in an answer a hard fact found something wrong: `row 12`, `column 40`, the first of each. */
export function placesIn(sentence: string): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const [, row, column] = elementPattern.exec(sentence) ?? [];
  if (row !== undefined) places.set("row", Number(row)).set("column", Number(column));
  for (const [, kind = "", number] of sentence.matchAll(placePattern)) {
    if (!places.has(kind)) places.set(kind, Number(number));
  }
  return places;
}

/** What a hard fact names, as facts of its own. */
export function namedFacts(sentence: string): readonly Fact[] {
  const parts = partsIn(sentence);
  const boards = parts.flatMap(({ board }) => board ?? []);
  const texts = [
    ["suspect", parts.map(({ name }) => name).join(", ")],
    ["board", boards.join(", ")],
    ...[...placesIn(sentence)].map(([kind, at]) => [kind, String(at)] as const),
  ] as const;
  return texts
    .filter(([, value]) => value !== "")
    .map(([name, value]) => ({ name, value, unit: "", provenance: "measured" }));
}

/** Every part that hard facts name, the most named first. */
export function suspectItems(hardFacts: readonly string[]): readonly ReportItem[] {
  const named = new Map<string, { board?: string; readonly sentences: string[] }>();
  for (const sentence of hardFacts) {
    for (const { name, board } of partsIn(sentence)) {
      const known = named.get(name) ?? { sentences: [] };
      if (board !== undefined) known.board ??= board;
      known.sentences.push(sentence);
      named.set(name, known);
    }
  }
  return [...named]
    .toSorted(([, a], [, b]) => b.sentences.length - a.sentences.length)
    .map(([name, { board, sentences }]): ReportItem => {
      const count = `${sentences.length} of ${hardFacts.length}`;
      return {
        name: board === undefined ? name : `${name} (${board})`,
        status: "suspect",
        label: "named",
        reason: `Named by ${count} ${hardFacts.length === 1 ? "hard fact" : "hard facts"}.`,
        facts: placeFacts(sentences),
      };
    });
}

function placeFacts(sentences: readonly string[]): readonly Fact[] {
  const places = sentences
    .map((sentence) => [...placesIn(sentence)].map(([kind, at]) => `${kind} ${at}`).join(", "))
    .filter((text) => text !== "");
  return [...new Set(places)]
    .slice(0, placesMax)
    .map((value, at) => ({ name: `place ${at + 1}`, value, unit: "", provenance: "measured" }));
}
