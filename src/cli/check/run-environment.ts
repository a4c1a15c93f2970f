import { z } from "zod";
import { TesseraError } from "../../platform/errors/index.ts";
import type { JsonObject } from "../../platform/store/index.ts";
import type { RunIntent } from "../../validation/run.ts";

/** The run this process is the job of. */
export interface RunEnvironment {
  readonly subject: Pick<RunIntent, "id" | "cluster" | "node" | "check" | "plannedAtMs">;
  /** Lets it hand in its result; never shown. */
  readonly token: string;
  readonly resultUrl: string | undefined;
  /** The root of the log tree. */
  readonly resultDir: string | undefined;
  /** After this long the job must have given up. */
  readonly timeoutMs: number;
  readonly checkOptions: JsonObject;
}

/** What the command line says; it outweighs the environment. */
export interface RunFlags {
  readonly check?: string;
  readonly resultUrl?: string;
  readonly resultDir?: string;
  readonly timeoutMs?: number;
  readonly checkOptions?: JsonObject;
}

type Env = Readonly<Record<string, string | undefined>>;

const runIdVariable = "TESSERA_RUN_ID";
const name = z.string().min(1).max(253);

const variables = z.object({
  [runIdVariable]: name,
  TESSERA_RUN_TOKEN: z.string().min(1).max(128),
  TESSERA_CLUSTER: name,
  TESSERA_NODE: name,
  TESSERA_CHECK: name,
  TESSERA_PLANNED_AT: z.coerce.number().min(0).max(8.64e12),
  TESSERA_RUN_TIMEOUT_MS: z.coerce
    .number()
    .min(1)
    .max(2 ** 40),
  TESSERA_RESULT_URL: z.url({ protocol: /^https?$/ }).optional(),
  TESSERA_RESULT_DIR: z.string().min(1).optional(),
});

/**
 * The run this process was started for; undefined when it was started by hand.
 *
 * @throws TesseraError E_RUN_ENVIRONMENT when the variables do not make a whole.
 */
export function readRunEnvironment(env: Env, flags: RunFlags): RunEnvironment | undefined {
  if (!env[runIdVariable]) return undefined;
  // An empty variable is one that is not set.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = variables.safeParse({
    ...given,
    ...(flags.check === undefined ? {} : { TESSERA_CHECK: flags.check }),
    ...(flags.resultUrl === undefined ? {} : { TESSERA_RESULT_URL: flags.resultUrl }),
    ...(flags.resultDir === undefined ? {} : { TESSERA_RESULT_DIR: flags.resultDir }),
    ...(flags.timeoutMs === undefined ? {} : { TESSERA_RUN_TIMEOUT_MS: flags.timeoutMs }),
  });
  if (!parsed.success) throw broken(problemOf(parsed.error, given));
  const { data } = parsed;
  if (data.TESSERA_RESULT_URL === undefined && data.TESSERA_RESULT_DIR === undefined) {
    throw broken("neither TESSERA_RESULT_URL nor TESSERA_RESULT_DIR says where its result goes");
  }
  return {
    subject: {
      id: data[runIdVariable],
      cluster: data.TESSERA_CLUSTER,
      node: data.TESSERA_NODE,
      check: data.TESSERA_CHECK,
      plannedAtMs: data.TESSERA_PLANNED_AT * 1000,
    },
    token: data.TESSERA_RUN_TOKEN,
    resultUrl: data.TESSERA_RESULT_URL,
    resultDir: data.TESSERA_RESULT_DIR,
    timeoutMs: data.TESSERA_RUN_TIMEOUT_MS,
    checkOptions: flags.checkOptions ?? optionsIn(env["TESSERA_CHECK_OPTIONS"]),
  };
}

function optionsIn(text: string | undefined): JsonObject {
  if (text === undefined || text === "") return {};
  const options = parseOptions(text);
  if (options === undefined) throw broken("TESSERA_CHECK_OPTIONS is not a JSON object");
  return options;
}

/** The JSON object in a text; undefined when there is none. */
export function parseOptions(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return z.record(z.string(), z.unknown()).safeParse(value).data;
  } catch {
    return undefined;
  }
}

/** Names the variable and never its value, which may be a secret. */
function problemOf(error: z.ZodError, given: Env): string {
  const variable = String(error.issues[0]?.path[0] ?? "one of its variables");
  return given[variable] === undefined ? `${variable} is not set` : `${variable} is not valid`;
}

function broken(problem: string): TesseraError {
  return new TesseraError("E_RUN_ENVIRONMENT", { problem });
}
