import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createRealClock } from "../../../../../src/platform/time/index.ts";
import type { SlurmTools } from "../../../../../src/runtime/ranks/slurm/index.ts";
import { tempDir } from "../../../../support/temp-dir.ts";

/** Keeps its words and variables, says what it is told to say, and ends or waits as it is told. */
const source = `#!/bin/sh
here=\${0%/*}; me=\${0##*/}
printf '%s\\n' "$@" > "$here/$me.args"
env > "$here/$me.env"
cat "$here/$me.out"
cat "$here/$me.err" >&2
code=$(cat "$here/$me.code")
[ "$code" = waits ] || exit "$code"
trap 'exit 143' TERM
while :; do sleep 0.05; done
`;

export interface FakeProgram {
  readonly out?: readonly string[];
  readonly err?: readonly string[];
  /** How it ends; `waits` until SIGTERM. */
  readonly code: number | "waits";
}

/** salloc and srun of a test's own, in a folder that goes with the test. */
export async function fakePrograms(
  programs: { readonly salloc?: FakeProgram; readonly srun?: FakeProgram },
  variables: Readonly<Record<string, string>> = {},
) {
  const bin = await tempDir();
  for (const [name, { out = [], err = [], code }] of Object.entries(programs)) {
    const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
    await writeFile(join(bin, `${name}.out`), text(out));
    await writeFile(join(bin, `${name}.err`), text(err));
    await writeFile(join(bin, `${name}.code`), String(code));
    await writeFile(join(bin, name), source);
    await chmod(join(bin, name), 0o755);
  }
  const ours = { PATH: process.env["PATH"], SLURM_JOB_ID: "1", TESSERA_RUN_TOKEN: "of a run" };
  const env = { ...ours, ...variables };
  const tools: SlurmTools = { bin, env, clock: createRealClock(), conf: "/etc/of/this/slurm.conf" };
  const linesOf = async (file: string) => (await readFile(join(bin, file), "utf8")).split("\n");
  return {
    tools,
    argumentsOf: (name: string) => linesOf(`${name}.args`),
    environmentOf: (name: string) => linesOf(`${name}.env`),
  };
}
