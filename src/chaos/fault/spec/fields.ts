import { z } from "zod";
import { parseDurationMs } from "../../../platform/units/index.ts";
import type { DeviceId } from "../../../runtime/dist/mesh/index.ts";

const number = z.int().min(0);

/** A device as its mesh calls it. */
export const device: z.ZodType<DeviceId> = z.union([
  number,
  z.string().refine((name) => name.trim() !== "", "a device has a name"),
]);

export const seed = z.union([z.string(), z.number().refine(Number.isFinite)]).default(0);

/** Text with a unit, in milliseconds. */
export const durationMs = z.string().transform((text, context) => {
  try {
    return parseDurationMs(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    context.addIssue({ code: "custom", message, input: text });
    return z.NEVER;
  }
});

export const range = z
  .tuple([number, number])
  .refine(([from, to]) => from < to, "a range goes up: [0, 64] is 0 to 63");

export const ranges = z.array(range).min(1);
export const groups = z.array(z.array(device).min(1)).min(1);
export const links = z.array(z.tuple([device, device])).min(1);

export const factor = z.number().min(1).max(1e6);
export const element = number.default(0);
export const bit = number.max(63).default(0);
export const op = z.string().min(1);

/** Which links; all without any of these. */
export const linkScope = {
  ranges: ranges.optional(),
  groups: groups.optional(),
  links: links.optional(),
  device: device.optional(),
};

/** Which collectives; all without any of these. */
export const which = {
  op: op.optional(),
  nth: number.min(1).optional(),
  share: z.number().min(0).max(1).optional(),
  seed,
  times: number.min(1).optional(),
};

/** One of them, or several; always a list. */
export function oneOrMore<T>(schema: z.ZodType<T>): z.ZodType<T[]> {
  return z.union([z.array(schema).min(1), schema.transform((one) => [one])]);
}

/** A device alone means all else by default. */
export function deviceOr<T>(schema: z.ZodType<T>): z.ZodType<T> {
  const alone = device.transform((one, context) => {
    const parsed = schema.safeParse({ device: one });
    if (parsed.success) return parsed.data;
    context.addIssue({ code: "custom", message: "it takes more than a device", input: one });
    return z.NEVER;
  });
  return z.union([alone, schema]);
}
