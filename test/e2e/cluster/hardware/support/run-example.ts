import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { repositoryRoot } from "../../../../cluster/machine/repository.ts";
import { distDir, type RunningCli, startCli } from "../../../../support/built-cli.ts";
import type { Installation } from "./installation.ts";

/** The built package by the names that its users know. */
const builtPackage = {
  "tessera-qa/hardware/vitest": join(distDir, "hardware", "vitest", "index.js"),
  "tessera-qa/hardware": join(distDir, "hardware", "index.js"),
};

interface RunAbout {
  /** For what is made on the way. */
  readonly folder: string;
  readonly installation: Installation;
}

/** Starts an example as its user would, against the built package. */
export async function startExample(
  path: string,
  args: readonly string[],
  { folder, installation }: RunAbout,
): Promise<RunningCli> {
  const script = join(folder, `${basename(path, ".ts")}.mjs`);
  await build({
    entryPoints: [join(repositoryRoot(), path)],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "silent",
    plugins: [
      {
        name: "own-package",
        setup: ({ onResolve }) => {
          onResolve({ filter: /^tessera-qa\/hardware$/ }, ({ path: name }) => ({
            path: pathToFileURL(builtPackage[name as keyof typeof builtPackage]).href,
            external: true,
          }));
        },
      },
    ],
  });
  const env = runnerEnvironment(installation);
  return await startCli(args, { script, env, limitMs: 300_000 });
}

/** Runs a test of the examples in a Vitest of its own. */
export async function startExampleTest(
  path: string,
  env: Readonly<Record<string, string>>,
  { folder, installation }: RunAbout,
): Promise<RunningCli> {
  const config = join(folder, "vitest.config.mjs");
  const alias = Object.entries(builtPackage).map(([find, replacement]) => ({ find, replacement }));
  const settings = { root: repositoryRoot(), resolve: { alias }, test: { include: [path] } };
  writeFileSync(config, `export default ${JSON.stringify(settings)};\n`);
  return await startCli(["run", "--config", config, "--reporter=verbose"], {
    script: join(repositoryRoot(), "node_modules", "vitest", "vitest.mjs"),
    cwd: repositoryRoot(),
    env: { ...runnerEnvironment(installation), ...env },
    limitMs: 300_000,
  });
}

/** What a runner is told: who it is, and that it may. */
export function runnerEnvironment(installation: Installation): Readonly<Record<string, string>> {
  return {
    KUBECONFIG: installation.runnerKubeconfig,
    TESSERA_ENABLE_HW_FAULTS: "1",
    TESSERA_FAULT_API_URL: installation.apiUrl,
    TESSERA_FAULT_API_TOKEN: installation.runnerToken,
  };
}
