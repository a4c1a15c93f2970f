import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseDocument } from "yaml";
import { z } from "zod";
import { messageOf, TesseraError } from "../../../platform/errors/index.ts";
import { fileProblem } from "../../../platform/files/file-problem.ts";
import { isYamlNestedTooDeeply, yamlTooDeep } from "../../../platform/files/index.ts";
import { firstIssue } from "../../collect/result-schema.ts";

export const manifestName = "tessera.check.yaml";
const manifestBytesMax = 256 * 1024;

const share = z.number().min(0).max(1);
const program = z.string().min(1).max(4096);

const manifestSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$/, {
      error: "must be at most 40 lower-case letters, digits and hyphens, and begin with a letter",
    })
    .describe("What the check is called, here and in `validation.checks`."),
  title: z.string().min(1).max(200).describe("What a person calls it."),
  command: z
    .array(z.string().max(4096))
    .min(1)
    .max(256)
    .refine(([first = ""]) => first !== "", { error: "names no program" })
    .describe("The program and its arguments; a program named by its place is found from here."),
  minutes: z.number().positive().max(10_080).default(5).describe("How long it holds a node."),
  needs: z
    .strictObject({
      gpus: z.int().min(0).max(64).optional(),
      programs: z.array(program).max(100).optional(),
      memoryBytes: z.number().positive().optional(),
    })
    .default({})
    .describe("What a machine must have."),
  figures: z
    .record(
      z.string().min(1).max(253),
      z.strictObject({
        unit: z.string().max(32).optional(),
        higherIsBetter: z.boolean(),
      }),
    )
    .refine((all) => Object.keys(all).length <= 512, { error: "has more than 512 figures" })
    .describe("What it measures, with unit and direction."),
  options: z
    .record(z.string(), z.json())
    .optional()
    .describe("A JSON Schema of its options. Without it, any are passed on."),
  sensitivity: z
    .record(z.string(), share)
    .default({})
    .describe("Chance to find a defect, by kind."),
  falseAlarm: share.default(0.01).describe("Chance to blame a node without a defect."),
  parse: z.literal("json-last-line").default("json-last-line").describe("How its result is read."),
});

export type Manifest = z.output<typeof manifestSchema>;

/** A manifest, where it lies, and the options its schema allows. */
export interface ReadManifest {
  readonly path: string;
  readonly manifest: Manifest;
  /** The command with its program as an absolute path, where it was named by its place. */
  readonly command: readonly string[];
  readonly options: z.ZodType;
}

/**
 * Reads a manifest: the file itself, or the folder it lies in.
 *
 * @throws TesseraError E_PLUGIN_INVALID
 */
export function readManifest(fileOrFolder: string): ReadManifest {
  const path = placeOf(fileOrFolder);
  const parsed = manifestSchema.safeParse(valueIn(path));
  if (!parsed.success) throw invalid(path, firstIssue(parsed.error));
  const manifest = parsed.data;
  const [first = "", ...args] = manifest.command;
  const file = first.includes("/") ? resolve(dirname(path), first) : first;
  return { path, manifest, command: [file, ...args], options: optionsOf(path, manifest) };
}

export function invalid(path: string, problem: string): TesseraError {
  return new TesseraError("E_PLUGIN_INVALID", { path, problem });
}

function placeOf(fileOrFolder: string): string {
  try {
    const isFolder = statSync(fileOrFolder).isDirectory();
    return isFolder ? join(fileOrFolder, manifestName) : fileOrFolder;
  } catch (error) {
    throw invalid(fileOrFolder, fileProblem(error));
  }
}

function valueIn(path: string): unknown {
  let text: string;
  try {
    if (statSync(path).size > manifestBytesMax) throw new Error("it is larger than 256 KiB");
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw invalid(path, fileProblem(error));
  }
  if (isYamlNestedTooDeeply(text)) throw invalid(path, yamlTooDeep);
  const document = parseDocument(text, { prettyErrors: true });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) throw invalid(path, problem.message.split("\n", 1)[0] ?? "");
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  return value;
}

function optionsOf(path: string, { options }: Manifest): z.ZodType {
  if (options === undefined) return z.looseObject({});
  if (options["type"] !== "object") throw invalid(path, "options: must be of type object");
  try {
    return z.fromJSONSchema(options);
  } catch (error) {
    throw invalid(path, `options: ${messageOf(error)}`);
  }
}
