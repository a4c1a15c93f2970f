import { posix } from "node:path";
import { type LayerTable, layers, packageHomes } from "./layers.ts";
import type { Finding, Rule } from "./rule.ts";
import { type ImportUse, isCode, parse } from "./syntax.ts";
import { folderOf, isWithin, type SourceFile, type Tree } from "./tree.ts";

const packageName = "tessera-qa";

export const importsRule: Rule = {
  name: "imports",
  promise: "imports point down, as the table of layers says",
  find: (tree) => findForbiddenImports(tree, layers, packageHomes),
};

/** Imports the table does not allow, and folders of code the table does not know. */
function findForbiddenImports(
  tree: Tree,
  table: LayerTable,
  homes: LayerTable,
): readonly Finding[] {
  const code = tree.filter(isCode);
  return [...unknownFolders(code, table), ...code.flatMap((file) => judgeFile(file, table, homes))];
}

/** The line of the table that decides about a path: the longest that covers it. */
export function placeOf(path: string, table: LayerTable): string | undefined {
  const places = Object.keys(table).filter((place) => isWithin(path, place));
  return places.toSorted((a, b) => b.length - a.length)[0];
}

function unknownFolders(code: Tree, table: LayerTable): Finding[] {
  const unknown = code.filter((file) => placeOf(file.path, table) === undefined);
  const names = new Set(unknown.map((file) => folderOf(file.path) || file.path));
  return [...names].map((path) => ({
    path,
    what: "unknown folder",
    message: "is not in test/tidy/lib/layers.ts: add a line that says what it may import",
  }));
}

function judgeFile(file: SourceFile, table: LayerTable, homes: LayerTable): Finding[] {
  return parse(file).imports.flatMap((use) => {
    if (use.specifier.startsWith(".")) return judgeRelative(file, use, table);
    return file.path.startsWith("src/") ? judgePackage(file, use, homes) : [];
  });
}

function judgeRelative(file: SourceFile, use: ImportUse, table: LayerTable): Finding[] {
  const place = placeOf(file.path, table);
  const target = posix.join(folderOf(file.path), use.specifier);
  if (place === undefined || placeOf(target, table) === place) return [];
  if (table[place]?.some((allowed) => isWithin(target, allowed))) return [];
  const message = `imports ${target}, which ${place} may not (test/tidy/lib/layers.ts)`;
  return [{ path: file.path, line: use.line, what: target, message }];
}

function judgePackage(file: SourceFile, use: ImportUse, homes: LayerTable): Finding[] {
  const name = nameOfPackage(use.specifier);
  if (name === packageName) {
    const message = "imports the package by its own name, which would load dist/: use a path";
    return [{ path: file.path, line: use.line, what: name, message }];
  }
  const allowed = Object.hasOwn(homes, name) ? homes[name] : undefined;
  if (allowed === undefined || allowed.some((home) => isWithin(file.path, home))) return [];
  const message = `imports ${name}, whose home is ${allowed.join(", ")} (test/tidy/lib/layers.ts)`;
  return [{ path: file.path, line: use.line, what: name, message }];
}

function nameOfPackage(specifier: string): string {
  const parts = specifier.split("/");
  return parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}
