import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchResult } from "../bench.ts";
import { isSameKind, type Machine } from "./machine.ts";

/** A result as it is kept in bench/results/. */
export interface StoredResult extends BenchResult {
  readonly format: 1;
  readonly bench: string;
  /** When it was measured, ISO 8601. */
  readonly at: string;
  /** Version of this package. */
  readonly version: string;
  /** The commit the sources were based on, where git is at hand. */
  readonly commit?: string;
  readonly machine: Machine;
}

const folder = "bench/results";

/** `2026-01-31-store-transactions.json`; a second run of a day replaces the first. */
export function resultFileName(result: Pick<StoredResult, "at" | "bench">): string {
  return `${result.at.slice(0, 10)}-${result.bench.replaceAll("/", "-")}.json`;
}

/** Writes a result into bench/results/ and returns its path from the root. */
export function keepResult(root: string, result: StoredResult): string {
  const path = `${folder}/${resultFileName(result)}`;
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, path), `${JSON.stringify(result, null, 2)}\n`);
  return path;
}

/** Every result that is committed, oldest first; none where git is not at hand. */
export function committedResults(root: string): readonly StoredResult[] {
  const listed = git(root, ["ls-tree", "-r", "--name-only", "HEAD", folder]) ?? "";
  const paths = listed.split("\n").filter((path) => path.endsWith(".json"));
  return paths
    .map((path): StoredResult => JSON.parse(git(root, ["show", `HEAD:${path}`]) ?? "{}"))
    .filter(({ format }) => format === 1)
    .toSorted((a, b) => (a.at < b.at ? -1 : 1));
}

/** The values of a metric in earlier results that can be compared with this one, oldest first. */
export function earlierValues(
  results: readonly StoredResult[],
  of: { readonly bench: string; readonly metric: string; readonly machine: Machine },
): readonly number[] {
  return results
    .filter(({ bench, machine }) => bench === of.bench && isSameKind(machine, of.machine))
    .flatMap(({ metrics }) => metrics.find(({ name }) => name === of.metric)?.value ?? []);
}

/** The commit the working tree is based on. */
export function currentCommit(root: string): string | undefined {
  return git(root, ["rev-parse", "--short", "HEAD"])?.trim();
}

function git(root: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync("git", args, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return undefined;
  }
}
