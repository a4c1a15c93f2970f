import { expect, it } from "vitest";
import { z } from "zod";
import { describeApi } from "../../../src/platform/http/openapi.ts";
import { defineRoute, type Route } from "../../../src/platform/http/route.ts";
import { sampleRoutes, send, startTestServer } from "./support.ts";

const handIn: Route = defineRoute({
  method: "POST",
  path: "/results",
  summary: "Takes what a job brings.",
  access: "open",
  ownToken: true,
  responses: { description: "Taken.", schema: z.string() },
  handle: () => ({ json: "taken" }),
});
const routes = [...sampleRoutes, handIn];
const change = { token: "operate", json: { name: "disk" } };

it("a server that is being stopped takes no change, and says when to come back", async () => {
  let isStopping = false;
  const app = { refusesChanges: () => isStopping };
  await using server = await startTestServer({ routes, app });
  expect((await send(server, "POST", "/things", change)).status).toBe(201);
  isStopping = true;
  const answer = await send(server, "POST", "/things", change);
  expect(answer).toMatchObject({ status: 503, json: { code: "E_STOPPING" } });
  expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
  expect(server.audited.map(({ outcome }) => outcome)).toEqual(["done"]);
});

it("a server that is being stopped still reads, tells its health and takes results", async () => {
  await using server = await startTestServer({ routes, app: { refusesChanges: () => true } });
  expect((await send(server, "GET", "/alive")).status).toBe(200);
  expect((await send(server, "GET", "/things/a")).status).toBe(200);
  expect((await send(server, "POST", "/results")).json).toBe("taken");
});

it("changes, and nothing else, are described as refused then", () => {
  const paths = describeApi(routes)["paths"] as Record<
    string,
    Record<string, { responses: object }>
  >;
  const statuses = (path: string, method: string) =>
    Object.keys(paths[path]?.[method]?.responses ?? {});
  expect(statuses("/things", "post")).toContain("503");
  expect(statuses("/things/{id}", "get")).not.toContain("503");
  expect(statuses("/results", "post")).not.toContain("503");
});
