import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  LineCounter,
  type Node,
  parseAllDocuments,
} from "yaml";
import { didYouMean } from "../../../../platform/config/index.ts";
import { messageOf } from "../../../../platform/errors/index.ts";
import { isYamlNestedTooDeeply, yamlTooDeep } from "../../../../platform/files/index.ts";
import type { TemplateSource } from "../settings.ts";
import {
  isPlaceholder,
  type Json,
  namesIn,
  type PlaceholderName,
  placeholderOf,
  placeholders,
  soleName,
} from "./placeholders.ts";
import { templateError } from "./template-error.ts";

/** A template that has been read: its tree, and where each part of it stands in the file. */
export interface ParsedTemplate {
  readonly file: string;
  readonly tree: { readonly [key: string]: Json };
  /** The error for what is at a path, or nearest to it. */
  error(path: readonly (string | number)[], problem: string): Error;
}

const charsMax = 262_144;
const nodesMax = 20_000;
// Aliases may save some typing; a file that expands into thousands of values is an attack.
const aliasCountMax = 100;

/**
 * Reads a template and looks at its placeholders.
 *
 * @throws TesseraError E_TEMPLATE_INVALID with line and column.
 */
export function parseTemplate({ file, text }: TemplateSource): ParsedTemplate {
  if (text.length > charsMax) {
    throw templateError(file, undefined, `it is longer than ${charsMax} characters`);
  }
  const lines = new LineCounter();
  const placeAt = (offset: number | undefined) => {
    const { line, col } = lines.linePos(offset ?? 0);
    return { line: line || 1, column: col || 1 };
  };
  const document = soleDocument(file, text, lines, placeAt);
  checkPlaceholders(document, (node, problem) => {
    throw templateError(file, placeAt(node.range?.[0]), problem);
  });
  const error = (path: readonly (string | number)[], problem: string) =>
    templateError(file, placeAt(nearest(document, path)?.range?.[0]), problem);
  return { file, tree: treeOf(document, error), error };
}

function soleDocument(
  file: string,
  text: string,
  lines: LineCounter,
  placeAt: (offset: number | undefined) => { line: number; column: number },
): Document.Parsed {
  if (isYamlNestedTooDeeply(text)) throw templateError(file, placeAt(0), yamlTooDeep);
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false });
  const [document, second] = Array.isArray(documents) ? documents : [];
  const fault = document?.errors[0] ?? document?.warnings[0];
  if (fault !== undefined) {
    throw templateError(file, placeAt(fault.pos[0]), `this is not valid YAML: ${fault.message}`);
  }
  if (document === undefined || !isMap(document.contents)) {
    throw templateError(file, placeAt(0), "it must be one object with apiVersion and kind");
  }
  if (second !== undefined) {
    const problem = "it must hold one document; remove what follows `---`";
    throw templateError(file, placeAt(second.range[0]), problem);
  }
  return document;
}

function treeOf(
  document: Document.Parsed,
  error: ParsedTemplate["error"],
): { readonly [key: string]: Json } {
  try {
    return document.toJS({ maxAliasCount: aliasCountMax }) as { readonly [key: string]: Json };
  } catch (thrown) {
    throw error([], messageOf(thrown));
  }
}

type Complain = (node: Node, problem: string) => never;

/** Every placeholder must be known and stand where it can; those that are required must be there. */
function checkPlaceholders(document: Document.Parsed, complain: Complain): void {
  const used = new Set<PlaceholderName>();
  const open: unknown[] = [document.contents];
  for (let seen = 0; open.length > 0; seen++) {
    const node = open.pop();
    const tooMany = seen > nodesMax && isNode(node);
    if (tooMany) complain(node, `it has more than ${nodesMax} parts`);
    if (isPair(node)) open.push(node.value, node.key);
    else if (isCollection(node)) open.push(...node.items);
    else if (isScalar(node) && typeof node.value === "string")
      for (const name of checkText(node as Node, node.value, complain)) used.add(name);
  }
  for (const [name, { what }] of Object.entries(placeholders)) {
    if (!isPlaceholder(name) || placeholderOf(name).required !== true || used.has(name)) continue;
    const top = document.contents as Node;
    complain(top, `it does not use {{${name}}} (${what})`);
  }
}

function checkText(node: Node, text: string, complain: Complain): readonly PlaceholderName[] {
  const sole = soleName(text);
  return namesIn(text).map((name) => {
    if (!isPlaceholder(name)) {
      const known = Object.keys(placeholders);
      const meant = didYouMean(name, known) || `; there are ${known.join(", ")}`;
      return complain(node, `{{${name}}} is no placeholder${meant}`);
    }
    const { kind, optional } = placeholderOf(name);
    const mustStandAlone = kind === "list" || kind === "object" || optional === true;
    if (mustStandAlone && sole === undefined) {
      complain(node, `{{${name}}} must stand alone, not within a text`);
    }
    return name;
  });
}

function isNode(value: unknown): value is Node {
  return isScalar(value) || isCollection(value) || isAlias(value);
}

/** The node at a path, or the innermost above it that there is; for a key, the key. */
function nearest(document: Document.Parsed, path: readonly (string | number)[]): Node | undefined {
  let node: unknown = document.contents;
  let found: unknown = node;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (!isCollection(node)) break;
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && key.value === step)
      : undefined;
    const next: unknown = isMap(node) ? pair?.value : node.items[Number(step)];
    if (next === undefined) break;
    found = pair?.key ?? next;
    node = next;
  }
  return found as Node | undefined;
}
