import { isNode, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { didYouMean } from "../../../platform/config/index.ts";
import { isYamlNestedTooDeeply, yamlTooDeep } from "../../../platform/files/index.ts";
import { dtypes } from "../../tensor/dtype/index.ts";
import { parametersOf, workloadDefaults } from "./complete.ts";
import { workloadNames, workloadPresets } from "./presets.ts";
import type { Workload } from "./types.ts";
import { workloadError } from "./workload-error.ts";

const count = z.int().min(1).max(1e9);
const share = z.number().min(0).max(1);
const rulesMax = 64;

const ruleSchema = z.strictObject({
  upTo: count.optional(),
  tensor: count,
  pipeline: count,
  virtualStages: count.optional(),
});

const schema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{0,39}$/, "must be lower-case letters, digits, - and ."),
  title: z.string().min(1).max(200).optional(),
  model: z.strictObject({
    parameters: z.number().min(1).max(1e15).optional(),
    layers: count.max(10_000),
    hidden: count.max(1e6),
    vocabulary: count.optional(),
    sequence: count.max(1e8),
  }),
  batch: z.strictObject({
    global: count,
    perDevice: count.optional(),
    micro: count.optional(),
  }),
  precision: z
    .strictObject({ compute: z.enum(dtypes).optional(), gradients: z.enum(dtypes).optional() })
    .optional(),
  kernels: z
    .strictObject({
      peakShare: z.number().positive().max(1).optional(),
      layerUs: z.number().min(0).max(1e6).optional(),
      recompute: z.enum(["none", "full"]).optional(),
    })
    .optional(),
  split: z.union([z.literal("auto"), z.array(ruleSchema).min(1).max(rulesMax)]).optional(),
  overlap: z
    .strictObject({
      tensor: share.optional(),
      pipeline: share.optional(),
      data: share.optional(),
    })
    .optional(),
  zero: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]).optional(),
  checkpoint: z
    .strictObject({
      everySteps: z.int().min(0).max(1e9).optional(),
      bytesPerParameter: z.number().positive().max(64).optional(),
      storageGBps: z.number().positive().max(1e6).optional(),
      nodeGBps: z.number().positive().max(1e6).optional(),
      blockingShare: share.optional(),
    })
    .optional(),
  skew: share.optional(),
  serialMs: z.number().min(0).max(1e9).optional(),
});
type Given = z.infer<typeof schema>;

/** The preset of a name. @throws TesseraError with what was probably meant. */
export function workloadOf(name: string): Workload {
  const found = workloadPresets.find((preset) => preset.name === name.trim().toLowerCase());
  if (found !== undefined) return found;
  const meant = didYouMean(name, workloadNames);
  throw workloadError(`\`${name}\``, `there is none of this name${meant}.`);
}

/**
 * A workload of the user's own, from YAML. Model and batch must be given, everything else may be.
 *
 * @param file the file's name, for error messages.
 * @throws TesseraError naming file, line and field.
 */
export function parseWorkload(yamlText: string, file: string): Workload {
  if (isYamlNestedTooDeeply(yamlText)) throw workloadError(`${file},`, `${yamlTooDeep}.`);
  const lines = new LineCounter();
  const document = parseDocument(yamlText, { lineCounter: lines, prettyErrors: false });
  const fault = document.errors[0];
  if (fault !== undefined) {
    const { line } = lines.linePos(fault.pos[0]);
    throw workloadError(`${file}, line ${line},`, `it is not valid YAML: ${fault.message}.`);
  }
  const result = schema.safeParse(document.toJS({ maxAliasCount: 100 }));
  if (result.success) return complete(result.data, file);
  const [issue] = result.error.issues;
  const path = issue?.path ?? [];
  const node = path.length === 0 ? undefined : document.getIn(path, true);
  const offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  const line = lines.linePos(offset).line || 1;
  const field = path.length === 0 ? "the file" : `\`${path.join(".")}\``;
  throw workloadError(`${file}, line ${line},`, `${field}: ${issue?.message ?? "not valid"}.`);
}

function complete(given: Given, file: string): Workload {
  const { vocabulary, ...defaults } = workloadDefaults;
  const model = { vocabulary, ...defined(given.model) };
  const micro = given.batch.micro ?? 1;
  const split = given.split ?? defaults.split;
  if (split !== "auto") checkRules(split, file);
  return {
    name: given.name,
    title: given.title ?? `${given.name} of ${file}`,
    model: { ...model, parameters: given.model.parameters ?? parametersOf(model) },
    batch: { global: given.batch.global, micro, perDevice: given.batch.perDevice ?? micro },
    precision: { ...defaults.precision, ...defined(given.precision) },
    kernels: { ...defaults.kernels, ...defined(given.kernels) },
    split: split === "auto" ? split : split.map(defined),
    overlap: { ...defaults.overlap, ...defined(given.overlap) },
    zero: given.zero ?? defaults.zero,
    checkpoint: { ...defaults.checkpoint, ...defined(given.checkpoint) },
    skew: given.skew ?? defaults.skew,
    serialMs: given.serialMs ?? defaults.serialMs,
  };
}

function checkRules(rules: readonly { readonly upTo?: number | undefined }[], file: string): void {
  for (const [at, { upTo }] of rules.entries()) {
    const before = rules[at - 1]?.upTo;
    if (at > 0 && (before === undefined || (upTo !== undefined && upTo <= before))) {
      const problem = `\`split.${at}\`: rules stand in rising order of upTo, and only the last has none.`;
      throw workloadError(file, problem);
    }
  }
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Without the fields that were not given. */
function defined<T extends object>(given: T | undefined): Defined<T> {
  const entries = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<T>;
}
