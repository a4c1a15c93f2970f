import { tmpdir } from "node:os";
import { join } from "node:path";
import { TesseraError } from "../../platform/errors/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import { commandRefusals, createCommandRunner } from "../command/index.ts";
import type { ChaosPlan } from "../plan/index.ts";
import type { World } from "../world.ts";
import type { DiskKind } from "./disk/index.ts";
import { refusalsOf } from "./refusals.ts";
import { runOnHost } from "./run/run-on-host.ts";

export interface HostWorldOptions {
  /** Starts this program again, as `[process.execPath, ownProgram()]`; `agent chaos-worker` follows. */
  readonly command: readonly [string, ...string[]];
  readonly clock: Clock;
  /** The variables that workers inherit. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Where runs keep their ledgers and checkpoints, each in a folder of its own that goes with it.
   * @default a folder of this user in that for temporary files
   */
  readonly folder?: string;
  /**
   * `namespaces`: each node has a network namespace, and the kernel cuts, loses and slows (root);
   * `proxy`: all of it in a process of ours. @default namespaces for root where they can be made
   */
  readonly network?: "auto" | "proxy" | "namespaces";
  /**
   * How `full_storage` is done. `tmpfs`: checkpoints have a disk of their own, which is really filled (root);
   * `ports`: each worker's file port refuses. @default tmpfs where one can be mounted
   */
  readonly disk?: DiskKind;
}

/**
 * Plans on real processes of this machine, with real sockets, real files and real faults: the ranks of our
 * own job, or the user's program.
 */
export function createHostWorld(options: HostWorldOptions): World {
  const folder = options.folder ?? hostFolderDefault();
  const refusals = (plan: ChaosPlan) =>
    plan.workload.kind === "command" ? commandRefusals(plan) : refusalsOf(plan);
  return {
    name: "host",
    refusals,
    run: async (plan, runOptions) => {
      const [problem] = refusals(plan);
      if (problem !== undefined) throw new TesseraError("E_WORLD", { world: "host", problem });
      if (plan.workload.kind !== "command") {
        return runOnHost(plan, { ...options, folder, ...runOptions });
      }
      const { clock, env } = options;
      // Apart from our own job's: what a dead run left of one is undone by other means than of the other.
      const own = join(folder, "command");
      return createCommandRunner(plan, { clock, env, folder: own, ...runOptions });
    },
  };
}

/** Where runs of this user keep what they need. */
export function hostFolderDefault(): string {
  return join(tmpdir(), `tessera-chaos-${process.getuid?.() ?? "user"}`);
}
