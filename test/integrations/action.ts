import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { distDir } from "../support/built-cli.ts";
import { tempDir } from "../support/temp-dir.ts";

const stepSchema = z.strictObject({
  name: z.string(),
  id: z.string().optional(),
  if: z.string().optional(),
  shell: z.literal("bash").optional(),
  env: z.record(z.string(), z.string()).optional(),
  run: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.string()).optional(),
});

const actionSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  inputs: z.record(
    z.string(),
    z.strictObject({
      description: z.string(),
      required: z.boolean().optional(),
      default: z.string().optional(),
    }),
  ),
  outputs: z.record(z.string(), z.strictObject({ description: z.string(), value: z.string() })),
  runs: z.strictObject({ using: z.literal("composite"), steps: z.array(stepSchema) }),
});

export const actionFolder = resolve("integrations/github");

export function readAction() {
  const text = readFileSync(join(actionFolder, "action.yml"), "utf8");
  return actionSchema.parse(parse(text, { strict: true, uniqueKeys: true }));
}

export interface ActionResult {
  readonly code: number;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly log: string;
}

export interface RunnerOptions {
  /** Whether the upload of the report ends with an error. @default false */
  readonly uploadFails?: boolean;
}

/** Runs the steps of the action as a runner does, with the built CLI; nothing is really uploaded. */
export async function runAction(
  inputs: Readonly<Record<string, string>>,
  { uploadFails = false }: RunnerOptions = {},
): Promise<ActionResult> {
  const { runs, inputs: declared } = readAction();
  const folder = await tempDir();
  const defaults = Object.entries(declared).map(([name, { default: value = "" }]) => [name, value]);
  const path = join(distDir, "cli", "main.js");
  const given: Record<string, string> = { ...Object.fromEntries(defaults), path, ...inputs };
  const outputs: Record<string, string> = {};
  const summaryFile = join(folder, "summary.md");
  let log = "";
  let code = 0;
  for (const { id = "", if: condition = "", run, env = {} } of runs.steps) {
    // After a step that failed only those run that say so.
    if (code !== 0 && !condition.includes("always()")) continue;
    if (run === undefined) {
      if (uploadFails && code === 0) code = 1;
      continue;
    }
    const outputFile = join(folder, `output-${id}`);
    await writeFile(outputFile, "");
    const result = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
      cwd: folder,
      encoding: "utf8",
      env: {
        PATH: process.env["PATH"],
        HOME: folder,
        RUNNER_TEMP: folder,
        GITHUB_JOB: "gates",
        GITHUB_ACTION_PATH: actionFolder,
        GITHUB_OUTPUT: outputFile,
        GITHUB_STEP_SUMMARY: summaryFile,
        ...Object.fromEntries(
          Object.entries(env).map(([name, text]) => [name, resolved(text, given, outputs)]),
        ),
      },
    });
    log += result.stdout + result.stderr;
    for (const line of readFileSync(outputFile, "utf8").split("\n")) {
      const [, name, value = ""] = /^([\w-]+)=(.*)$/.exec(line) ?? [];
      if (name !== undefined) outputs[`${id}.${name}`] = value;
    }
    if (code === 0) code = result.status ?? -1;
  }
  return { code, outputs, log, summary: read(summaryFile) };
}

function resolved(
  text: string,
  inputs: Readonly<Record<string, string>>,
  outputs: Readonly<Record<string, string>>,
): string {
  return text.replaceAll(/\$\{\{ (?:inputs|steps)\.([\w.-]+) \}\}/g, (_, name: string) => {
    return inputs[name] ?? outputs[name.replace(".outputs.", ".")] ?? "";
  });
}

function read(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
