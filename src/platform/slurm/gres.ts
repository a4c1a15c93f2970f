import type { SlurmGres } from "./words.ts";

/** Shares of a GPU, not GPUs: counting them would count the GPU twice. */
const shares = new Set(["mps", "shard"]);

/**
 * Reads what a node has or what of it is in use: `gpu:h100:8(S:0-1),nic:2`. One without a count
 * counts once; what is only a share of something else is left out.
 *
 * @throws Error when it is not a list of that kind
 */
export function parseGres(text: string): SlurmGres[] {
  const trimmed = text.trim();
  if (["", "(null)", "N/A"].includes(trimmed)) return [];
  return splitOutside(trimmed)
    .map(parseOne)
    .filter(({ name }) => !shares.has(name));
}

/** Cuts at commas that are in no parentheses: `gpu:h100:2(IDX:0,3),nic:1`. */
function splitOutside(text: string): string[] {
  const words: string[] = [];
  let depth = 0;
  let word = "";
  for (const char of text) {
    if (char === "(") depth++;
    else if (char === ")") depth--;
    else if (depth === 0 && char === ",") {
      words.push(word);
      word = "";
    } else if (depth === 0) word += char;
  }
  if (depth !== 0) throw new Error(`the parentheses of ${JSON.stringify(text)} do not match`);
  return [...words, word];
}

const suffixes: Readonly<Record<string, number>> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

function parseOne(text: string): SlurmGres {
  const parts = text.replace(/^gres[:/]/, "").split(":");
  const [, digits, suffix = ""] = /^(\d+)([KMG]?)$/i.exec(parts.at(-1) ?? "") ?? [];
  const count = digits === undefined ? 1 : Number(digits) * (suffixes[suffix.toUpperCase()] ?? 1);
  const words = digits === undefined || parts.length === 1 ? parts : parts.slice(0, -1);
  // Between name and count may stand how it is bound: `gpu:no_consume:4`.
  const [name, ...types] = words.filter((word) => word !== "no_consume");
  if (name === undefined || !/^[A-Za-z_][\w.-]*$/.test(name)) {
    throw new Error(`${JSON.stringify(text)} is no generic resource`);
  }
  return { name, type: types.join(":"), count };
}
