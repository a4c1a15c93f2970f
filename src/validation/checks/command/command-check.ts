import { z } from "zod";
import { firstIssue, outputSchema } from "../../collect/result-schema.ts";
import { type Check, type CheckContext, type CheckOutput, defineCheck } from "../check.ts";
import { programFailed, runProgram } from "./run-program.ts";

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

async function runCommand(
  check: string,
  context: CheckContext<CommandOptions>,
): Promise<CheckOutput> {
  const { options } = context;
  const value = await runProgram({ check, command: options.command, options, context });
  const parsed = outputSchema.safeParse(value);
  if (!parsed.success) {
    const problem = `the last line it wrote to stdout is no result: ${firstIssue(parsed.error)}`;
    throw programFailed(check, problem);
  }
  const { cohort, ...output } = parsed.data;
  return { ...output, ...(cohort === undefined ? {} : { cohort }) };
}
