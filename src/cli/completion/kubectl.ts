import type { CompletionNode, CompletionValue } from "./model.ts";

// What kubectl expects after the words: a sum of flags, of which 4 says "offer no files".
const noFiles = ":4";
const files = ":0";

/**
 * What kubectl is answered when it asks what may follow `kubectl tessera`: a line for each word and
 * one that says whether files fit as well. The last of the words is the one being typed.
 */
export function kubectlCompletion(
  nodes: readonly CompletionNode[],
  words: readonly string[],
): string {
  const typed = words.at(-1) ?? "";
  const { node, place, pending } = walk(nodes, words.slice(0, -1));
  const value = pending ?? placeValue(node, { place, typed });
  const offered = value.words.filter((word) => word.startsWith(typed));
  const wantsFiles = value.words.length === 0 && value.completes !== undefined;
  return [...offered, wantsFiles ? files : noFiles, ""].join("\n");
}

/** Where on the command line the words lead. */
function walk(
  nodes: readonly CompletionNode[],
  words: readonly string[],
): {
  readonly node: CompletionNode | undefined;
  readonly place: number;
  /** The value that an option before the word being typed waits for. */
  readonly pending: CompletionValue | undefined;
} {
  let node = nodes.find(({ path }) => path === "");
  let place = 0;
  let pending: CompletionValue | undefined;
  for (const word of words) {
    if (pending !== undefined) {
      pending = undefined;
    } else if (word.startsWith("-")) {
      pending = node?.options.find(({ names }) => names.includes(word))?.value;
    } else {
      const path = [node?.path ?? "", word].join(" ").trim();
      const next = nodes.find((other) => other.path === path);
      if (next === undefined) place++;
      else node = next;
    }
  }
  return { node, place, pending };
}

function placeValue(
  node: CompletionNode | undefined,
  given: { readonly place: number; readonly typed: string },
): CompletionValue {
  const { place, typed } = given;
  if (node === undefined) return { words: [] };
  if (typed.startsWith("-")) return { words: node.options.flatMap(({ names }) => names) };
  if (node.children.length > 0) {
    return { words: place === 0 ? node.children.map(({ name }) => name) : [] };
  }
  const last = node.arguments.at(-1);
  return node.arguments[place] ?? (last?.variadic === true ? last : { words: [] });
}
