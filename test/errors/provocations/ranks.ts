import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fromCli, type Provocation } from "../provocation.ts";

const env = {
  TESSERA_RANK: "1",
  TESSERA_WORLD_SIZE: "2",
  // Nobody listens on the port of discard here, and without privileges nobody can.
  TESSERA_RENDEZVOUS: "127.0.0.1:9",
  TESSERA_RANK_SECRET: "a secret of sixteen or more",
  TESSERA_RANK_INPUT: JSON.stringify({ op: "barrier", sizes: [0], joinMs: 200 }),
};

/** Slurm's programs on a cluster that has nothing, where every job waits. */
const slurmPrograms = {
  sinfo: `[ "$1" = --version ] && echo 'slurm 22.05.8' || echo '{"nodes":[]}'`,
  squeue: `echo '{"jobs":[]}'`,
  scontrol: "exit 0",
  scancel: "exit 0",
  salloc: "echo 'salloc: Pending job allocation 7' >&2; exec sleep 60",
};

async function slurmIn(folder: string): Promise<Record<string, string>> {
  for (const [name, text] of Object.entries(slurmPrograms)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`);
    await chmod(join(folder, name), 0o755);
  }
  return { TESSERA_SLURM_BIN: folder, TESSERA_SLURM_PROGRAM: "/shared/tessera" };
}

export const provocations: Provocation[] = [
  {
    code: "E_RANK_ENVIRONMENT",
    how: "tessera agent rank outside of a job",
    provoke: async ({ cli }) => fromCli(await cli(["agent", "rank", "collective"])),
  },
  {
    code: "E_RENDEZVOUS",
    how: "tessera agent rank where no rank 0 is",
    provoke: async ({ cli }) => fromCli(await cli(["agent", "rank", "collective"], { env })),
  },
  {
    code: "E_RANK_LOST",
    how: "tessera collective --measured with a rank that dies",
    provoke: async ({ cli }) =>
      fromCli(
        await cli([
          ...["collective", "all-reduce", "--measured", "--transport", "tcp"],
          ...["--bytes", "1KiB,2KiB", "--lose", "1"],
        ]),
      ),
  },
  {
    code: "E_SLURM_JOB",
    how: "tessera collective --measured --on slurm on a cluster whose nodes never come",
    provoke: async ({ cli, tempDir }) =>
      fromCli(
        await cli(
          [
            ...["collective", "all-reduce", "--measured", "--transport", "tcp", "--bytes", "1KiB"],
            ...["--on", "slurm", "--pending-timeout", "100ms"],
          ],
          { env: await slurmIn(tempDir) },
        ),
      ),
  },
  {
    code: "E_MEASUREMENT",
    how: "tessera collective calibrate with another file",
    provoke: async ({ cli, tempDir }) => {
      const file = join(tempDir, "times.json");
      await writeFile(file, "{}");
      return fromCli(await cli(["collective", "calibrate", file]));
    },
  },
];
