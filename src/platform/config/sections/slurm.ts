import { z } from "zod";
import { section, setting, wholePath } from "../setting.ts";

/** A name as Slurm takes it as an argument: nothing that could be read as more than a name. */
export const slurmName = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99}$/, {
  error: "must be a name of letters, digits, and . _ + -",
});

/** A file that compute nodes start. */
export const slurmProgram = z
  .string()
  .max(4096)
  .startsWith("/", { error: "must be an absolute path, the same on all nodes" });

/** A program and its arguments, which no shell reads. */
const command = z.array(z.string().min(1).max(4096)).min(1).max(100);

export const slurmSection = section("Which Slurm cluster to talk to, and how jobs are handed in.", {
  bin: setting(z.string().min(1), {
    description: "The folder with Slurm's programs. Without it: where `PATH` finds them.",
    examples: ["/opt/slurm/bin"],
    path: wholePath,
  }),
  conf: setting(z.string().min(1), {
    description: "The cluster's `slurm.conf`. Without it: `SLURM_CONF`, then Slurm's own place.",
    examples: ["/etc/slurm/slurm.conf"],
    path: wholePath,
  }),
  program: setting(slurmProgram, {
    description:
      "The `tessera` program as compute nodes find it, usually on the shared file system. Jobs start it.",
    examples: ["/shared/tessera/bin/tessera"],
  }),
  partition: setting(slurmName, {
    description: "The partition for Tessera's jobs. Without it: the cluster's default.",
    examples: ["tessera"],
  }),
  account: setting(slurmName, {
    description: "The account Tessera's jobs are charged to. Without it: the user's own.",
    examples: ["infra"],
  }),
  qos: setting(slurmName, {
    description: "The quality of service for Tessera's jobs; one that users' jobs preempt.",
    examples: ["scavenger"],
  }),
  stopSlurmd: setting(command, {
    description:
      "For chaos experiments: the program and arguments that kill the daemon of a node, `{node}` being its name. Without it `kill_slurmd` is refused.",
    examples: [["ssh", "{node}", "systemctl", "kill", "-s", "KILL", "slurmd"]],
    fileOnly: true,
  }),
  startSlurmd: setting(command, {
    description: "The program and arguments that start it again. Doing it twice must do no harm.",
    examples: [["ssh", "{node}", "systemctl", "restart", "slurmd"]],
    fileOnly: true,
  }),
});
