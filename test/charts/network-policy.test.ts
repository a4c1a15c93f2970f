import { describe, expect, it } from "vitest";
import { leastValues, noHelm, render, type Values } from "./support/helm.ts";

interface Policy {
  readonly ingress: readonly [{ readonly from: readonly object[] }];
  readonly egress: readonly {
    readonly to?: readonly object[];
    readonly ports: readonly { readonly port: number }[];
  }[];
}

const validation = { image: "i:1", namespace: "gpu-jobs" };

function policyOf(more: Values): Policy {
  const objects = render({ ...leastValues, validation, ...more });
  return objects.find(({ kind }) => kind === "NetworkPolicy")?.spec as unknown as Policy;
}

/** The ports that a rule without a place opens, and those of rules with one. */
function portsOf({ egress }: Policy, where: "anywhere" | "somewhere"): number[] {
  return egress
    .filter(({ to }) => (to === undefined) === (where === "anywhere"))
    .flatMap(({ ports }) => ports.map(({ port }) => port));
}

describe.skipIf(noHelm !== "")(`the chart's NetworkPolicy${noHelm}`, () => {
  it("names no place that it was not told, since a plug-in may hold that pods and nodes are in none", () => {
    const policy = policyOf({ store: { engine: "postgres", postgres: { existingSecret: "s" } } });
    expect(portsOf(policy, "anywhere")).toEqual([53, 53, 443, 6443, 5432]);
    expect(portsOf(policy, "somewhere")).toEqual([]);
  });

  it("keeps to the places that it was told", () => {
    const networkPolicy = { apiServer: { cidr: "10.0.0.1/32", ports: [6443] } };
    const policy = policyOf({ networkPolicy });
    expect(portsOf(policy, "anywhere")).toEqual([53, 53]);
    expect(portsOf(policy, "somewhere")).toEqual([6443]);
  });

  it.each([
    ["https://faults.example", 443],
    ["https://faults.example:8443/api", 8443],
    ["https://[fd00::1]:9443", 9443],
    ["https://[fd00::1]", 443],
  ])("lets out to the port of %s, and only with injection", (faultApiUrl, port) => {
    const networkPolicy = { apiServer: { ports: [6443] } };
    const injection = { enabled: true, faultApiUrl, namespaces: ["shop"] };
    expect(portsOf(policyOf({ networkPolicy, injection }), "anywhere")).toEqual([
      53,
      53,
      6443,
      port,
    ]);
    expect(portsOf(policyOf({ networkPolicy }), "anywhere")).toEqual([53, 53, 6443]);
  });

  it("lets in checks alone; with a ServiceMonitor or an Ingress the cluster's pods, unless told whom", () => {
    const anybody = { namespaceSelector: {} };
    const serviceMonitor = { enabled: true, tokenSecret: "t" };
    const ingress = { enabled: true, host: "h.example", tlsSecret: "t" };
    const from = (more: Values) => policyOf(more).ingress[0].from;
    expect(from({})).toHaveLength(1);
    expect(from({})).not.toContainEqual(anybody);
    expect(from({ monitoring: { serviceMonitor } })).toContainEqual(anybody);
    expect(from({ ingress })).toContainEqual(anybody);
    const told = { podSelector: { matchLabels: { app: "prometheus" } } };
    const narrow = from({ monitoring: { serviceMonitor }, networkPolicy: { from: [told] } });
    expect(narrow).toContainEqual(told);
    expect(narrow).not.toContainEqual(anybody);
  });
});
