import { z } from "zod";

/** The shapes that have a name in the API's description. */
export const apiSchemas = z.registry<{ readonly id: string }>();

/** Gives a shape its name in the API's description; rooms do so where they declare the shape. */
export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  apiSchemas.add(schema, { id });
  return schema;
}
