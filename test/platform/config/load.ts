import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FlagValue, ResolvedConfig } from "../../../src/platform/config/index.ts";
import { loadConfig } from "../../../src/platform/config/index.ts";
import { isTesseraError, type TesseraError } from "../../../src/platform/errors/index.ts";
import { tempDir } from "../../support/temp-dir.ts";

export interface Scene {
  /** Files to write first, by path relative to the working directory, which is also the home. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly file?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: Readonly<Record<string, FlagValue>>;
}

/** Loads the configuration in a folder of its own. */
export async function load(scene: Scene): Promise<ResolvedConfig & { readonly cwd: string }> {
  const cwd = await tempDir();
  for (const [path, content] of Object.entries(scene.files ?? {})) {
    await mkdir(dirname(join(cwd, path)), { recursive: true });
    await writeFile(join(cwd, path), content);
  }
  const { file, flags = {} } = scene;
  const resolved = await loadConfig({ file, flags, cwd, env: { HOME: cwd, ...scene.env } });
  return Object.assign(resolved, { cwd });
}

/** The same with `yaml` as the configuration file. */
export function loadYaml(yaml: string | Uint8Array, scene: Scene = {}) {
  return load({ ...scene, files: { ...scene.files, "tessera.yaml": yaml } });
}

/** The error a scene ends in. */
export async function failure(loading: Promise<unknown>): Promise<TesseraError> {
  try {
    await loading;
  } catch (error) {
    if (isTesseraError(error)) return error;
    throw error;
  }
  throw new Error("the configuration was accepted");
}

/** The problems named by the error a file ends in. */
export async function problemsOf(
  yaml: string | Uint8Array,
  scene: Scene = {},
): Promise<readonly string[]> {
  const error = await failure(loadYaml(yaml, scene));
  return (error.details["problems"] as readonly string[] | undefined) ?? [error.message];
}
