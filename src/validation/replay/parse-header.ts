import { z } from "zod";
import type { Fleet } from "../prioritize/index.ts";

const name = z.union([z.string().min(1), z.number()]).transform(String);
const share = z.number().min(0).max(1);

const headerSchema = z.object({
  type: z.literal("fleet"),
  start: z.number(),
  end: z.number(),
  nodes: z
    .array(
      z.object({
        name,
        sku: name.default("unknown"),
        rack: name.default("unknown"),
        gpus: z.number().positive(),
      }),
    )
    .min(1),
  checks: z
    .array(
      z.object({
        name,
        minutes: z.number().positive(),
        sensitivity: z.record(z.string(), share),
        falseAlarm: share.nullish(),
      }),
    )
    .min(1),
  limits: z.object({ inFlight: z.int().min(1), gpuHoursPerDay: z.number().min(0) }),
});

/** The fleet that the first line of a log describes, or what is wrong with the line. */
export function parseHeader(line: unknown): Fleet | string {
  const parsed = headerSchema.safeParse(line);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
    return `it must describe the fleet, but ${where}${issue?.message ?? "it does not"}`;
  }
  const { start, end, nodes, checks, limits } = parsed.data;
  if (end <= start) return "the end is not after the start";
  const twice = duplicate(nodes.map((node) => node.name));
  if (twice !== undefined) return `two nodes are called ${twice}`;
  const check = duplicate(checks.map((one) => one.name));
  if (check !== undefined) return `two checks are called ${check}`;
  return {
    startS: start,
    endS: end,
    nodes,
    checks: checks.map(({ falseAlarm, ...rest }) => ({ ...rest, falseAlarm: falseAlarm ?? 0 })),
    limits,
  };
}

function duplicate(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return names.find((one) => seen.size === seen.add(one).size);
}
