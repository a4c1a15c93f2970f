import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { chartFolder, leastValues, noHelm, render, type Values } from "./support/helm.ts";

/** Jobs in a namespace of their own. */
const apart = { ...leastValues, validation: { image: "i:1", namespace: "gpu-jobs" } };

describe.skipIf(noHelm !== "")(`values of the chart${noHelm}`, () => {
  const validation = { image: "i:1" };
  it.each([
    ["no image", { validation }, "/image/repository"],
    ["no image of checks", { image: { repository: "r" } }, "/validation/image"],
    ["a word it does not know", { ...leastValues, acting: true }, "acting"],
    ["a word it does not know, further in", { ...leastValues, store: { sqlit: {} } }, "sqlit"],
    [
      "PostgreSQL without its Secret",
      { ...leastValues, store: { engine: "postgres" } },
      "existingSecret",
    ],
    [
      "two replicas on one file",
      { ...leastValues, replicas: 2 },
      "SQLite is a file of one replica",
    ],
    [
      "a fault API without TLS",
      { ...apart, injection: { enabled: true, faultApiUrl: "http://f", namespaces: ["a"] } },
      "faultApiUrl",
    ],
    [
      "injection without a fault API",
      { ...apart, injection: { enabled: true, namespaces: ["a"] } },
      "faultApiUrl",
    ],
    [
      "injection nowhere",
      { ...apart, injection: { enabled: true, faultApiUrl: "https://f" } },
      "namespaces",
    ],
    [
      "acting beside the jobs of checks",
      { ...leastValues, validation: { ...validation, act: "on" } },
      "a namespace of their own",
    ],
    [
      "the injector beside the jobs of checks",
      {
        ...leastValues,
        injection: { enabled: true, faultApiUrl: "https://f", namespaces: ["a"] },
      },
      "a namespace of their own",
    ],
    [
      "experiments on pods of nobody",
      { ...apart, experiments: { worlds: ["kubernetes"] } },
      "/experiments/namespaces",
    ],
    [
      "experiments on the control plane itself",
      { ...apart, experiments: { worlds: ["kubernetes"], namespaces: ["tessera"] } },
      "the release's own namespace",
    ],
    [
      "experiments on pods beside the jobs of checks",
      { ...leastValues, experiments: { worlds: ["kubernetes"], namespaces: ["a"] } },
      "a namespace of their own",
    ],
    [
      "worlds of experiments past their accounts",
      { ...leastValues, config: { experiments: { worlds: ["kubernetes"] } } },
      "/config",
    ],
    [
      "another port than the Service's",
      { ...leastValues, config: { server: { port: 1 } } },
      "/config",
    ],
    [
      "another data folder than the volume",
      { ...leastValues, config: { dataDir: "/x" } },
      "/config",
    ],
    [
      "a cluster under another name than its Lease",
      { ...leastValues, validation: { ...validation, cluster: { name: "x" } } },
      "cluster",
    ],
    [
      "labels that its own selector needs",
      { ...leastValues, podLabels: { "app.kubernetes.io/name": "x" } },
      "podLabels",
    ],
    [
      "an Ingress without TLS",
      { ...leastValues, ingress: { enabled: true, host: "h.example" } },
      "tlsSecret",
    ],
    [
      "metrics without a token",
      { ...leastValues, monitoring: { serviceMonitor: { enabled: true } } },
      "tokenSecret",
    ],
    [
      "accounts by the back door",
      { ...leastValues, validation: { ...validation, cluster: { actAs: {} } } },
      "cluster",
    ],
    [
      "results on a claim of another namespace",
      { ...leastValues, validation: { ...validation, namespace: "b", resultsClaim: "c" } },
      "release's namespace",
    ],
  ])("refuse %s", (_what, values, word) => {
    expect(() => render(values)).toThrow(word);
  });

  it("are accepted as they are shipped, once there are images", () => {
    const shipped = parse(readFileSync(join(chartFolder, "values.yaml"), "utf8")) as Values;
    const whole = {
      ...shipped,
      image: { ...(shipped["image"] as object), repository: "r" },
      validation: { ...(shipped["validation"] as object), ...validation },
    };
    expect(render(whole).length).toBeGreaterThan(10);
  });
});
