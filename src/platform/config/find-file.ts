import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { LoadConfigOptions } from "./resolved-config.ts";

/** The file to read: one that was named, else the first of the usual places that exists. */
export async function findConfigFile(
  options: Pick<LoadConfigOptions, "file" | "env" | "cwd">,
  home: string,
): Promise<string | undefined> {
  const named = options.file ?? nonEmpty(options.env["TESSERA_CONFIG"]);
  if (named !== undefined) return resolve(options.cwd, named);
  const xdg = options.env["XDG_CONFIG_HOME"];
  const usual = [
    join(options.cwd, "tessera.yaml"),
    join(xdg?.startsWith("/") ? xdg : join(home, ".config"), "tessera", "config.yaml"),
  ];
  for (const path of usual) {
    if (await exists(path)) return path;
  }
  return undefined;
}

/** Only a file that is certainly not there is passed over: one we may not see is an error later. */
async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code !== "ENOENT" && code !== "ENOTDIR";
  }
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}
