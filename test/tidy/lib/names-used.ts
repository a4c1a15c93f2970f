import type { ESTree } from "rolldown/utils";
import { dottedName, type Located, nodesOf, type Syntax, stringValue } from "./syntax.ts";

/** A use of something from outside the module: `Date.now`, `new Date()`, `node:crypto.randomUUID`. */
export interface NameUse {
  readonly name: string;
  readonly line: number;
}

const globalObjects = /^(globalThis|global|window)\./;

/**
 * Every dotted name a module uses, as the program would look it up: globals and their members,
 * names destructured from them, and imported names with the module in front. Text in comments and
 * strings, property keys, types, and names the module declares itself are not uses.
 */
export function namesUsed(syntax: Syntax): readonly NameUse[] {
  const declared = declaredNames(syntax);
  const imported = importedNames(syntax);
  return syntax.nodes.flatMap((located) => {
    const { node } = located;
    const line = syntax.lineOf(node.start);
    const names = [...referencedName(located), ...destructuredNames(node), ...callOfName(node)];
    return names
      .filter((name) => !declared.has(firstPart(name)))
      .map((name) => ({ name: fullName(name, imported), line }));
  });
}

function fullName(name: string, imported: ReadonlyMap<string, string>): string {
  const first = firstPart(name);
  const origin = imported.get(first);
  if (origin !== undefined) return `${origin}${name.slice(first.length)}`;
  return name.replace(globalObjects, "");
}

/** Names the module declares itself; they hide the globals of the same name. */
function declaredNames(syntax: Syntax): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { node, parent } of syntax.nodes) {
    if (node.type !== "Identifier" || parent === undefined) continue;
    if (isDeclaration(node, parent.node) || isDestructured(node, parent)) names.add(node.name);
  }
  return names;
}

function isDeclaration(node: ESTree.Node, parent: ESTree.Node): boolean {
  switch (parent.type) {
    case "VariableDeclarator":
    case "ClassDeclaration":
      return parent.id === node;
    case "FunctionDeclaration":
    case "FunctionExpression":
      return parent.id === node || parent.params.some((parameter) => parameter === node);
    case "ArrowFunctionExpression":
      return parent.params.some((parameter) => parameter === node);
    default:
      return false;
  }
}

/** The `a` of `const { a } = options` and of `({ a }) => a`. */
function isDestructured(node: ESTree.Node, { node: property, parent }: Located): boolean {
  const inPattern = parent?.node.type === "ObjectPattern" || parent?.node.type === "ArrayPattern";
  return inPattern && property.type === "Property" && property.value === node;
}

/** Local names of imports, each with where it comes from: `c` -> `node:crypto`. */
function importedNames(syntax: Syntax): ReadonlyMap<string, string> {
  const origins = new Map<string, string>();
  for (const { node } of nodesOf(syntax, "ImportDeclaration")) {
    const module = node.source.value;
    for (const specifier of node.specifiers) {
      origins.set(specifier.local.name, `${module}${memberPath(specifier)}`);
    }
  }
  return origins;
}

function memberPath(specifier: ESTree.ImportDeclarationSpecifier): string {
  if (specifier.type !== "ImportSpecifier") return "";
  const { imported } = specifier;
  return `.${imported.type === "Identifier" ? imported.name : imported.value}`;
}

/** `const { now } = Date` uses `Date.now`. */
function destructuredNames(node: ESTree.Node): string[] {
  if (node.type !== "VariableDeclarator" || node.id.type !== "ObjectPattern") return [];
  const object = node.init === null ? undefined : dottedName(node.init);
  if (object === undefined) return [];
  return node.id.properties.flatMap((property) => {
    if (property.type !== "Property") return [];
    const key = property.computed ? stringValue(property.key) : dottedName(property.key);
    return key === undefined ? [] : [`${object}.${key}`];
  });
}

/** Calls without arguments that mean something else than calls with some. */
function callOfName(node: ESTree.Node): string[] {
  if (node.type !== "NewExpression" && node.type !== "CallExpression") return [];
  if (node.arguments.length > 0) return [];
  const name = dottedName(node.callee)?.replace(globalObjects, "");
  if (name !== "Date") return [];
  return [node.type === "NewExpression" ? "new Date()" : "Date()"];
}

/** The whole chain that ends here; the parts of a longer chain are not uses of their own. */
function referencedName({ node, parent }: Located): string[] {
  if (node.type !== "Identifier" && node.type !== "MemberExpression") return [];
  if (parent === undefined || isPartOfName(node, parent.node)) return [];
  const name = dottedName(node);
  return name === undefined ? [] : [name];
}

function isPartOfName(node: ESTree.Node, parent: ESTree.Node): boolean {
  switch (parent.type) {
    case "MemberExpression":
      return parent.object === node ? dottedName(parent) !== undefined : !parent.computed;
    case "Property":
    case "MethodDefinition":
    case "PropertyDefinition":
      return parent.key === node && !parent.computed;
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSNonNullExpression":
    case "TSInstantiationExpression":
      return parent.expression !== node;
    default:
      return parent.type.startsWith("Import") || parent.type.startsWith("TS");
  }
}

function firstPart(name: string): string {
  return name.split(".", 1)[0] ?? name;
}
