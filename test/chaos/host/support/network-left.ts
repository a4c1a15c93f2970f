import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** How the names of the networks of the runs in a folder begin, as their ledgers have it now. */
export function networkPrefixes(state: string): readonly string[] {
  return filesIn(join(state, "ledgers")).flatMap((text) => text.match(/\btc[0-9a-f]{6}\b/g) ?? []);
}

/** Namespaces and links whose names begin so, as the system lists them. */
export function networkOf(prefixes: ReadonlySet<string>): readonly string[] {
  if (prefixes.size === 0) return [];
  const listed = [
    spawnSync("ip", ["netns", "list"]).stdout,
    spawnSync("ip", ["-brief", "link", "show"]).stdout,
  ];
  return listed
    .flatMap((text) => String(text).split("\n"))
    .filter((line) => prefixes.has(line.slice(0, "tc123456".length)));
}

/** Ledgers go while they are read. */
function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  } catch {
    return [];
  }
}
