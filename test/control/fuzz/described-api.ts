import { expect } from "vitest";
import { z } from "zod";
import { errorTable } from "../../../src/platform/errors/index.ts";
import { problemSchema } from "../../../src/platform/http/problem.ts";
import type { TestPlane } from "../support.ts";
import type { Definitions, JsonSchema } from "./json-schema.ts";
import type { Got } from "./raw-call.ts";
import { adminSecret } from "./started-plane.ts";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** One method of one path, as the API describes it. */
export interface Operation {
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: JsonSchema | undefined;
  readonly role: string | null;
  readonly responses: Readonly<
    Record<
      string,
      { readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>> }
    >
  >;
}

export interface DescribedApi {
  readonly operations: readonly Operation[];
  readonly definitions: Definitions;
  /** Fails unless an answer is what the description promises. */
  check(operation: Operation, got: Got, how: string): void;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: { readonly schemas: Definitions };
}

interface RawOperation extends Pick<Operation, "responses"> {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
  };
  readonly "x-tessera-role": string | null;
}

/** What the running server says about itself. */
export async function describedApi(test: TestPlane): Promise<DescribedApi> {
  const answer = await test.call("GET", "/api/v1/openapi.json", { token: adminSecret });
  const document = answer.json as unknown as Document;
  const definitions = document.components.schemas;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => ({
      method: method.toUpperCase(),
      path,
      parameters: raw.parameters ?? [],
      body: raw.requestBody?.content["application/json"]?.schema,
      role: raw["x-tessera-role"],
      responses: raw.responses,
    })),
  );
  const shapes = new Map<JsonSchema, z.ZodType>();
  const shapeOf = (schema: JsonSchema): z.ZodType => {
    const known = shapes.get(schema);
    if (known !== undefined) return known;
    // The validator knows definitions by their place in JSON Schema only.
    const text = JSON.stringify({ ...schema, $defs: definitions });
    const shape = z.fromJSONSchema(
      JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")),
    );
    shapes.set(schema, shape);
    return shape;
  };
  const check: DescribedApi["check"] = ({ responses }, got, how) => {
    if (got.status >= 400) checkProblem(got, how, Object.keys(responses).map(Number));
    if (got.status === 304 || got.isStream) return;
    const described = responses[got.status];
    expect(
      described,
      `${how}: ${got.status} is described: ${got.text.slice(0, 400)}`,
    ).toBeDefined();
    const schema = described?.content?.[got.contentType]?.schema;
    if (schema === undefined || got.method === "HEAD") return;
    const { error } = shapeOf(schema).safeParse(got.json);
    expect(error, `${how}: ${got.text.slice(0, 400)}`).toBeUndefined();
  };
  return { operations, definitions, check };
}

/** What any route may describe, and none may answer with. */
const surprises = [500, 504];

/** Every error says what it is, and none of them is a surprise to the server, nor its fault unless `described`. */
export function checkProblem(got: Got, how: string, described: readonly number[] = []): void {
  const told = `${how}: ${got.status} ${got.text.slice(0, 400)}`;
  expect(surprises, told).not.toContain(got.status);
  if (got.status > 500) expect(described, told).toContain(got.status);
  if (got.method === "HEAD") return;
  // A check that is not good answers in its own shape.
  if (got.status === 503 && got.contentType === "application/json") return;
  expect(got.contentType, told).toBe("application/problem+json");
  const problem = problemSchema.parse(got.json);
  expect(Object.keys(errorTable), told).toContain(problem.code);
  expect(problem.status, told).toBe(got.status);
}
