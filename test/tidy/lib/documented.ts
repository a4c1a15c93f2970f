import type { Finding, Rule } from "./rule.ts";
import { isCode, nodesOf, parse, stringValue } from "./syntax.ts";
import { findFile, isWithin, type SourceFile, type Tree } from "./tree.ts";

/** One kind of thing a user meets: where it is declared, and which page must name it. */
interface Subject {
  readonly kind: string;
  readonly document: string;
  names(tree: Tree): readonly string[];
}

const subjects: readonly Subject[] = [
  {
    kind: "error code",
    document: "docs/errors.md",
    names: (tree) => below(tree, "src/platform/errors/rows").flatMap((file) => keysOfTable(file)),
  },
  {
    kind: "metric",
    document: "docs/metrics.md",
    names: (tree) => keysOfTable(findFile(tree, "src/platform/metrics/table.ts"), "metricTable"),
  },
  {
    kind: "command",
    document: "docs/cli.md",
    names: (tree) => below(tree, "src/cli/commands").flatMap(commandNames),
  },
  {
    kind: "configuration key",
    document: "docs/configuration.md",
    names: (tree) => below(tree, "src/platform/config/sections").flatMap(settingNames),
  },
];

export const documentedRule: Rule = {
  name: "documented",
  promise: "every error code, metric, command and configuration key is documented",
  find: findUndocumented,
};

/**
 * Names the documentation leaves out. That the pages say the right thing about each name is checked
 * by the program that generates them.
 */
function findUndocumented(tree: Tree): readonly Finding[] {
  return subjects.flatMap(({ kind, document, names }) => {
    const found = names(tree);
    const text = findFile(tree, document)?.text;
    if (found.length === 0) {
      return [{ path: document, what: kind, message: `no ${kind} was found in the sources` }];
    }
    if (text === undefined) {
      return [{ path: document, what: kind, message: "does not exist: run npm run docs" }];
    }
    return found
      .filter((name) => !namesWhole(text, name))
      .map((name) => ({
        path: document,
        what: name,
        message: `does not document the ${kind} ${name}: run npm run docs`,
      }));
  });
}

/** The keys of `export const NAME = { ... }`; without a name, of every such table of the file. */
function keysOfTable(file: SourceFile | undefined, name?: string): string[] {
  if (file === undefined) return [];
  return nodesOf(parse(file), "VariableDeclarator").flatMap(({ node }) => {
    if (!("name" in node.id) || (name !== undefined && node.id.name !== name)) return [];
    let value = node.init;
    while (value?.type === "TSAsExpression" || value?.type === "TSSatisfiesExpression") {
      value = value.expression;
    }
    return value?.type === "ObjectExpression" ? value.properties.flatMap(keyOf) : [];
  });
}

/** `tessera doctor` for the CommandSpec `{ name: "doctor", summary: ... }`. */
function commandNames(file: SourceFile): string[] {
  return nodesOf(parse(file), "ObjectExpression").flatMap(({ node }) => {
    const keys = node.properties.flatMap(keyOf);
    if (!keys.includes("name") || !keys.includes("summary")) return [];
    const property = node.properties.find((candidate) => keyOf(candidate)[0] === "name");
    const name = property?.type === "Property" ? stringValue(property.value) : undefined;
    return name === undefined ? [] : [`tessera ${name}`];
  });
}

/** The keys whose value is made by `setting(...)`. */
function settingNames(file: SourceFile): string[] {
  return nodesOf(parse(file), "Property").flatMap(({ node }) => {
    const { value } = node;
    if (value.type !== "CallExpression" || value.callee.type !== "Identifier") return [];
    return value.callee.name === "setting" ? keyOf(node) : [];
  });
}

function keyOf(property: { readonly type: string; readonly key?: unknown }): string[] {
  const key = property.key;
  if (typeof key !== "object" || key === null) return [];
  if ("name" in key && typeof key.name === "string") return [key.name];
  return "value" in key && typeof key.value === "string" ? [key.value] : [];
}

function below(tree: Tree, folder: string): SourceFile[] {
  return tree.filter((file) => isWithin(file.path, folder) && isCode(file));
}

/** `E_STORE` is not named by a text that only says `E_STORE_LOCKED`. */
function namesWhole(text: string, name: string): boolean {
  const pattern = name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w-])${pattern}(?![\\w-])`).test(text);
}
