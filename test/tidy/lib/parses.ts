import type { Finding, Rule } from "./rule.ts";
import { isCode, parse } from "./syntax.ts";
import type { Tree } from "./tree.ts";

export const parsesRule: Rule = {
  name: "parses",
  promise: "every source file parses, so that the other rules see all of it",
  find: findSyntaxErrors,
};

function findSyntaxErrors(tree: Tree): readonly Finding[] {
  return tree.filter(isCode).flatMap((file) =>
    parse(file).errors.map(({ message, line }) => ({
      path: file.path,
      line,
      what: "syntax",
      message: `does not parse: ${message}`,
    })),
  );
}
