import type { ESTree } from "rolldown/utils";
import type { Finding, Rule } from "./rule.ts";
import { dottedName, isCode, type Located, parse, stringValue } from "./syntax.ts";
import type { SourceFile, Tree } from "./tree.ts";

export const lengthLimits = { fileLines: 300, functionLines: 70, lineColumns: 140 } as const;

export const lengthRule: Rule = {
  name: "length",
  promise: "files stay under 300 lines, functions under 70, lines under 140 columns",
  find: findLong,
};

/** Files, functions and lines over the limits. Lists of tests are not functions. */
function findLong(tree: Tree): readonly Finding[] {
  return tree
    .filter(isCode)
    .flatMap((file) => [...longFile(file), ...longFunctions(file), ...longLines(file)]);
}

function longFile({ path, text }: SourceFile): Finding[] {
  const lines = text.trimEnd().split("\n").length;
  if (lines <= lengthLimits.fileLines) return [];
  const message = `has ${lines} lines; the limit is ${lengthLimits.fileLines}: split it by idea`;
  return [{ path, what: "file", message }];
}

function longFunctions(file: SourceFile): Finding[] {
  const { nodes, lineOf } = parse(file);
  return nodes.flatMap((located) => {
    const { node } = located;
    if (!isFunction(node) || isListOfTests(located, file.path)) return [];
    const line = lineOf(node.start);
    const lines = lineOf(node.end) - line + 1;
    if (lines <= lengthLimits.functionLines) return [];
    const name = functionName(located);
    const message = `${name} has ${lines} lines; the limit is ${lengthLimits.functionLines}`;
    return [{ path: file.path, line, what: name, message }];
  });
}

/** Code and comments; a sentence, a page or a pattern stays in one piece. */
function longLines(file: SourceFile): Finding[] {
  const lines = file.text.split("\n");
  if (lines.every((content) => content.length <= lengthLimits.lineColumns)) return [];
  const textLines = linesOfLongText(file);
  return lines.flatMap((content, index) => {
    const line = index + 1;
    if (content.length <= lengthLimits.lineColumns || textLines.has(line)) return [];
    const message = `is ${content.length} columns wide; the limit is ${lengthLimits.lineColumns}`;
    return [{ path: file.path, line, what: "line", message }];
  });
}

function linesOfLongText(file: SourceFile): ReadonlySet<number> {
  const { nodes, lineOf } = parse(file);
  const lines = new Set<number>();
  for (const { node } of nodes) {
    const isText =
      node.type === "TemplateLiteral" || stringValue(node) !== undefined || "regex" in node;
    if (!isText || node.end - node.start < lengthLimits.lineColumns / 2) continue;
    for (let line = lineOf(node.start); line <= lineOf(node.end); line++) lines.add(line);
  }
  return lines;
}

function isFunction(node: ESTree.Node): node is ESTree.Function | ESTree.ArrowFunctionExpression {
  return (
    node.type === "FunctionDeclaration" ||
    node.type === "FunctionExpression" ||
    node.type === "ArrowFunctionExpression"
  );
}

/**
 * A list of tests is no function in this sense: the callback of `describe(...)`, also of
 * `describe.each(...)(...)` and of `describeCluster(...)`, and in test/ a function that registers tests for several suites.
 */
function isListOfTests({ node, parent }: Located, path: string): boolean {
  const call = parent?.node;
  if (call?.type === "CallExpression" && call.callee !== node) {
    return /^(describe\w*|suite)\b/.test(calleeName(call));
  }
  if (!path.startsWith("test/") || !isFunction(node) || node.body?.type !== "BlockStatement") {
    return false;
  }
  return node.body.body.some(
    (statement) =>
      statement.type === "ExpressionStatement" &&
      statement.expression.type === "CallExpression" &&
      /^(describe\w*|suite|it|test)\b/.test(calleeName(statement.expression)),
  );
}

/** `describe.each` for `describe.each(...)(...)`. */
function calleeName(call: ESTree.CallExpression): string {
  let callee: ESTree.Node = call.callee;
  while (callee.type === "CallExpression") callee = callee.callee;
  return dottedName(callee) ?? "";
}

function functionName({ node, parent }: Located): string {
  if ("id" in node && node.id?.type === "Identifier") return node.id.name;
  const owner = parent?.node;
  if (owner?.type === "VariableDeclarator" && owner.id.type === "Identifier") return owner.id.name;
  if (
    owner?.type === "MethodDefinition" ||
    owner?.type === "Property" ||
    owner?.type === "PropertyDefinition"
  ) {
    return dottedName(owner.key) ?? "a method";
  }
  return "a function";
}
