/** More names than this in one list are not a fleet but a mistake. */
const hostsMax = 100_000;

/**
 * The names in Slurm's short form: `g[001-003,7]-ib[0-1],x` has nine. Their order is that of the
 * text, the last brackets counting fastest. Empty for an empty text and for Slurm's words for none.
 *
 * @throws Error when brackets do not match, a range runs backwards, or there are over 100,000 names
 */
export function expandHostlist(text: string): string[] {
  const trimmed = text.trim();
  if (["", "(null)", "None", "N/A", "None assigned"].includes(trimmed)) return [];
  const hosts: string[] = [];
  for (const word of splitOutside(trimmed)) {
    const names = expandWord(word);
    if (hosts.length + names.length > hostsMax) throw tooMany();
    for (const name of names) hosts.push(name);
  }
  return hosts;
}

/** Cuts at commas that are in no brackets. */
function splitOutside(text: string): string[] {
  const words: string[] = [];
  let inside = false;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === "[" || char === "]") {
      if (inside === (char === "[")) throw new Error(`the brackets of ${shown(text)} do not match`);
      inside = !inside;
    } else if (char === "," && !inside) {
      words.push(text.slice(start, at));
      start = at + 1;
    }
  }
  if (inside) throw new Error(`the brackets of ${shown(text)} do not match`);
  words.push(text.slice(start));
  if (words.some((word) => word === "")) throw new Error(`a name in ${shown(text)} is empty`);
  return words;
}

function expandWord(word: string): string[] {
  // What stands before, in and after brackets takes turns: text, ranges, text, ranges, text.
  const parts = word.split(/[[\]]/);
  let names = [parts[0] ?? ""];
  for (let at = 1; at + 1 < parts.length; at += 2) {
    const middles = expandRanges(parts[at] ?? "", word);
    const after = parts[at + 1] ?? "";
    if (names.length * middles.length > hostsMax) throw tooMany();
    names = names.flatMap((name) => middles.map((middle) => `${name}${middle}${after}`));
  }
  return names;
}

function expandRanges(text: string, word: string): string[] {
  const numbers: string[] = [];
  for (const range of text.split(",")) {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? [];
    if (first === undefined || last === undefined) {
      throw new Error(`${shown(range)} in ${shown(word)} is no range of numbers`);
    }
    const count = Number(last) - Number(first) + 1;
    if (count < 1) throw new Error(`the range ${shown(range)} runs backwards`);
    if (numbers.length + count > hostsMax) throw tooMany();
    for (let at = 0; at < count; at++) {
      // Zeros in front are part of the name: as wide as the first number is written.
      numbers.push(String(Number(first) + at).padStart(first.length, "0"));
    }
  }
  return numbers;
}

function tooMany(): Error {
  return new Error(`a list of more than ${hostsMax} names`);
}

function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
