import { namesUsed } from "./names-used.ts";
import type { Finding, Rule } from "./rule.ts";
import { isCode, nodesOf, parse, type Syntax } from "./syntax.ts";
import { isWithin, type SourceFile, type Tree } from "./tree.ts";

/**
 * Places that only compute. `exact` places must also give the same bits on every machine and every
 * version of Node, so they keep away from functions whose last bit is the engine's choice.
 */
const purePlaces: Readonly<Record<string, { readonly exact: boolean }>> = {
  "src/chaos/chance": { exact: true },
  "src/chaos/elastic": { exact: true },
  "src/chaos/failure-model": { exact: true },
  "src/chaos/judge": { exact: false },
  "src/chaos/numerics": { exact: true },
  "src/chaos/sim": { exact: true },
  "src/chaos/transport": { exact: true },
  "src/chaos/waits": { exact: true },
  "src/platform/rng": { exact: true },
  "src/platform/errors": { exact: false },
  "src/platform/plots": { exact: false },
  "src/platform/units": { exact: false },
  "src/platform/words.ts": { exact: false },
};

const effectfulModules = new Set([
  "node:child_process",
  "node:cluster",
  "node:dgram",
  "node:dns",
  "node:dns/promises",
  "node:fs",
  "node:fs/promises",
  "node:http",
  "node:http2",
  "node:https",
  "node:net",
  "node:os",
  "node:process",
  "node:readline",
  "node:tls",
  "node:worker_threads",
]);

const effectfulNames = new Set(["WebSocket", "console", "fetch", "process"]);

/** IEEE 754 and ECMAScript fix the result of these to the last bit. */
const exactMath = new Set(
  [
    "abs",
    "ceil",
    "clz32",
    "floor",
    "fround",
    "imul",
    "max",
    "min",
    "round",
    "sign",
    "sqrt",
    "trunc",
  ]
    .concat(["E", "LN10", "LN2", "LOG10E", "LOG2E", "PI", "SQRT1_2", "SQRT2"])
    .map((name) => `Math.${name}`),
);

const localeMembers = /^(localeCompare|toLocale\w+)$/;

export const purityRule: Rule = {
  name: "purity",
  promise: "pure places have no effects, and exact ones no inexact arithmetic",
  find: findImpurity,
};

/** Effects in pure places; in exact ones also inexact or locale-dependent functions. */
function findImpurity(tree: Tree): readonly Finding[] {
  return tree.filter(isCode).flatMap((file) => {
    const place = Object.keys(purePlaces).find((name) => isWithin(file.path, name));
    if (place === undefined) return [];
    const inexact = purePlaces[place]?.exact ? findInexact(file) : [];
    return [...findEffects(file, place), ...inexact];
  });
}

function findEffects(file: SourceFile, place: string): Finding[] {
  const syntax = parse(file);
  const modules = syntax.imports
    .filter(({ specifier }) => effectfulModules.has(specifier))
    .map(({ specifier, line }) => ({ name: specifier, line }));
  const names = namesUsed(syntax).filter(({ name }) =>
    effectfulNames.has(name.split(".", 1)[0] ?? ""),
  );
  return [...modules, ...names].map(({ name, line }) => ({
    path: file.path,
    line,
    what: name,
    message: `uses ${name} in ${place}, which is pure (test/tidy/lib/purity.ts)`,
  }));
}

function findInexact(file: SourceFile): Finding[] {
  const syntax = parse(file);
  const names = namesUsed(syntax).filter(
    ({ name }) => name.startsWith("Intl.") || (name.startsWith("Math.") && !exactMath.has(name)),
  );
  return [...names, ...inexactOperators(syntax), ...localeCalls(syntax)].map(({ name, line }) => ({
    path: file.path,
    line,
    what: name,
    message: `uses ${name}, whose result may differ between machines`,
  }));
}

/** Powers of two are exact; other bases are rounded as the engine likes. */
function inexactOperators(syntax: Syntax) {
  return nodesOf(syntax, "BinaryExpression")
    .filter(({ node }) => node.operator === "**")
    .filter(({ node }) => !(node.left.type === "Literal" && Number(node.left.value) === 2))
    .map(({ node }) => ({ name: "**", line: syntax.lineOf(node.start) }));
}

function localeCalls(syntax: Syntax) {
  return nodesOf(syntax, "MemberExpression").flatMap(({ node }) => {
    if (node.property.type !== "Identifier" || !localeMembers.test(node.property.name)) return [];
    return [{ name: node.property.name, line: syntax.lineOf(node.start) }];
  });
}
