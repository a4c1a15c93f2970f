import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
} from "yaml";
import { messageOf } from "../../../platform/errors/index.ts";
import { isYamlNestedTooDeeply, yamlTooDeep } from "../../../platform/files/index.ts";

/** Where in the text, both counted from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

export interface TextProblem {
  readonly place: TextPlace;
  readonly problem: string;
}

/** A YAML text as a plain value, and where each part of it stands. */
export interface YamlText {
  readonly value: unknown;
  readonly problems: readonly TextProblem[];
  /** Of a part, by the keys and indices that lead to it; of the nearest part around it that is there. */
  placeOf(path: readonly PropertyKey[], of?: "key" | "value"): TextPlace;
}

// Aliases may save some typing; a file that expands into thousands of values is an attack.
const aliasesMax = 100;

const faults: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: "a tab is used to indent; YAML wants spaces",
  MULTIPLE_DOCS: "the file must hold one document; remove what follows `---`",
};

/** Reads YAML 1.2. What is wrong with its form is in `problems`; the value is then undefined. */
export function readYamlText(text: string): YamlText {
  const lines = new LineCounter();
  const placeAt = (offset: number): TextPlace => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  if (isYamlNestedTooDeeply(text)) return withProblem(yamlTooDeep, placeAt(0));
  // Our own check for keys given twice takes no quadratic time.
  const document = parseDocument(text, {
    version: "1.2",
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
  });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) {
    const problem = faults[fault.code] ?? `this is not valid YAML: ${lowerFirst(fault.message)}`;
    return withProblem(problem, placeAt(fault.pos[0]));
  }
  const duplicate = firstDuplicate(document);
  if (duplicate !== undefined) {
    return withProblem(`the key \`${duplicate.name}\` is given twice`, placeAt(duplicate.offset));
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: aliasesMax });
    return { value, problems: [], placeOf: (path, of) => placeOf(document, { path, of, placeAt }) };
  } catch (error) {
    const reason = messageOf(error);
    const problem = reason.includes("alias")
      ? "its aliases expand into too many values"
      : `this is not valid YAML: ${lowerFirst(reason)}`;
    return withProblem(problem, placeAt(0));
  }
}

function withProblem(problem: string, place: TextPlace): YamlText {
  return { value: undefined, problems: [{ place, problem }], placeOf: () => place };
}

function firstDuplicate(
  document: Document.Parsed,
): { readonly name: string; readonly offset: number } | undefined {
  const open: unknown[] = [document.contents];
  while (open.length > 0) {
    const node = open.pop();
    if (isSeq(node)) open.push(...node.items);
    if (!isMap(node)) continue;
    const seen = new Set<string>();
    for (const pair of node.items) {
      const name = keyName(pair);
      if (seen.has(name)) return { name, offset: offsetOf(pair.key) ?? 0 };
      seen.add(name);
      open.push(pair.value);
    }
  }
  return undefined;
}

function placeOf(
  document: Document.Parsed,
  options: {
    readonly path: readonly PropertyKey[];
    readonly of: "key" | "value" | undefined;
    readonly placeAt: (offset: number) => TextPlace;
  },
): TextPlace {
  const { path, of = "value", placeAt } = options;
  let node: unknown = document.contents;
  let offset = offsetOf(node) ?? 0;
  for (const [at, step] of path.entries()) {
    const isLast = at === path.length - 1;
    const resolved: unknown = isAlias(node) ? node.resolve(document) : node;
    if (isMap(resolved)) {
      const pair = resolved.items.find((item) => keyName(item) === String(step));
      if (pair === undefined) break;
      node = pair.value;
      const wanted = isLast && of === "key" ? pair.key : (pair.value ?? pair.key);
      offset = offsetOf(wanted) ?? offsetOf(pair.key) ?? offset;
    } else if (isSeq(resolved)) {
      node = resolved.items[Number(step)];
      if (node === undefined) break;
      offset = offsetOf(node) ?? offset;
    } else break;
  }
  return placeAt(offset);
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

function keyName({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : "?";
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
