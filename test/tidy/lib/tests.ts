import type { Finding, Rule } from "./rule.ts";
import { isCode, nodesOf, parse, stringValue } from "./syntax.ts";
import { folderOf, isWithin, type SourceFile, type Tree } from "./tree.ts";

/** Folders of test/ that mirror something other than src. */
const extraTestFolders: Readonly<Record<string, string>> = {
  bench: "mirrors bench/",
  charts: "renders what lies in charts/",
  cluster: "the real cluster, a fixture with tests of its own",
  docs: "runs the commands of docs/tutorials",
  e2e: "the built CLI, a cluster and a browser, from outside",
  errors: "provokes every error code",
  examples: "runs every file of examples/",
  fixtures: "captured output and sample files",
  integrations: "runs what lies in integrations/, and the kubectl plugin",
  monitoring: "runs what lies in deploy/monitoring/",
  support: "what several suites share",
  package: "what npm publishes",
  scripts: "mirrors scripts/",
  tidy: "these rules",
  web: "mirrors web/src/, pages by their name",
};

export const testsRule: Rule = {
  name: "tests",
  promise: "every test file is found by the runner and mirrors what it tests",
  find: findMisplacedTests,
};

export const examplesRule: Rule = {
  name: "examples",
  promise: "every example is run by a test",
  find: findUntestedExamples,
};

/** Tests in folders that mirror nothing, and files with tests that the runner would not pick up. */
function findMisplacedTests(tree: Tree): readonly Finding[] {
  const srcFolders = new Set(["src", ...tree.flatMap(({ path }) => foldersAbove(path))]);
  return tree
    .filter((file) => isWithin(file.path, "test") && isCode(file))
    .flatMap((file) => [...wronglyNamed(file), ...mirrorsNothing(file, srcFolders)]);
}

/** Code in examples/ that no test names. */
function findUntestedExamples(tree: Tree): readonly Finding[] {
  const named = tree
    .filter(({ path }) => path.startsWith("test/") && path.endsWith(".test.ts"))
    .flatMap((file) => parse(file).nodes.map(({ node }) => stringValue(node)));
  return tree
    .filter((file) => isWithin(file.path, "examples") && isCode(file))
    .filter(({ path }) => !named.some((text) => text?.includes(path)))
    .map(({ path }) => ({ path, what: "untested", message: "is run by no test: name it in one" }));
}

function wronglyNamed(file: SourceFile): Finding[] {
  if (file.path.endsWith(".test.ts")) return [];
  if (/[.-](tests?|spec)\.\w+$/.test(file.path)) {
    return [{ path: file.path, what: "name", message: "is never run: its name ends in .test.ts" }];
  }
  const syntax = parse(file);
  const definesTests = syntax.imports.some(({ specifier }) => specifier === "vitest");
  const isHelper = nodesOf(syntax, "ExportNamedDeclaration").length > 0;
  if (!definesTests || isHelper || nodesOf(syntax, "ExportDefaultDeclaration").length > 0)
    return [];
  const message = "uses vitest and exports nothing: it is never run; name it *.test.ts";
  return [{ path: file.path, what: "name", message }];
}

function mirrorsNothing({ path }: SourceFile, srcFolders: ReadonlySet<string>): Finding[] {
  const [, top = ""] = path.split("/");
  if (!path.endsWith(".test.ts") || Object.hasOwn(extraTestFolders, top)) return [];
  const mirrored = folderOf(path).replace(/^test/, "src");
  if (srcFolders.has(mirrored)) return [];
  return [{ path, what: "place", message: `mirrors ${mirrored}, which does not exist` }];
}

/** Every folder a file lies in: `a/b/c.ts` gives `a/b` and `a`. */
function foldersAbove(path: string): string[] {
  const folder = folderOf(path);
  return folder === "" ? [] : [folder, ...foldersAbove(folder)];
}
