import { join } from "node:path";
import { staysBehind } from "../../../platform/config/stays-behind.ts";
import { messageOf, TesseraError } from "../../../platform/errors/index.ts";
import {
  ProcessStartError,
  type RunningProcess,
  startProcess,
} from "../../../platform/process/index.ts";
import { codeOfWords } from "../../../platform/slurm/tools/stderr-words.ts";
import type { Clock } from "../../../platform/time/clock.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** How Slurm's programs are started. */
export interface SlurmTools {
  /** The folder of Slurm's programs. @default where PATH finds them */
  readonly bin?: string | undefined;
  /** Slurm's configuration. @default SLURM_CONF, else Slurm's own place */
  readonly conf?: string | undefined;
  /** What the programs and the ranks inherit. */
  readonly env: Env;
  readonly clock: Clock;
}

/** How long salloc and srun may take to give everything back before they are killed. */
const graceMs = 10_000;

/** Starts one of Slurm's programs that lasts. @throws E_SLURM_MISSING */
export async function startTool(
  tool: "salloc" | "srun",
  args: readonly string[],
  options: {
    readonly tools: SlurmTools;
    readonly env?: Env;
    readonly dieWithParent: boolean;
    readonly onLine: (line: string, stream: "stdout" | "stderr") => void;
  },
): Promise<RunningProcess> {
  const { tools, env, dieWithParent, onLine } = options;
  const { bin, clock } = tools;
  try {
    return await startProcess(bin === undefined ? tool : join(bin, tool), args, {
      clock,
      graceMs,
      dieWithParent,
      envInherit: [],
      env: { ...inherited(tools), ...env },
      onLine,
    });
  } catch (error) {
    if (!(error instanceof ProcessStartError)) throw error;
    throw new TesseraError("E_SLURM_MISSING", { tool, problem: messageOf(error) });
  }
}

/** The error that a program's own words stand for: E_SLURM_UNREACHABLE, _DENIED or _FAILED. */
export function toolFailed(tool: "salloc" | "srun", said: string): TesseraError {
  return new TesseraError(codeOfWords(said), { tool, problem: said });
}

/** They would give a rank another number than srun does. */
const otherRanks = new Set(["JOB_COMPLETION_INDEX", "VC_TASK_INDEX"]);

/**
 * What the programs, and with them ranks on every node, see of our environment. A job that we run in is
 * not the one we ask for, so that its variables stay behind; so do our own settings and secrets.
 */
function inherited({ env, conf }: SlurmTools): Env {
  const kept = Object.entries(env).filter(
    ([name]) =>
      !staysBehind(name) &&
      !otherRanks.has(name) &&
      (!/^SLURMD?_/.test(name) || name === "SLURM_CONF"),
  );
  return { ...Object.fromEntries(kept), ...(conf === undefined ? {} : { SLURM_CONF: conf }) };
}
