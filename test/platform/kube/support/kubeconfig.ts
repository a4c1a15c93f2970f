import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { tempDir } from "../../../support/temp-dir.ts";

/** A kubeconfig with one context `c`, cluster `k` and user `u`. */
export function kubeConfig(parts: {
  readonly cluster?: object;
  readonly user?: object;
  readonly context?: object;
}): object {
  return {
    "current-context": "c",
    clusters: [{ name: "k", cluster: { server: "https://api.test:6443", ...parts.cluster } }],
    users: [{ name: "u", user: { ...parts.user } }],
    contexts: [{ name: "c", context: { cluster: "k", user: "u", ...parts.context } }],
  };
}

/** Writes a kubeconfig (an object as YAML, a text as it is) into a folder of its own. */
export async function writeKubeConfig(content: object | string, name = "config"): Promise<string> {
  return writeIn(await tempDir(), name, typeof content === "string" ? content : stringify(content));
}

/** Writes a file, with the folders above it. */
export async function writeIn(folder: string, name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}
