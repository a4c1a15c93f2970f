import type { SlurmClient } from "../platform/slurm/index.ts";
import type { Invocation } from "./invocation.ts";

/** A client for the Slurm cluster of the configuration. Starts no program yet. */
export async function openSlurm(invocation: Invocation): Promise<SlurmClient> {
  const [{ values }, { createSlurmClient }] = await Promise.all([
    invocation.config(),
    import("../platform/slurm/index.ts"),
  ]);
  const { clock, io } = invocation;
  const { bin, conf } = values.slurm;
  return createSlurmClient({ bin, conf, env: io.env, clock });
}
