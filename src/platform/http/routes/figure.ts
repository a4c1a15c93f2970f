import { z } from "zod";
import { provenances } from "../../words.ts";
import { named } from "../api-schemas.ts";

/** A number that says what it is, in what unit, and where it was taken. */
export const figureSchema = named(
  "Figure",
  z.strictObject({
    value: z.number(),
    unit: z.enum(["seconds", "bytes", "count"]),
    provenance: z.enum(provenances),
    where: z.string().describe("What was measured, and where."),
  }),
);

export type Figure = z.output<typeof figureSchema>;

/** A number measured on this machine. */
export function measured(value: number, unit: Figure["unit"], where: string): Figure {
  return { value, unit, provenance: "measured", where };
}
