import { describe, expect, it } from "vitest";
import { heatMapSchema, nodeListSchema } from "../../../src/control/api/nodes.ts";
import { overviewSchema } from "../../../src/control/api/overview.ts";
import { fleetYaml, planeOf, read, readUntil } from "./support.ts";

describe("the nodes of a fleet over the API", () => {
  it("lists nodes with standings, pages them without gaps, and draws the same in the heat map", async () => {
    await using test = await planeOf(fleetYaml());
    const all = await readUntil(test, "nodes", {
      schema: nodeListSchema,
      until: ({ nodes }) =>
        nodes.length === 12 && nodes.some(({ standing }) => standing === "pass"),
    });
    expect(all.total).toBe(12);
    expect(all.next).toBeNull();
    const first = await read(test, "nodes?limit=5", nodeListSchema);
    const second = await read(test, `nodes?limit=5&cursor=${first.next}`, nodeListSchema);
    const third = await read(test, `nodes?limit=5&cursor=${second.next}`, nodeListSchema);
    const names = [first, second, third].flatMap(({ nodes }) => nodes.map(({ name }) => name));
    expect(names).toEqual(all.nodes.map(({ name }) => name));
    expect(third.next).toBeNull();

    const map = await read(test, "clusters/made-up/heatmap", heatMapSchema);
    expect(map.names).toEqual(names);
    expect(map.provenance).toBe("simulated");
    expect(map.cells).toHaveLength(map.checks.length);
    for (const column of [map.standings, map.uses, map.closed, ...map.cells]) {
      expect(column).toHaveLength(12);
    }
  });

  it("finds nodes by part of a name, and refuses a cursor that no answer gave", async () => {
    await using test = await planeOf(fleetYaml());
    const { nodes } = await readUntil(test, "nodes", {
      schema: nodeListSchema,
      until: (found) => found.total === 12,
    });
    const wanted = nodes[3]?.name ?? "";
    const found = await read(test, `nodes?search=${wanted.toUpperCase()}`, nodeListSchema);
    expect(found.nodes.map(({ name }) => name)).toContain(wanted);
    expect((await read(test, "nodes?search=nowhere", nodeListSchema)).total).toBe(0);
    const refused = await test.call("GET", "/api/v1/nodes?cursor=bm9wZQ");
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("E_REQUEST_INVALID");
  });

  it("names the cluster that was probably meant", async () => {
    await using test = await planeOf(fleetYaml());
    const answer = await test.call("GET", "/api/v1/clusters/made-op/heatmap");
    expect(answer.status).toBe(404);
    expect(answer.text).toContain("did you mean `made-up`");
  });

  it("tells of nothing where validation is switched off", async () => {
    await using test = await planeOf("validation: { enabled: false }\n");
    expect(await read(test, "nodes", nodeListSchema)).toEqual({ nodes: [], total: 0, next: null });
    const overview = await read(test, "overview", overviewSchema);
    expect(overview.validating).toBe(false);
    expect(overview.clusters).toEqual([]);
  });
});

describe("the overview", () => {
  it("counts each node once, and its trend ends today with this day's runs", async () => {
    await using test = await planeOf(fleetYaml());
    const { clusters } = await readUntil(test, "overview", {
      schema: overviewSchema,
      until: ({ clusters: [found] }) =>
        (found?.nodes.byStanding.pass ?? 0) > 0 &&
        (found?.trend.some(({ runs }) => runs > 0) ?? false),
    });
    const [cluster] = clusters;
    const sum = (counts: Record<string, number>) =>
      Object.values(counts).reduce((total, count) => total + count, 0);
    expect(cluster).toMatchObject({ name: "made-up", provenance: "simulated", state: "leading" });
    expect(sum(cluster?.nodes.byStanding ?? {})).toBe(12);
    expect(sum(cluster?.nodes.byUse ?? {})).toBe(12);
    expect(cluster?.trend).toHaveLength(14);
    expect(cluster?.trend.at(-1)?.day).toBe(cluster?.now.slice(0, 10));
  });

  it("puts a cluster that cannot be opened before everything else that needs a person", async () => {
    await using test = await planeOf(`${fleetYaml()}    - name: prod
      kind: kubernetes
      image: registry.example/tessera:1
      resultUrl: https://tessera.example
      kubeconfig: /nonexistent/kubeconfig
`);
    const { attention } = await readUntil(test, "overview", {
      schema: overviewSchema,
      until: (found) => found.attention.some(({ kind }) => kind === "cluster-trouble"),
    });
    expect(attention[0]).toMatchObject({
      kind: "cluster-trouble",
      severity: "critical",
      cluster: "prod",
    });
  });
});
