import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import type { Duplex } from "node:stream";

const shell = "/bin/sh";

/** Where the gate waits for its word: the first descriptor after the program's own three. */
export const gateDescriptor = 3;

// Forgets the variables named before "--", which the shell has added, then waits for a line. It comes
// when the orphan guard knows the process; the end of input comes instead when we are gone, and then
// nothing starts. Fixed text: program and arguments are the shell's own arguments, taken as they are.
const gateScript = `
for _tessera do
  shift
  [ "$_tessera" = -- ] && break
  unset "$_tessera"
done
read -r _tessera <&3 && exec "$@" 3<&-
`;

/** What one shell or another exports by itself. */
const namesAdded = ["PATH", "PWD", "OLDPWD", "SHLVL"];
/** What shells have for themselves: what came under these names would not go on as it came. */
const namesTaken =
  /^(?:_tessera|BASH.*|COMP_WORDBREAKS|EPOCH\w+|HISTCMD|IFS|LINENO|OPT(?:ARG|ERR|IND)|POSIXLY_CORRECT|PPID|PS[1-4]|S?RANDOM|SECONDS|SHELLOPTS)$/;
const nameCarried = /^[A-Za-z_][A-Za-z0-9_]*$/;

export interface GatedCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * The command that becomes the program, in the same process, as soon as it is let through.
 *
 * Undefined when the program has to be started without: it is not found or not executable, which
 * the system itself says best; there is no shell; or a variable would not pass a shell unchanged.
 */
export function gatedCommand(options: {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
}): GatedCommand | undefined {
  const { file, args, env, cwd = "." } = options;
  const names = Object.keys(env);
  if (names.some((name) => namesTaken.test(name) || !nameCarried.test(name))) return undefined;
  const program = findProgram(file, { path: env["PATH"], cwd });
  if (program === undefined || !existsSync(shell)) return undefined;
  const toForget = namesAdded.filter((name) => env[name] === undefined);
  return { file: shell, args: ["-c", gateScript, "sh", ...toForget, "--", program, ...args] };
}

/** Lets the program begin. */
export function openGate(gate: Duplex): void {
  // It may have been killed while it waited; its exit tells that.
  gate.on("error", () => {});
  gate.end("go\n", () => gate.destroy());
}

/** Always with a slash, so that no shell takes it for an option or for a command of its own. */
function findProgram(
  file: string,
  { path, cwd }: { readonly path: string | undefined; readonly cwd: string },
): string | undefined {
  if (file.includes("/")) return isExecutable(resolve(cwd, file)) ? file : undefined;
  if (file === "" || path === undefined) return undefined;
  // An empty entry is the folder to run in, as any relative one is relative to it.
  const places = path.split(delimiter).map((folder) => join(resolve(cwd, folder), file));
  return places.find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
