import { z } from "zod";
import { TesseraError } from "../../../platform/errors/index.ts";
import { ProcessStartError, startProcess } from "../../../platform/process/index.ts";
import { firstIssue, outputSchema } from "../../collect/result-schema.ts";
import { type Check, type CheckContext, type CheckOutput, defineCheck } from "../check.ts";

/** A last line of 8 MiB is the longest a result may be. */
const lineCharsMax = 8 * 2 ** 20;
const textShownMax = 300;

export const commandOptionsSchema = z.looseObject({
  command: z
    .array(z.string().max(4096))
    .min(1)
    .max(256)
    .refine(([program = ""]) => program !== "", { error: "names no program" })
    .describe("The program and its arguments, as they are: there is no shell."),
  minutes: z.number().positive().max(10_080).optional().describe("How long it holds a node."),
});

export type CommandOptions = z.output<typeof commandOptionsSchema>;
type Context = CheckContext<CommandOptions>;

/**
 * A user's own program as a check. It runs in an empty folder, finds its options and the `profile` as
 * JSON in TESSERA_CHECK_OPTIONS, ends with 0, and the last line it writes to stdout is its result: one
 * JSON object with `figures`, and, if it likes, `hardFacts`, `facts` and `cohort`. All other lines go
 * to the run's log.
 */
export function createCommandCheck(
  name: string,
  { minutes = 5 }: { minutes?: number } = {},
): Check {
  return defineCheck({
    name,
    title: "A program of this installation's own",
    minutes,
    sensitivity: {},
    falseAlarm: 0.01,
    figures: {},
    options: commandOptionsSchema,
    requirements: () => ({ met: true }),
    run: (context) => runCommand(name, context),
  });
}

async function runCommand(name: string, context: Context): Promise<CheckOutput> {
  const { clock, signal, options, profile, tempDir, log } = context;
  const [file = "", ...args] = options.command;
  const failed = (problem: string, cause?: unknown) =>
    new TesseraError("E_CHECK_FAILED", { check: name, problem }, { cause });
  // The last line is the result, known as such only when no other follows.
  let last = "";
  let complaint = "";
  const running = await startProcess(file, args, {
    clock,
    signal,
    lineCharsMax,
    cwd: tempDir,
    env: {
      TESSERA_CHECK_OPTIONS: JSON.stringify({ ...options, profile }),
      // A check measures. It hands in nothing itself, and controls nothing.
      TESSERA_RUN_ID: undefined,
      TESSERA_RUN_TOKEN: undefined,
      TESSERA_TOKEN: undefined,
    },
    onLine: (line, stream) => {
      if (line.trim() === "") return;
      if (stream === "stderr") {
        complaint = line;
        log(line);
        return;
      }
      if (last !== "") log(last);
      last = line;
    },
  }).catch((error: unknown) => {
    if (error instanceof ProcessStartError) throw failed(error.message, error);
    throw error;
  });
  const exit = await running.exited;
  signal.throwIfAborted();
  if (exit.exitCode !== 0) {
    if (last !== "") log(last);
    const how = exit.signal === null ? `exit code ${exit.exitCode}` : `ended by ${exit.signal}`;
    const said = shown(complaint || last);
    throw failed(said === "" ? `${file}: ${how}` : `${file}: ${how}, saying ${said}`);
  }
  return readOutput(last, failed);
}

/** What the last line says. */
function readOutput(line: string, failed: (problem: string) => TesseraError): CheckOutput {
  if (line === "") throw failed("it wrote nothing to stdout, and its last line is its result");
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw failed(`the last line it wrote to stdout is not JSON: ${shown(line)}`);
  }
  const parsed = outputSchema.safeParse(value);
  if (!parsed.success) {
    throw failed(`the last line it wrote to stdout is no result: ${firstIssue(parsed.error)}`);
  }
  const { cohort, ...output } = parsed.data;
  return { ...output, ...(cohort === undefined ? {} : { cohort }) };
}

function shown(text: string): string {
  return text.length > textShownMax ? `${text.slice(0, textShownMax)}…` : text;
}
