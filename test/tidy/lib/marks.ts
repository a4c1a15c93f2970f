import type { Finding, Rule } from "./rule.ts";
import { dottedName, isCode, type Located, nodesOf, parse, type Syntax } from "./syntax.ts";
import type { SourceFile, Tree } from "./tree.ts";

const unfinished = /\b(TODO|FIXME|XXX|HACK)\b/;
const shellComment = /^\s*#(.*)$/;

/** Folders that exist on the machine of whoever wrote the line, and on no other. */
const privatePath = /(?:^|[\s"'`(=:,<>])(\/(?:home\/\w+|Users\/\w+|root|work)\/)/;
/** Tests make up users. */
const madeUpPath = /^\/(home|Users)\//;

const runners = new Set(["describe", "it", "suite", "test"]);

export const marksRule: Rule = {
  name: "marks",
  promise:
    "no unfinished marks, focused or silently skipped tests, mocks of our own, private paths",
  find: findMarks,
};

/** Marks that do not belong in what is committed. */
function findMarks(tree: Tree): readonly Finding[] {
  return tree.flatMap((file) => [
    ...unfinishedMarks(file),
    ...privatePaths(file),
    ...(file.path.startsWith("test/") && isCode(file) ? testMarks(file) : []),
  ]);
}

function unfinishedMarks(file: SourceFile): Finding[] {
  return commentsOf(file).flatMap(({ text, line }) => {
    const mark = unfinished.exec(text)?.[1];
    if (mark === undefined) return [];
    return [{ path: file.path, line, what: mark, message: `says ${mark}: finish it or drop it` }];
  });
}

function commentsOf(file: SourceFile): readonly { readonly text: string; readonly line: number }[] {
  if (isCode(file)) return parse(file).comments;
  if (!/\.(sh|ya?ml)$|^\.ci\//.test(file.path)) return [];
  return file.text.split("\n").flatMap((content, index) => {
    const text = shellComment.exec(content)?.[1];
    return text === undefined ? [] : [{ text, line: index + 1 }];
  });
}

function privatePaths({ path, text }: SourceFile): Finding[] {
  return text.split("\n").flatMap((content, index) => {
    const what = privatePath.exec(content)?.[1];
    if (what === undefined || (path.startsWith("test/") && madeUpPath.test(what))) return [];
    const message = `names ${what}, a folder of somebody's machine`;
    return [{ path, line: index + 1, what, message }];
  });
}

function testMarks(file: SourceFile): Finding[] {
  const syntax = parse(file);
  return [...focusedOrSkipped(syntax), ...mocksOfOurOwn(syntax)].map(
    ({ offset, what, message }) => ({
      path: file.path,
      line: syntax.lineOf(offset),
      what,
      message,
    }),
  );
}

interface Mark {
  readonly offset: number;
  readonly what: string;
  readonly message: string;
}

function focusedOrSkipped(syntax: Syntax): Mark[] {
  return nodesOf(syntax, "MemberExpression").flatMap((located) => {
    const { node, parent } = located;
    const parts = dottedName(node)?.split(".") ?? [];
    const [runner = "", ...rest] = parts;
    if (!runners.has(runner)) return [];
    const what = parts.join(".");
    if (rest.includes("only")) {
      return [{ offset: node.start, what, message: `${what} leaves out every other test` }];
    }
    const always =
      (rest.includes("skip") && !isConditional(located)) ||
      rest.includes("todo") ||
      isSkipAlways(rest, parent?.node);
    if (!always) return [];
    const message = `${what} never runs: use skipIf with a reason, or remove it`;
    return [{ offset: node.start, what, message }];
  });
}

/** Whether a condition in the same function decides about this place. */
function isConditional({ parent }: Located): boolean {
  for (let above = parent; above !== undefined; above = above.parent) {
    if (above.node.type === "IfStatement" || above.node.type === "ConditionalExpression")
      return true;
    if (/Function/.test(above.node.type)) return false;
  }
  return false;
}

/** `skipIf(true)` and `runIf(false)` are skips in disguise. */
function isSkipAlways(rest: readonly string[], call: unknown): boolean {
  const condition = firstLiteral(call);
  return (
    (rest.at(-1) === "skipIf" && condition === true) ||
    (rest.at(-1) === "runIf" && condition === false)
  );
}

function firstLiteral(call: unknown): unknown {
  if (typeof call !== "object" || call === null || !("arguments" in call)) return undefined;
  const [first] = Array.isArray(call.arguments) ? call.arguments : [];
  return first?.type === "Literal" ? first.value : undefined;
}

function mocksOfOurOwn(syntax: Syntax): Mark[] {
  return nodesOf(syntax, "CallExpression").flatMap(({ node }) => {
    const what = dottedName(node.callee) ?? "";
    if (!/^vi\.(mock|doMock)$/.test(what)) return [];
    const message = "replaces a module: pass what it needs as an argument instead";
    return [{ offset: node.start, what, message }];
  });
}
