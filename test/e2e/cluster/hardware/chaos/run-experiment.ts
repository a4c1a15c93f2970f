import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../../../cluster/machine/repository.ts";
import { type RunningCli, startCli } from "../../../../support/built-cli.ts";
import { underTest } from "../support/installation.ts";
import { type Ground, program } from "./ground.ts";

/** What a run says about itself, as far as these tests ask. */
export interface RunDocument {
  readonly outcome: string;
  readonly reason: string;
  readonly faults: readonly {
    readonly name: string;
    readonly target: string;
    readonly effect: string | null;
    readonly revertedAt: number | null;
  }[];
  readonly residualFaults: readonly string[];
  readonly notes: readonly string[];
}

/** An example of `examples/chaos/hardware`, in the namespace of these tests. */
export function exampleText(name: string): string {
  const path = join(repositoryRoot(), "examples", "chaos", "hardware", name);
  return readFileSync(path, "utf8").replace("namespace: serving", `namespace: ${underTest}`);
}

/** Runs experiments as the person who may break hardware; ledgers lie in the folder. */
export function experimenter({ installation, apiUrl }: Ground, folder: string) {
  const env = { KUBECONFIG: installation.runnerKubeconfig, TMPDIR: folder };
  const start = (...args: string[]): Promise<RunningCli> =>
    startCli([...args, "--api-url", apiUrl], { script: program, env, limitMs: 240_000 });
  let count = 0;
  const run = async (text: string, ...more: string[]) => {
    const file = join(folder, `experiment-${++count}.yaml`);
    writeFileSync(file, text);
    const fixed = ["chaos", "run", file, "--world", "kubernetes", "--json"];
    return await (await start(...fixed, ...more)).result;
  };
  const judge = async (text: string) => {
    const { code, stdout, stderr } = await run(text);
    const document = JSON.parse(stdout === "" ? "{}" : stdout) as RunDocument;
    return { code, stderr, document };
  };
  return { start, run, judge };
}
