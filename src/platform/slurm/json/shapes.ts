import { z } from "zod";
import { messageOf } from "../../errors/index.ts";
import { parseGres } from "../gres.ts";
import { expandHostlist } from "../hostlist.ts";

/** Fields that changed their shape from release to release, each read in all of its shapes. */

/** A number, as itself or as `{set, infinite, number}`; undefined when not set or without end. */
export const number = z
  .union([
    z.number(),
    z.null(),
    z.object({
      set: z.boolean().optional(),
      infinite: z.boolean().optional(),
      number: z.number().optional(),
    }),
  ])
  .transform((value) => {
    if (typeof value === "number") return value;
    if (value === null || value.set === false || value.infinite === true) return undefined;
    return value.number;
  });

/** A number that must be there. */
export const neededNumber = number.pipe(z.number());

/** Seconds since the epoch; zero says that there is none. */
export const time = number.transform((seconds) =>
  seconds === undefined || seconds <= 0 ? undefined : seconds * 1000,
);

/** A word; null, and the words that Slurm has for nothing, are none. */
export const text = z
  .union([z.string(), z.null()])
  .transform((value) => (value === null || value === "(null)" ? "" : value));

/** Words as a list, or in one text with commas between them. */
export const words = z
  .union([z.array(z.string()), z.string(), z.null()])
  .transform((value) => (typeof value === "string" ? value.split(",") : (value ?? [])))
  .transform((list) => list.map((word) => word.trim()).filter((word) => word !== ""));

/** Names of nodes in the short form, or one by one. */
export const hosts = z
  .union([z.string(), z.array(z.string()), z.null()])
  .transform((value, context) =>
    tried(context, () =>
      (typeof value === "string" ? [value] : (value ?? [])).flatMap(expandHostlist),
    ),
  );

export const gres = text.transform((value, context) => tried(context, () => parseGres(value)));

function tried<T>(context: z.RefinementCtx, read: () => T): T {
  try {
    return read();
  } catch (error) {
    context.addIssue({ code: "custom", message: messageOf(error) });
    return z.NEVER;
  }
}
