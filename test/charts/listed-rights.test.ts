import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { type ChartRight, type ChartSwitch, chartRights } from "../../scripts/docs/chart-rights.ts";
import { repositoryRoot } from "../cluster/machine/repository.ts";
import { heldBy } from "./support/held-by.ts";
import { leastValues, noHelm, type Rendered, render, type Values } from "./support/helm.ts";

const off = { image: "i:1", namespace: "gpu-jobs", enabled: false };
const on = { ...off, enabled: true };
const pods = { worlds: ["kubernetes"], namespaces: ["training", "lab"] };
const faultApiUrl = "https://fault-api.example";
const injection = { enabled: true, faultApiUrl, namespaces: ["shop", "search"] };

/** The least that switches something on, and what else is on with it. */
const switched: Readonly<Record<ChartSwitch, readonly [Values, ...ChartSwitch[]]>> = {
  validation: [{ validation: on }],
  acting: [{ validation: { ...on, act: "on" } }, "validation"],
  experiments: [{ experiments: pods }],
  cordonNodes: [{ experiments: { ...pods, cordonNodes: true } }, "experiments"],
  clusterTokens: [{ server: { clusterTokens: { enabled: true } } }],
  injection: [{ injection }],
};
const places: Readonly<Record<ChartRight["where"], readonly string[]>> = {
  cluster: [""],
  release: [" in tessera"],
  jobs: [" in gpu-jobs"],
  experiments: pods.namespaces.map((name) => ` in ${name}`),
  injection: injection.namespaces.map((name) => ` in ${name}`),
};

/** `tessera-reader: list nodes`, for every right of every account. */
function given(values: Values): string[] {
  // What the chart only binds is made by deploy/hardware.
  const text = readFileSync(join(repositoryRoot(), "deploy/hardware/20-roles.yaml"), "utf8");
  const hardware = parseAllDocuments(text)
    .map((document) => document.toJS() as Rendered)
    .filter(({ kind }) => kind === "ClusterRole");
  const objects = [...render({ ...leastValues, validation: off, ...values }), ...hardware].map(
    (object) => ({
      ...object,
      ...(object.rules && {
        rules: object.rules.map(({ apiGroups, resources, verbs }) => ({
          apiGroups,
          resources,
          verbs,
        })),
      }),
    }),
  );
  return objects
    .filter(({ kind }) => kind === "ServiceAccount")
    .flatMap(({ metadata: { name } }) =>
      [...new Set(heldBy(objects, name))].map((right) => `${name}: ${right}`),
    )
    .toSorted();
}

function listed(switches: readonly ChartSwitch[]): string[] {
  const rights = chartRights
    .filter(({ when, isVolcano }) => switches.includes(when) && isVolcano !== true)
    .flatMap(({ account, verbs, resource, where }) =>
      verbs.flatMap((verb) =>
        places[where].map((place) => {
          const name = account === "" ? "tessera" : `tessera-${account}`;
          return `${name}: ${verb} ${resource}${place}`;
        }),
      ),
    );
  return [...new Set(rights)].toSorted();
}

describe.skipIf(noHelm !== "")(`the rights that the documentation lists${noHelm}`, () => {
  it.each(Object.keys(switched) as ChartSwitch[])("are all there are with %s", (name) => {
    const [values, ...more] = switched[name];
    expect(listed([name])).not.toEqual([]);
    expect(given(values)).toEqual(listed([name, ...more]));
  });

  it("are none where nothing is switched on", () => {
    expect(given({})).toEqual([]);
  });
});
