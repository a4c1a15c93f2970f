import { z } from "zod";
import { duration } from "../values.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A time of day in which nothing new is begun, minutes since midnight UTC; may span midnight. */
export interface QuietHoursValue {
  readonly fromMinute: number;
  readonly toMinute: number;
}

const quietHours = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/, {
    error: "must be a time of day such as 22:00-06:00",
  })
  .transform((text, context): QuietHoursValue => {
    const [from = "", to = ""] = text.split("-");
    if (from !== to) return { fromMinute: minuteOfDay(from), toMinute: minuteOfDay(to) };
    context.addIssue({ code: "custom", message: "must not end when it begins" });
    return z.NEVER;
  });

function minuteOfDay(text: string): number {
  const [hours, minutes] = text.split(":").map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}

/** The name of a check, a cluster or a queue: short, and fit for paths, labels and job names. */
export function shortName(what: string) {
  return z
    .string()
    .max(40)
    .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, {
      error: `must be ${what} of lower-case letters, digits and hyphens`,
    });
}

const check = z.strictObject({
  name: shortName("the name of a check"),
  minutes: z.number().min(0.1).max(1440).optional(),
  fileSystem: z.string().max(200).optional(),
  options: z.record(z.string(), z.json()).optional(),
});

/** Runs at a time; a thousand is more than any control plane should be trusted with. */
const runs = z.int().min(1).max(1000);

/** How each value of the section is read, wherever it stands: for all clusters or for one. */
export const validationValues = {
  policy: z.enum(["risk", "stale", "random"]),
  staleAfter: duration({ min: minuteMs, max: 365 * dayMs }),
  checks: z.array(check).min(1).max(50).superRefine(refuseSameNames),
  plugins: z.array(z.string().min(1).max(4096)).max(100),
  pendingTimeout: duration({ min: 1000, max: 7 * dayMs }),
  runTimeout: duration({ min: 1000, max: 7 * dayMs }),
  resultGrace: duration({ min: 1000, max: dayMs }),
  compareDays: z.number().min(1).max(365),
  resultsDir: z.string().min(1),
  resultUrl: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }),
  template: z.string().min(1),
  limits: {
    inFlight: runs,
    perRack: runs,
    perFileSystem: runs,
    cooldown: duration({ min: 0, max: 30 * dayMs }),
    retestAfter: duration({ min: 0, max: 30 * dayMs }),
    gpuHoursPerDay: z.number().min(0.01).max(1e9),
    quietHours: z.array(quietHours).max(24),
  },
  act: {
    mode: z.enum(["off", "dry-run", "on"]),
    label: z.boolean(),
    cordon: z.boolean(),
    cordonedShareMax: z.number().min(0).max(1),
  },
} as const;

/** Refuses a second entry of one name, where it stands. */
export function refuseSameNames(
  entries: readonly { readonly name: string }[],
  context: z.RefinementCtx,
): void {
  const seen = new Set<string>();
  for (const [index, { name }] of entries.entries()) {
    if (seen.has(name)) {
      const message = `is the name of an earlier entry: ${name}`;
      context.addIssue({ code: "custom", path: [index, "name"], message });
    }
    seen.add(name);
  }
}
