import { describe, expect, test } from "vitest";
import { configJsonSchema } from "../../../src/platform/config/json-schema.ts";
import { knownSettings } from "../../../src/platform/config/known-settings.ts";

interface SchemaNode {
  readonly $schema?: string;
  readonly $id?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
}

const schema = configJsonSchema() as SchemaNode;

function at(key: string): SchemaNode | undefined {
  return key
    .split(".")
    .reduce<SchemaNode | undefined>((node, name) => node?.properties?.[name], schema);
}

describe("the JSON Schema of the file", () => {
  test("it names its dialect and itself", () => {
    expect(schema.$schema).toContain("draft-07");
    expect(schema.$id).toBe("urn:tessera-qa:config:1");
  });

  test("it has every key, described", () => {
    for (const { key, setting } of knownSettings) {
      expect(at(key)?.description, key).toBe(setting.description);
    }
  });

  test("it refuses unknown keys and demands none", () => {
    for (const section of [schema, ...Object.values(schema.properties ?? {})]) {
      if (section.properties === undefined) continue;
      expect(section.additionalProperties).toBe(false);
      expect(section.required ?? []).toEqual([]);
    }
  });

  test("it carries plain defaults and examples", () => {
    expect(at("server.port")).toMatchObject({ default: 7070, type: "integer", maximum: 65_535 });
    expect(at("server.bodyLimit")).toMatchObject({ default: "1MiB", examples: ["16MiB"] });
    expect(at("dataDir")).not.toHaveProperty("default");
  });
});
