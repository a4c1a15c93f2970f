import { z } from "zod";
import { rootSection } from "./sections/root.ts";
import { isSection, type Section, type Setting } from "./setting.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema of the configuration file, for editors and for checks in other people's
 * pipelines. Published in the package as `tessera-qa/config.schema.json`.
 */
export function configJsonSchema(): JsonSchema {
  return {
    // What editors' YAML support understands.
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "urn:tessera-qa:config:1",
    title: "Tessera configuration",
    ...sectionSchema(rootSection),
  };
}

function sectionSchema({ description, items }: Section): JsonSchema {
  const properties = Object.entries(items).map(([name, item]) => [
    name,
    isSection(item) ? sectionSchema(item) : settingSchema(item),
  ]);
  return {
    description,
    // A heading with nothing below it is fine.
    type: ["object", "null"],
    additionalProperties: false,
    properties: Object.fromEntries(properties),
  };
}

function settingSchema({ schema, description, default: fallback, examples }: Setting): JsonSchema {
  const { $schema: _, ...type } = z.toJSONSchema(schema, { target: "draft-7", io: "input" });
  const isPlain = fallback !== undefined && typeof fallback !== "function";
  return {
    description,
    ...type,
    ...(isPlain ? { default: fallback } : {}),
    ...(examples === undefined ? {} : { examples }),
  };
}
