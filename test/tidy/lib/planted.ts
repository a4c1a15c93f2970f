import type { Rule } from "./rule.ts";
import type { SourceFile, Tree } from "./tree.ts";

/** A tree of files written in a test. */
export function plant(files: Readonly<Record<string, string>>): Tree {
  return Object.entries(files).map(([path, text]): SourceFile => ({ path, text }));
}

/** What a rule finds, as `path:line what`. */
export function found(rule: Rule, tree: Tree): string[] {
  return rule
    .find(tree)
    .map(({ path, line, what }) => `${path}${line === undefined ? "" : `:${line}`} ${what}`);
}
