import { installSlurm } from "./install.ts";

/** Before the suites of project "slurm", each of which starts a Slurm of its own. */
export default async function setup(): Promise<void> {
  await installSlurm((text) => process.stderr.write(`slurm: ${text}\n`));
}
