import { STATUS_CODES } from "node:http";
import { z } from "zod";
import { version } from "../../version.ts";
import { type ErrorCode, errorTable } from "../errors/index.ts";
import { apiSchemas } from "./api-schemas.ts";
import { problemSchema } from "./problem.ts";
import { changes, defineRoute, type Route } from "./route.ts";

type Json = Record<string, unknown>;

/** The route that describes all routes, itself included. */
export function openApiRoute(routes: readonly Route[]): Route {
  const route: Route = defineRoute({
    method: "GET",
    path: "/api/v1/openapi.json",
    summary: "This description of the API, as OpenAPI 3.1.",
    access: "read",
    responses: { description: "The description.", schema: z.looseObject({ openapi: z.string() }) },
    handle: () => ({ json: document, isShared: true }),
  });
  const document = { ...describeApi([...routes, route]), openapi: "3.1.0" };
  return route;
}

/** The OpenAPI document of a table of routes, from the schemas that also check the requests. */
export function describeApi(routes: readonly Route[]): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    if (route.page === true) continue;
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Tessera control plane", version },
    paths,
    components: {
      schemas: componentSchemas(),
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
  };
}

function describeRoute(route: Route): Json {
  const parameters = [
    ...describeParameters("path", route.params),
    ...describeParameters("query", route.query),
  ];
  const body = route.body ?? route.ownBody;
  return {
    summary: route.summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { "application/json": { schema: inputSchema(body) } },
          },
        }),
    responses: { ...describeSuccess(route), ...describeErrors(route) },
    security: securityOf(route),
    "x-tessera-role": route.access === "open" ? null : route.access,
  };
}

/** Reads may come without a token where the server listens on the loopback address. */
function securityOf(route: Route): Json[] {
  if (route.access === "open") return [];
  return route.access === "read" ? [{}, { token: [] }] : [{ token: [] }];
}

function describeParameters(place: "path" | "query", schema: z.ZodType | undefined): Json[] {
  if (schema === undefined) return [];
  const described = inputSchema(schema) as {
    readonly properties?: Record<string, Json>;
    readonly required?: readonly string[];
  };
  return Object.entries(described.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || (described.required?.includes(name) ?? false),
    schema: property,
  }));
}

function describeSuccess(route: Route): Record<string, Json> {
  const { status = 200, description, schema, contentType, otherStatus } = route.responses;
  const content =
    status === 204
      ? {}
      : {
          content: {
            [contentType ?? "application/json"]:
              schema === undefined ? {} : { schema: outputSchema(schema) },
          },
        };
  return {
    [status]: { description, ...content },
    ...(otherStatus === undefined
      ? {}
      : { [otherStatus.status]: { description: otherStatus.description, ...content } }),
  };
}

/** The problems a route can answer with, one entry for each status. */
function describeErrors(route: Route): Record<string, Json> {
  const codes = new Set<ErrorCode>([...(route.errors ?? []), "E_HOST_REFUSED", "E_INTERNAL"]);
  if (route.access !== "open") {
    codes.add("E_TOKEN_REQUIRED").add("E_TOKEN_REFUSED").add("E_ROLE_INSUFFICIENT");
  }
  if (route.access !== "open" || route.ownToken === true || route.asksWho === true) {
    codes.add("E_RATE_LIMITED");
  }
  if (changes(route.method) || route.stream === true) codes.add("E_ORIGIN_REFUSED");
  if (changes(route.method) && route.ownToken !== true) codes.add("E_STOPPING");
  if (route.params ?? route.query ?? route.body) codes.add("E_REQUEST_INVALID");
  if (route.body !== undefined) codes.add("E_BODY_TYPE").add("E_BODY_TOO_LARGE");
  const byStatus: Record<string, ErrorCode[]> = {};
  for (const code of codes) (byStatus[errorTable[code].httpStatus] ??= []).push(code);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, statusCodes]) => [
      status,
      {
        description: `${STATUS_CODES[status] ?? "Error"}: ${statusCodes.join(", ")}.`,
        content: { "application/problem+json": { schema: outputSchema(problemSchema) } },
      },
    ]),
  );
}

function outputSchema(schema: z.ZodType): Json {
  const id = apiSchemas.get(schema)?.id;
  return id === undefined ? withoutDialect(z.toJSONSchema(schema)) : { $ref: reference(id) };
}

function inputSchema(schema: z.ZodType): Json {
  return withoutDialect(z.toJSONSchema(schema, { io: "input" }));
}

function componentSchemas(): Json {
  const { schemas } = z.toJSONSchema(apiSchemas, { uri: reference });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => [id, withoutDialect(schema)]),
  );
}

function reference(id: string): string {
  return `#/components/schemas/${id}`;
}

/** OpenAPI 3.1 already says which dialect of JSON Schema it uses. */
function withoutDialect(schema: Json): Json {
  const { $schema: _dialect, $id: _id, ...rest } = schema;
  return rest;
}
