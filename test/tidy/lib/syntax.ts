import { type ESTree, parseSync } from "rolldown/utils";
import type { SourceFile } from "./tree.ts";

/** A node of the syntax tree with the way up to the root. */
export interface Located {
  readonly node: ESTree.Node;
  readonly parent: Located | undefined;
}

export interface ImportUse {
  readonly specifier: string;
  readonly line: number;
}

/** What a parser knows about one source file. */
export interface Syntax {
  /** Every node, parents before children. */
  readonly nodes: readonly Located[];
  readonly comments: readonly { readonly text: string; readonly line: number }[];
  /** Static, dynamic and type imports, and re-exports. */
  readonly imports: readonly ImportUse[];
  readonly errors: readonly { readonly message: string; readonly line: number }[];
  /** Line of an offset into the text, from 1. */
  lineOf(offset: number): number;
}

const cache = new WeakMap<SourceFile, Syntax>();

/** Whether a file holds code we can parse. */
export function isCode(file: SourceFile): boolean {
  return /\.(tsx?|mts|mjs|js)$/.test(file.path);
}

/** Parses a file, once. A file with errors gives the errors and whatever else was understood. */
export function parse(file: SourceFile): Syntax {
  const known = cache.get(file);
  if (known !== undefined) return known;
  const result = parseSync(file.path, file.text);
  const lineOf = lineFinder(file.text);
  const nodes = flatten(result.program);
  const syntax: Syntax = {
    nodes,
    comments: result.comments.map(({ value, start }) => ({ text: value, line: lineOf(start) })),
    imports: importsOf(nodes, lineOf),
    errors: result.errors.map(({ message, labels }) => ({
      message,
      line: lineOf(labels[0]?.start ?? 0),
    })),
    lineOf,
  };
  cache.set(file, syntax);
  return syntax;
}

/** The nodes of one type, with that type. */
export function nodesOf<Type extends ESTree.Node["type"]>(syntax: Syntax, type: Type) {
  type Wanted = Located & { readonly node: Extract<ESTree.Node, { type: Type }> };
  return syntax.nodes.filter((located): located is Wanted => located.node.type === type);
}

/** The value of a string literal, or of a template without holes. */
export function stringValue(node: ESTree.Node | null | undefined): string | undefined {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type === "TemplateLiteral" && node.expressions.length === 0) {
    return node.quasis[0]?.value.cooked ?? undefined;
  }
  return undefined;
}

/** `a.b.c` for a chain of plain names, undefined for anything else. */
export function dottedName(node: ESTree.Node): string | undefined {
  if (node.type === "Identifier") return node.name;
  if (node.type !== "MemberExpression") return undefined;
  const object = dottedName(node.object);
  const property = memberName(node);
  return object === undefined || property === undefined ? undefined : `${object}.${property}`;
}

function memberName(node: ESTree.MemberExpression): string | undefined {
  if (node.computed) return stringValue(node.property);
  return node.property.type === "Identifier" ? node.property.name : undefined;
}

function importsOf(nodes: readonly Located[], lineOf: (offset: number) => number): ImportUse[] {
  return nodes.flatMap(({ node }) => {
    const specifier = stringValue(sourceOf(node));
    return specifier === undefined ? [] : [{ specifier, line: lineOf(node.start) }];
  });
}

function sourceOf(node: ESTree.Node): ESTree.Node | null | undefined {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
    case "ImportExpression":
    case "TSImportType":
      return node.source;
    default:
      return undefined;
  }
}

function flatten(program: ESTree.Node): Located[] {
  const nodes: Located[] = [];
  const visit = (node: ESTree.Node, parent: Located | undefined) => {
    const located = { node, parent };
    nodes.push(located);
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (isNode(child)) visit(child, located);
      }
    }
  };
  visit(program, undefined);
  return nodes;
}

function isNode(value: unknown): value is ESTree.Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
