import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";

/** What a network needs to let npm through; none of it is about the user. */
const networkVariables = [
  "NODE_EXTRA_CA_CERTS",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
];

/**
 * The environment of a machine that has Node and npm and nothing else: an empty home, so an empty
 * npm cache and no settings; a PATH with node, npm, npx, and the sh that npm runs scripts with.
 * Only the address of the registry is taken over. Makes its folders below `folder`.
 */
export function makeBareEnvironment(folder: string): NodeJS.ProcessEnv {
  const home = join(folder, "home");
  const bin = join(folder, "bin");
  mkdirSync(home, { recursive: true });
  mkdirSync(bin, { recursive: true });
  symlinkSync(process.execPath, join(bin, "node"));
  for (const name of ["npm", "npx", "sh"]) symlinkSync(findProgram(name), join(bin, name));
  const kept = networkVariables.filter((name) => process.env[name] !== undefined);
  return {
    ...Object.fromEntries(kept.map((name) => [name, process.env[name]])),
    HOME: home,
    PATH: bin,
    npm_config_registry: registry(),
  };
}

/** The program's own file: a link to a link would not find what lies beside it. */
function findProgram(name: string): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const path = folders
    .map((folder) => join(folder, name))
    .find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`${name} is not on the PATH`);
  return realpathSync(path);
}

function registry(): string {
  const told = execFileSync("npm", ["config", "get", "registry"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return told.trim();
}
