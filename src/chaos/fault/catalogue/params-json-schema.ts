import { z } from "zod";
import { faultEntry } from "./catalogue.ts";

/** A JSON Schema object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * What an experiment file may give as the parameters of a fault, for editors: durations by their names
 * without the unit, as text. @throws E_FAULT_UNKNOWN
 */
export function paramsJsonSchema(name: string): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(faultEntry(name).params, {
    io: "input",
    unrepresentable: "any",
  });
  const properties: Record<string, unknown> = {};
  for (const [field, property] of Object.entries(schema.properties ?? {})) {
    if (!field.endsWith("Us")) properties[field] = property;
    else properties[field.slice(0, -2)] = asText(property as JsonSchema);
  }
  return { ...schema, properties };
}

function asText(property: JsonSchema): JsonSchema {
  return {
    type: "string",
    description: `${String(property["description"])}: a number with a unit, such as 50ms`,
  };
}
