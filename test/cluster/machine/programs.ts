import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

// A user's PATH often lacks the folders of administration programs and of a manually unpacked Go.
const usualFolders = [
  "/usr/local/sbin",
  "/usr/local/bin",
  "/usr/sbin",
  "/usr/bin",
  "/sbin",
  "/bin",
  "/usr/local/go/bin",
];

/** The folders in which programs are looked for: PATH first, then the usual ones. */
export function programPath(path = process.env["PATH"] ?? ""): string {
  const given = path.split(delimiter).filter((folder) => folder !== "");
  return [...given, ...usualFolders.filter((folder) => !given.includes(folder))].join(delimiter);
}

/** Where a program is, or undefined. */
export function findProgram(name: string, path = programPath()): string | undefined {
  return path
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/** True for a plain file that may be executed. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
