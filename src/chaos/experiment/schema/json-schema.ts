import { z } from "zod";
import { experimentSchema } from "./experiment-schema.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema of an experiment file, for editors and other people's pipelines. */
export function experimentJsonSchema(): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(experimentSchema, {
    target: "draft-7",
    io: "input",
  });
  return {
    // What editors' YAML support understands.
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "urn:tessera-qa:chaos-experiment:1",
    title: "Tessera chaos experiment",
    ...schema,
  };
}
