import { TesseraError } from "../../errors/index.ts";
import { type ProcessResult, ProcessStartError, runProcess } from "../../process/index.ts";
import { formatDurationMs } from "../../units/duration.ts";
import type { SlurmCallOptions, SlurmClientOptions } from "../client.ts";
import { findProgram } from "./find-program.ts";
import { codeOfWords, inOneLine } from "./stderr-words.ts";

/** Some 25,000 jobs as JSON; a longer answer is refused, not cut. */
const outputBytesMaxDefault = 256 * 2 ** 20;
const timeoutMsDefault = 30_000;

/** What of our own environment Slurm's tools need; the rest changes what they print. */
const inherited = [
  ...(["PATH", "HOME", "USER", "LOGNAME", "LD_LIBRARY_PATH", "SLURM_CONF"] as const),
  // The token of clients that do without munge (`auth/jwt`): a secret.
  "SLURM_JWT",
] as const;

export interface ToolCall extends SlurmCallOptions {
  readonly input?: string;
  /** The environment of a job, which the tool sees beside what it needs to start and to be understood. */
  readonly jobEnv?: Readonly<Record<string, string>>;
}

export interface ToolResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly ok: boolean;
}

/** Slurm's programs, each run without a shell and within limits. */
export interface SlurmTools {
  /** Runs one; a failure that its words do not explain otherwise is in the result. */
  try(tool: string, args: readonly string[], call?: ToolCall): Promise<ToolResult>;
  /** Runs one and returns what it printed. @throws E_SLURM_* by what it said when it failed */
  run(tool: string, args: readonly string[], call?: ToolCall): Promise<string>;
}

export function createTools(options: SlurmClientOptions): SlurmTools {
  const attempt: SlurmTools["try"] = async (tool, args, call = {}) => {
    const result = withoutToken(await start(options, { tool, args, call }), options.env.SLURM_JWT);
    const timeoutMs = options.timeoutMs ?? timeoutMsDefault;
    if (result.timedOut) {
      const said = inOneLine(result.stderr);
      const problem = `nothing within ${formatDurationMs(timeoutMs)}${said === "" ? "" : `: ${said}`}`;
      throw new TesseraError("E_SLURM_UNREACHABLE", { tool, problem });
    }
    if (result.truncated) {
      const { outputBytesMax = outputBytesMaxDefault } = options;
      const problem = `it printed more than ${outputBytesMax / 2 ** 20} MiB, which is not read`;
      const cause = new TooLong(problem);
      throw new TesseraError("E_SLURM_FAILED", { tool, problem }, { cause });
    }
    return { stdout: result.stdout, stderr: result.stderr, ok: result.exitCode === 0 };
  };
  return {
    try: attempt,
    run: async (tool, args, call) => {
      const result = await attempt(tool, args, call);
      if (!result.ok) throw toolError(tool, result);
      return result.stdout;
    },
  };
}

/** What a tool says when it fails gets into errors and logs; the token that it was given must not. */
function withoutToken(result: ProcessResult, token: string | undefined): ProcessResult {
  if (token === undefined || token === "") return result;
  const hide = (text: string) => text.replaceAll(token, "***");
  const stderr = hide(result.stderr);
  return result.exitCode === 0
    ? { ...result, stderr }
    : { ...result, stderr, stdout: hide(result.stdout) };
}

class TooLong extends Error {}

/** Whether a tool printed more than is read. */
export function isTooLong(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof TooLong;
}

/** The error for a tool that failed: its code by what it said. */
export function toolError(
  tool: string,
  result: Pick<ToolResult, "stdout" | "stderr">,
): TesseraError {
  // Some tools complain on standard output.
  const said = result.stderr.trim() === "" ? result.stdout : result.stderr;
  const problem = inOneLine(said) || "it ended badly without a word";
  return new TesseraError(codeOfWords(problem), { tool, problem });
}

async function start(
  options: SlurmClientOptions,
  what: { readonly tool: string; readonly args: readonly string[]; readonly call: ToolCall },
): Promise<ProcessResult> {
  const { tool, args, call } = what;
  const file = findProgram(tool, { bin: options.bin, path: options.env.PATH });
  if (file === undefined) {
    throw new TesseraError("E_SLURM_MISSING", { tool, problem: "PATH has no such program" });
  }
  try {
    return await runProcess(file, args, {
      clock: options.clock,
      timeoutMs: options.timeoutMs ?? timeoutMsDefault,
      outputBytesMax: options.outputBytesMax ?? outputBytesMaxDefault,
      envInherit: [],
      env:
        call.jobEnv === undefined
          ? toolEnvironment(options)
          : submissionEnvironment(options, call.jobEnv),
      ...(call.input === undefined ? {} : { input: call.input }),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    });
  } catch (error) {
    if (!(error instanceof ProcessStartError)) throw error;
    const problem = error.message;
    throw new TesseraError("E_SLURM_MISSING", { tool, problem }, { cause: error });
  }
}

function toolEnvironment(options: SlurmClientOptions): Record<string, string | undefined> {
  const own = Object.fromEntries(inherited.map((name) => [name, options.env[name]]));
  const fixed = {
    LC_ALL: "C",
    // Text has local times without a zone: so the zone is ours to choose.
    TZ: "UTC",
    SLURM_TIME_FORMAT: "standard",
    // Without a limit on the waiting tasks of an array that are named.
    SLURM_BITSTR_LEN: "0",
    // Without line ends and spaces, where a release has that.
    SLURM_JSON: "compact",
    // Without the jobs and nodes of other clusters, where clusters are federated.
    SCONTROL_LOCAL: "1",
    SINFO_LOCAL: "1",
    SQUEUE_LOCAL: "1",
    SACCT_LOCAL: "1",
  };
  return withConf(options, { ...own, ...fixed });
}

/** What sbatch sees that is no business of its job. */
export const submissionNames = ["LC_ALL", "LD_LIBRARY_PATH", "SLURM_CONF", "SLURM_JWT"] as const;

function submissionEnvironment(
  options: SlurmClientOptions,
  jobEnv: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  const all = toolEnvironment(options);
  return { ...Object.fromEntries(submissionNames.map((name) => [name, all[name]])), ...jobEnv };
}

function withConf(
  options: SlurmClientOptions,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const conf = options.conf ?? options.env.SLURM_CONF;
  return conf === undefined ? { ...env } : { ...env, SLURM_CONF: conf };
}
