import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

// Not used in the image: its C library is glibc.
const unwanted = /musl/;

/**
 * The installed packages that these ones need, themselves included, as paths relative to `root`
 * (`node_modules/x`, `node_modules/x/node_modules/y`). Optional ones that are not installed are
 * left out.
 */
export function packageClosure(root: string, names: readonly string[]): string[] {
  const found = new Set<string>();
  const visit = (name: string, from: string) => {
    const path = resolvePackage(root, name, from);
    if (path === undefined || unwanted.test(name) || found.has(path)) return;
    found.add(path);
    const text = readFileSync(join(root, path, "package.json"), "utf8");
    const { dependencies, optionalDependencies } = JSON.parse(text) as Manifest;
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) visit(next, path);
  };
  for (const name of names) visit(name, "");
  return [...found].toSorted();
}

// As Node does: the nearest node_modules above the package that asks.
function resolvePackage(root: string, name: string, from: string): string | undefined {
  const candidates = [join(from, "node_modules", name), join("node_modules", name)];
  return candidates.find((path) => existsSync(join(root, path, "package.json")));
}

/** The files of a package that are used at run time, relative to `root`. */
export function packageFiles(root: string, packagePath: string): string[] {
  const nested = join(packagePath, "node_modules");
  return readdirSync(join(root, packagePath), { recursive: true, encoding: "utf8" })
    .map((path) => join(packagePath, path))
    .filter((path) => !path.startsWith(`${nested}/`) && !unwanted.test(path))
    .filter((path) => /\.(?:c?js|mjs|json|node)$/.test(path))
    .filter((path) => statSync(join(root, path)).isFile())
    .toSorted();
}
