import { z } from "zod";
import type { Finding, Rule } from "./rule.ts";
import { nodesOf, parse, stringValue } from "./syntax.ts";
import { findFile, type Tree } from "./tree.ts";

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  allowScripts: z.record(z.string(), z.boolean()).default({}),
});

const lockSchema = z.object({
  version: z.string(),
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
});

export const packagesRule: Rule = {
  name: "packages",
  promise: "no dependency runs a script at install, and the lock file names no host",
  find: findPackageProblems,
};

export const versionRule: Rule = {
  name: "version",
  promise: "src/version.ts, package.json and the lock file agree on the version",
  find: findVersionMismatch,
};

/** Install scripts not decided about, and lock entries that tie an install to one registry. */
function findPackageProblems(tree: Tree): readonly Finding[] {
  const { allowScripts } = readManifest(tree);
  const path = "package-lock.json";
  return Object.entries(readLock(tree).packages).flatMap(([place, entry]) => {
    if (place === "") return [];
    const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
    const problems: string[] = [];
    if (entry.hasInstallScript && !Object.hasOwn(allowScripts, name)) {
      problems.push(
        `${name} has an install script: set it to false in allowScripts, or do without`,
      );
    }
    if (entry.hasInstallScript && allowScripts[name] === true) {
      problems.push(`${name} may run a script at install, which a fresh clone must not need`);
    }
    if (entry.resolved !== undefined) {
      problems.push(`${place} has "resolved": install with omit-lockfile-registry-resolved`);
    }
    if (entry.integrity === undefined) problems.push(`${place} has no integrity hash`);
    return problems.map((message) => ({ path, what: name, message }));
  });
}

/** Places that tell another version than package.json. */
function findVersionMismatch(tree: Tree): readonly Finding[] {
  const { version } = readManifest(tree);
  const told = {
    "src/version.ts": versionInSource(tree),
    "package-lock.json": readLock(tree).version,
  };
  return Object.entries(told).flatMap(([path, found]) => {
    if (found === version) return [];
    const message = `says ${found ?? "no version"}, package.json says ${version}`;
    return [{ path, what: "version", message }];
  });
}

function versionInSource(tree: Tree): string | undefined {
  const file = findFile(tree, "src/version.ts");
  if (file === undefined) return undefined;
  const declarations = nodesOf(parse(file), "VariableDeclarator");
  const own = declarations.find(({ node }) => "name" in node.id && node.id.name === "version");
  return stringValue(own?.node.init);
}

function readManifest(tree: Tree) {
  return manifestSchema.parse(JSON.parse(findFile(tree, "package.json")?.text ?? "{}"));
}

function readLock(tree: Tree) {
  return lockSchema.parse(JSON.parse(findFile(tree, "package-lock.json")?.text ?? "{}"));
}
