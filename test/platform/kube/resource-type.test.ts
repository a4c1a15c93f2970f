import { describe, expect, it } from "vitest";
import {
  apiVersionOf,
  resourcePath,
  resourceTypes,
  withQuery,
} from "../../../src/platform/kube/resource-type.ts";

const { nodes, pods, jobs } = resourceTypes;

describe("the path of a resource", () => {
  it.each([
    [resourcePath(nodes), "/api/v1/nodes"],
    [resourcePath(nodes, { name: "n" }), "/api/v1/nodes/n"],
    [resourcePath(pods), "/api/v1/pods"],
    [resourcePath(pods, { namespace: "a" }), "/api/v1/namespaces/a/pods"],
    [resourcePath(jobs, { namespace: "a", name: "b" }), "/apis/batch/v1/namespaces/a/jobs/b"],
    [
      resourcePath(pods, { namespace: "a", name: "b", subresource: "log" }),
      "/api/v1/namespaces/a/pods/b/log",
    ],
    [resourcePath(nodes, { name: "a/b?c" }), "/api/v1/nodes/a%2Fb%3Fc"],
  ])("%s", (path, expected) => {
    expect(path).toBe(expected);
  });

  it("is never made of something that would lead elsewhere", () => {
    expect(() => resourcePath(nodes, { name: ".." })).toThrow("cannot be part of a path");
    expect(() => resourcePath(nodes, { name: "" })).toThrow("cannot be part of a path");
    expect(() => resourcePath(nodes, { namespace: "a" })).toThrow("have no namespace");
    expect(() => resourcePath(pods, { name: "a" })).toThrow("need a namespace");
    expect(() => resourcePath(pods, { namespace: "a", subresource: "log" })).toThrow("belongs to");
  });

  it("takes a query, without what is undefined", () => {
    expect(withQuery("/x", { a: "1&2", b: undefined, c: true })).toBe("/x?a=1%262&c=true");
    expect(withQuery("/x", { b: undefined })).toBe("/x");
  });
});

describe("the apiVersion of a type", () => {
  it("has its group, if it has one", () => {
    expect(apiVersionOf(nodes)).toBe("v1");
    expect(apiVersionOf(jobs)).toBe("batch/v1");
  });
});
