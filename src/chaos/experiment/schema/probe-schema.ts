import { z } from "zod";
import type { Comparison } from "../../plan/index.ts";
import { count, durationUs, longText, share, shortText } from "./values.ts";

const comparisonForm = /^\s*(==|!=|<=|>=|<|>)\s*(\S.*?)\s*$/s;
const howToCompare = 'must be a comparison such as "== 3", "< 0.1" or "!= Failed"';

const comparison = z
  .string({ error: howToCompare })
  .max(1000)
  .regex(comparisonForm, { error: howToCompare })
  .transform((text): Comparison => {
    const [, operator = "==", value = ""] = comparisonForm.exec(text) ?? [];
    return { operator: operator as Comparison["operator"], value: plainValue(value) };
  });

/** A number, true or false where it reads like one; `"3"` in quotation marks is text. */
function plainValue(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  if (/^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(text)) return Number(text);
  return /^".*"$/s.test(text) ? text.slice(1, -1) : text;
}

export function comparisonText({ operator, value }: Comparison): string {
  const isPlain = typeof value !== "string" || plainValue(value) === value;
  return `${operator} ${isPlain ? String(value) : `"${value}"`}`;
}

const url = z.url({ protocol: /^https?$/, error: "must be a URL of http or https" });
const timeout = durationUs({ min: 1 }).optional().describe("No answer by then is no answer; 5s.");

const outside = {
  http: z
    .strictObject({
      url: url.describe("Asked with GET."),
      status: count(100, 599).optional().describe("The status it must answer with; 200."),
      timeout,
    })
    .describe("A page that answers."),
  command: z
    .strictObject({
      run: z
        .array(z.string().max(4096))
        .min(1)
        .max(256)
        .refine(([first = ""]) => first !== "", { error: "names no program" })
        .describe("Program and arguments; no shell."),
      exitCode: count(0, 255).optional().describe("It must end with; 0."),
      timeout,
    })
    .describe("A program that ends well."),
  kubernetes: z
    .strictObject({
      resource: z
        .string()
        .regex(/^([a-z0-9.-]+\/)?v[a-z0-9]+\/[a-z0-9.-]+$/, {
          error: "must be version and plural, such as v1/pods or apps/v1/deployments",
        })
        .describe("Such as apps/v1/deployments."),
      namespace: shortText.optional().describe("None for what belongs to the whole cluster."),
      name: shortText.describe("Of the object."),
      field: longText.describe("A path such as status.readyReplicas."),
      is: comparison.describe("What the field must be."),
    })
    .describe("A field of an object of the cluster."),
  promql: z
    .strictObject({
      url: url.describe("Of Prometheus."),
      query: longText.describe("Must give one number."),
      is: comparison.describe("What the number must be."),
    })
    .describe("A figure that Prometheus knows."),
};

const inside = {
  throughput: z
    .strictObject({
      atLeast: share.describe("Share of what the run without faults did."),
      window: durationUs({ min: 1 }).optional().describe("Over which it is counted; 10s."),
    })
    .describe("Units in a second, against the run without faults."),
  progress: z
    .strictObject({ within: durationUs({ min: 1 }).describe("A step at least so often.") })
    .describe("It goes on."),
};

/** Asked of the world around the job; these can end a run. */
export const outsideProbeSchema = oneOf(outside);
export const probeSchema = oneOf({ ...inside, ...outside });

export type ProbeGiven = z.output<typeof probeSchema>;

function oneOf<Shape extends Record<string, z.ZodType>>(shape: Shape) {
  const entries = Object.entries(shape).map(([key, type]) => [key, type.optional()]);
  const all = Object.fromEntries(entries) as { [K in keyof Shape]: z.ZodOptional<Shape[K]> };
  return z
    .strictObject(all)
    .superRefine((given, context) => {
      const named = Object.values(given).filter((value) => value !== undefined).length;
      if (named === 1) return;
      const message = `must be exactly one of ${Object.keys(shape).join(", ")}`;
      context.addIssue({ code: "custom", message });
    })
    .meta({
      description: "One question about the steady state.",
      minProperties: 1,
      maxProperties: 1,
    });
}
