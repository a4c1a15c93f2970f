import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

/** One file of the repository, by its path from the root with forward slashes. */
export interface SourceFile {
  readonly path: string;
  /** Empty for files that are not text. */
  readonly text: string;
}

export type Tree = readonly SourceFile[];

const textExtensions = new Set([
  "",
  ".css",
  ".html",
  ".js",
  ".json",
  ".md",
  ".mjs",
  ".mts",
  ".sh",
  ".svg",
  ".ts",
  ".tsx",
  ".txt",
  ".yaml",
  ".yml",
]);

/** Reads every file of the repository that is, or would be, committed. Needs no git. */
export function readTree(root: string): Tree {
  const isIgnored = ignoredBy(readFileSync(join(root, ".gitignore"), "utf8"));
  return listFiles(root, "", isIgnored).map((path) => ({ path, text: readText(join(root, path)) }));
}

/**
 * What a .gitignore leaves out, for the kind of lines ours has: a name of a file or folder at any
 * depth, or at the root when it begins with a slash; `*` for any part of it; with or without a
 * slash at the end. Takes the path of something in a folder that is not left out.
 */
export function ignoredBy(gitignore: string): (path: string) => boolean {
  const lines = gitignore.split("\n").map((line) => line.trim());
  const names = lines.filter((line) => line !== "" && !line.startsWith("#"));
  const patterns = [".git", ...names].map((name) => {
    const parts = name.replaceAll(/^\/|\/$/g, "").split("*");
    const source = parts.map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&")).join("[^/]*");
    return new RegExp(`${name.startsWith("/") ? "^" : "(^|/)"}${source}$`);
  });
  return (path) => patterns.some((pattern) => pattern.test(path));
}

export function findFile(tree: Tree, path: string): SourceFile | undefined {
  return tree.find((file) => file.path === path);
}

/** The folder of a path: `src/cli` for `src/cli/main.ts`, the empty string at the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Whether a path is the folder or file named by `place`, or lies below it. */
export function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

function listFiles(root: string, folder: string, isIgnored: (path: string) => boolean): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (isIgnored(path)) return [];
    if (entry.isFile()) return [path];
    return entry.isDirectory() ? listFiles(root, path, isIgnored) : [];
  });
}

function readText(path: string): string {
  return textExtensions.has(extname(path)) ? readFileSync(path, "utf8") : "";
}
