import { join } from "node:path";
import { ClusterError } from "../errors.ts";
import { findProgram, isExecutable } from "../machine/programs.ts";
import { partFolder } from "./cache.ts";
import type { Part } from "./parts.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A program in the folder that `KUBEBUILDER_ASSETS` names, as envtest has it. */
export function assetPath(name: string, env: Environment = process.env): string | undefined {
  const folder = env["KUBEBUILDER_ASSETS"];
  if (folder === undefined || folder === "") return undefined;
  const file = join(folder, name);
  return isExecutable(file) ? file : undefined;
}

/** The programs of a part that `KUBEBUILDER_ASSETS` does not offer, so that a build is needed. */
export function missingFromAssets(part: Part, env: Environment = process.env): string[] {
  return Object.keys(part.programs).filter((name) => assetPath(name, env) === undefined);
}

/** Full paths of the programs of these parts: given ones first, else our own build. */
export function partPrograms(
  parts: readonly Part[],
  env: Environment = process.env,
): Record<string, string> {
  const pairs = parts.flatMap((part) =>
    Object.keys(part.programs).map((name): [string, string] => [
      name,
      assetPath(name, env) ?? join(partFolder(part, env), "bin", name),
    ]),
  );
  for (const [name, path] of pairs) {
    if (!isExecutable(path)) throw new ClusterError(`${name} is not at ${path}; build it first`);
  }
  return Object.fromEntries(pairs);
}

/** Full paths of programs that come with the system; etcd may be given like the above. */
export function systemPrograms(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const path = assetPath(name) ?? findProgram(name);
      if (path === undefined) throw new ClusterError(`${name} is not on this machine`);
      return [name, path];
    }),
  );
}
