import type { ComponentSpec } from "../supervisor/component.ts";
import { controllerHost } from "./conf.ts";
import type { SlurmContext } from "./context.ts";

/** Says who sends each message. One for all nodes: they share a key, and here also a socket. */
export function mungeComponent({ program, paths, tool }: SlurmContext): ComponentSpec {
  return {
    name: "munged",
    // Its own name must have an address, which goes into what it signs.
    ...onTheHead([
      program("munged"),
      "--foreground",
      "--force",
      `--key-file=${paths.mungeKey}`,
      `--socket=${paths.mungeSocket}`,
      `--pid-file=${paths.munge}/munged.pid`,
      `--seed-file=${paths.munge}/munged.seed`,
      // The log goes to the output, like everybody's.
      "--log-file=/dev/stderr",
    ]),
    healthy: async () => (await tool("munge", ["-n", "-S", paths.mungeSocket])) !== "",
  };
}

// It writes down what it knows when it ends, each file through to the disk, which may be busy.
const writeDownMs = 25_000;

/** The controller. */
export function slurmctldComponent(context: SlurmContext): ComponentSpec {
  const { env, tool } = context;
  return {
    name: "slurmctld",
    ...onTheHead([context.program("slurmctld"), "-D"]),
    env,
    stopGraceMs: writeDownMs,
    healthy: async () => (await tool("scontrol", ["ping"])).includes(" is UP"),
  };
}

// Slurm's daemons refuse to run on a host that their file does not name.
const headScript = `echo ${controllerHost} > /proc/sys/kernel/hostname && exec "$@"`;

/** A program on a host of the controller's name. */
export function onTheHead(
  command: readonly [string, ...string[]],
): Pick<ComponentSpec, "program" | "args"> {
  return {
    program: "unshare",
    args: ["--uts", "/bin/sh", "-c", headScript, "head", ...command],
  };
}
