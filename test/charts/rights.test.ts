import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import {
  type KubernetesRole,
  kubernetesRoles,
  rightsOf,
} from "../../src/validation/clusters/kubernetes/index.ts";
import { repositoryRoot } from "../cluster/machine/repository.ts";
import { heldBy, namesOf } from "./support/held-by.ts";
import { leastValues, noHelm, type Rendered, render, type Values } from "./support/helm.ts";

const jobs = "gpu-jobs";

function withValidation(more: Values): Values {
  return { ...leastValues, validation: { ...(leastValues["validation"] as object), ...more } };
}

function listed(role: KubernetesRole, volcano: boolean): string[] {
  return rightsOf({ roles: [role], namespace: jobs, volcano })
    .map(({ verb, type, namespace }) => {
      const resource = type.group === "" ? type.plural : `${type.plural}.${type.group}`;
      return `${verb} ${resource}${namespace === undefined ? "" : ` in ${namespace}`}`;
    })
    .toSorted();
}

describe.skipIf(noHelm !== "")(`the chart's accounts${noHelm}`, () => {
  it.each([
    ["job", false],
    ["volcano", true],
  ] as const)(
    "have the rights that validation lists, verb by verb, with %s",
    (scheduler, volcano) => {
      const objects = render(withValidation({ namespace: jobs, act: "on", scheduler }));
      for (const role of kubernetesRoles) {
        expect(heldBy(objects, `tessera-${role}`), role).toEqual(listed(role, volcano));
      }
    },
  );

  it("leave the pod's own account nothing but being the others", () => {
    const objects = render(withValidation({ act: "on", namespace: jobs }));
    expect(heldBy(objects, "tessera")).toEqual([
      "impersonate serviceaccounts in tessera tessera-reader tessera-submitter tessera-cordoner",
    ]);
    expect(heldBy(render(withValidation({})), "tessera")).toEqual([
      "impersonate serviceaccounts in tessera tessera-reader tessera-submitter",
    ]);
    expect(heldBy(render(withValidation({ enabled: false })), "tessera")).toEqual([]);
  });

  it("have no cordoner before acting is on, and no injector before injection is", () => {
    const accounts = (values: Values) =>
      render(values)
        .filter(({ kind }) => kind === "ServiceAccount")
        .map(({ metadata }) => metadata.name)
        .toSorted();
    const basic = ["tessera", "tessera-reader", "tessera-submitter"];
    expect(accounts(withValidation({}))).toEqual(basic);
    expect(accounts(withValidation({ act: "off" }))).toEqual(basic);
    expect(accounts(withValidation({ act: "on", namespace: jobs }))).toEqual([
      "tessera",
      "tessera-cordoner",
      ...basic.slice(1),
    ]);
    const injection = {
      enabled: true,
      faultApiUrl: "https://fault-api.example",
      namespaces: ["shop"],
    };
    const injecting = { ...withValidation({ namespace: jobs }), injection };
    expect(accounts(injecting)).toContain("tessera-injector");
    // Its role is made by deploy/hardware, and has none of the cluster's own rights.
    const bound = render(injecting).filter(({ subjects = [] }) =>
      subjects.some(({ name }) => name === "tessera-injector"),
    );
    expect(
      bound.map(({ kind, metadata, roleRef }) => [kind, metadata.namespace, roleRef?.name]),
    ).toEqual([["RoleBinding", "shop", "tessera-hardware-injector"]]);
  });

  describe("of experiments", () => {
    const values = (experiments: Values) => ({
      ...withValidation({ namespace: jobs }),
      experiments,
    });
    const pods = { worlds: ["sim", "kubernetes"], namespaces: ["training", "lab"] };
    const example = parseAllDocuments(
      readFileSync(join(repositoryRoot(), "examples/chaos/kubernetes/rbac.yaml"), "utf8"),
    ).map((document) => document.toJS() as Rendered);
    /** What the example's account may do, in the namespaces of a release. */
    const expected = (verbs: readonly string[]) => {
      const inEach = example.find(({ kind }) => kind === "Role")?.rules ?? [];
      const names = (namespace: string) => namesOf(inEach, namespace);
      return [
        ...pods.namespaces.flatMap(names),
        `get namespaces ${pods.namespaces.join(" ")}`,
        ...verbs.map((verb) => `${verb} nodes`),
      ].toSorted();
    };

    it("have the rights of the example in each namespace, and close nodes only where that is said", () => {
      const account = "tessera-experimenter";
      expect(heldBy(render(values(pods)), account)).toEqual(expected(["get", "list"]));
      const closing = render(values({ ...pods, cordonNodes: true }));
      expect(heldBy(closing, account)).toEqual(expected(["get", "list", "patch"]));
      // The whole of the example, nodes included.
      const nodes = example.find(({ kind }) => kind === "ClusterRole")?.rules?.[1];
      expect(nodes).toMatchObject({ resources: ["nodes"], verbs: ["get", "list", "patch"] });
    });

    it("are used by impersonation, and are not there without that world", () => {
      expect(heldBy(render(values(pods)), "tessera")).toEqual([
        "impersonate serviceaccounts in tessera tessera-reader tessera-submitter tessera-experimenter",
      ]);
      for (const worlds of [[], ["sim"], ["host", "slurm"]]) {
        const without = JSON.stringify(render(values({ ...pods, worlds })));
        expect(without).not.toContain("experimenter");
      }
    });
  });

  it("ask who logs in only where people log in with tokens of the cluster", () => {
    const open = { ...leastValues, server: { clusterTokens: { enabled: true } } };
    const objects = render(open);
    expect(heldBy(objects, "tessera")).toEqual([
      "create subjectaccessreviews.authorization.k8s.io",
      "create tokenreviews.authentication.k8s.io",
      "impersonate serviceaccounts in tessera tessera-reader tessera-submitter",
    ]);
    const verbs = (name: string) =>
      objects.find((one) => one.kind === "ClusterRole" && one.metadata.name === name)?.rules?.[0]
        ?.verbs;
    expect(verbs("tessera-viewer")).toEqual(["read"]);
    expect(verbs("tessera-operator")).toEqual(["read", "operate"]);
    expect(verbs("tessera-injector")).toEqual(["read", "operate", "inject"]);
    expect(verbs("tessera-admin")).toEqual(["read", "operate", "inject", "admin"]);
    // Bound to nobody: that is for the cluster's administrator.
    const bound = objects.map(({ roleRef }) => roleRef?.name);
    expect(bound.filter((name) => /-(viewer|operator|injector|admin)$/.test(name ?? ""))).toEqual(
      [],
    );
    const closed = render(leastValues).map(({ metadata }) => metadata.name);
    expect(closed).not.toContain("tessera-viewer");
    expect(closed).not.toContain("tessera-logins");
  });

  it("use no wildcard anywhere", () => {
    const server = { clusterTokens: { enabled: true } };
    const experiments = { worlds: ["kubernetes"], namespaces: ["training"], cordonNodes: true };
    const full = { ...withValidation({ act: "on", namespace: jobs }), server, experiments };
    for (const { rules = [] } of render(full)) expect(JSON.stringify(rules)).not.toContain("*");
  });
});
