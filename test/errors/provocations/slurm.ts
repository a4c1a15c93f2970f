import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ErrorCode } from "../../../src/platform/errors/index.ts";
import {
  fromCli,
  type Provocation,
  type ProvocationContext,
  type Provoked,
} from "../provocation.ts";

/** Starts a campaign on a Slurm whose programs are these scripts. */
async function campaignWith(
  { cli, tempDir }: ProvocationContext,
  programs: Readonly<Record<string, string>>,
): Promise<Provoked> {
  const bin = join(tempDir, "bin");
  await mkdir(bin);
  for (const [name, body] of Object.entries(programs)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${body}\n`);
    await chmod(join(bin, name), 0o755);
  }
  const args = ["chaos", "campaign", "--runs", "2", "--seed", "1"];
  const env = {
    TESSERA_SLURM_BIN: bin,
    TESSERA_SLURM_PROGRAM: "/shared/tessera",
    TESSERA_DATA_DIR: tempDir,
  };
  const on = ["--on", "slurm", "--tasks", "1", "--name", "x"];
  return fromCli(await cli([...args, ...on], { env }));
}

const sinfo = "echo slurm 24.11.5";
/** A cluster that answers and runs nothing. */
const squeue = `echo '{"jobs": [], "errors": []}'`;

/** A campaign on a Slurm whose sbatch says this. */
function refusing(code: ErrorCode, how: string, words: string): Provocation {
  const sbatch = `echo 'sbatch: error: ${words}' >&2; exit 1`;
  return { code, how, provoke: (context) => campaignWith(context, { sinfo, squeue, sbatch }) };
}

export const provocations: readonly Provocation[] = [
  {
    code: "E_SLURM_MISSING",
    how: "a folder without Slurm's programs",
    provoke: (context) => campaignWith(context, {}),
  },
  {
    code: "E_SLURM_UNREACHABLE",
    how: "a configuration that is not there",
    provoke: (context) => {
      const words = "sinfo: fatal: Unable to process configuration file";
      return campaignWith(context, { sinfo: `echo '${words}' >&2; exit 1` });
    },
  },
  refusing(
    "E_SLURM_DENIED",
    "an account that this user may not use",
    "Batch job submission failed: Invalid account or account/partition combination specified",
  ),
  refusing(
    "E_SLURM_FAILED",
    "a partition that does not exist",
    "Batch job submission failed: Invalid partition name specified",
  ),
  {
    code: "E_SLURM_SHAPE",
    how: "a release that prints jobs in another way",
    provoke: (context) =>
      campaignWith(context, { sinfo, squeue: `echo '{"jobs": {"1": {"state": "?"}}}'` }),
  },
];
