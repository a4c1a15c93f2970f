import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ValidationView } from "../../src/platform/http/index.ts";
import { validationSchema } from "../../src/platform/http/routes/validation.ts";
import { openStore } from "../../src/platform/store/index.ts";
import { openHistory } from "../../src/validation/history/index.ts";
import { loadFleetSnapshot } from "../../src/validation/report/index.ts";
import { loadYaml } from "../platform/config/load.ts";
import { tempDir } from "../support/temp-dir.ts";
import { waitUntil } from "../support/wait-until.ts";
import { startPlane, type TestPlane } from "./support.ts";

async function planeOf(yaml: string): Promise<TestPlane> {
  const { values } = await loadYaml(yaml);
  return await startPlane({ validation: values });
}

const viewOf = async (test: TestPlane): Promise<ValidationView> => {
  const { status, json } = await test.call("GET", "/api/v1/validation");
  expect(status).toBe(200);
  return validationSchema.parse(json);
};

const smallFleet = `validation:
  clusters:
    - { name: made-up, kind: simulated, nodes: 12, gpusPerNode: 8, speed: 5000, seed: "7" }
`;

describe("validation in the control plane", () => {
  it("validates a simulated fleet and says everywhere that it is simulated", async () => {
    await using test = await planeOf(smallFleet);
    await waitUntil("a node was judged", async () => {
      const [cluster] = (await viewOf(test)).clusters;
      return (cluster?.nodes.pass ?? 0) > 0;
    });
    const [cluster] = (await viewOf(test)).clusters;
    expect(cluster).toMatchObject({
      name: "made-up",
      kind: "simulated",
      provenance: "simulated",
      about: "12 nodes x 8 GPUs",
      speed: 5000,
      state: "leading",
    });
    const { total, ...parts } = cluster?.nodes ?? { total: 0 };
    expect(total).toBe(12);
    expect(Object.values(parts).reduce((sum, count) => sum + count, 0)).toBe(12);

    const { text: metrics } = await test.call("GET", "/metrics");
    expect(metrics).toMatch(
      /tessera_validation_verdicts_total\{cluster="made-up",provenance="simulated",verdict="pass"\} [1-9]/,
    );
    expect(metrics).toMatch(
      /tessera_http_events_published_total\{type="validation\.verdict"\} [1-9]/,
    );
  });

  it("leaves nothing open when it stops, and notes down the fleet for reports", async () => {
    // In real time: its runs last minutes, and are still open when it is looked at.
    const test = await planeOf(smallFleet.replace("speed: 5000", "speed: 1"));
    await waitUntil("something runs", async () => {
      return ((await viewOf(test)).clusters[0]?.inFlight.count ?? 0) > 0;
    });
    const { clock } = test;
    const url = `sqlite:${test.dataDir}/tessera.db`;
    await test.plane.stop();
    const store = await openStore({ url, clock });
    expect(await openHistory(store).openRuns("made-up")).toEqual([]);
    const snapshot = await loadFleetSnapshot(store, "made-up");
    expect(snapshot).toMatchObject({ provenance: "simulated", about: "12 nodes x 8 GPUs" });
    expect(snapshot?.nodes).toHaveLength(12);
    expect(snapshot?.truth).toBeDefined();
    await store.close();
  });

  it("can still be read when its loops have ended", async () => {
    await using test = await planeOf(smallFleet);
    await waitUntil("a node was judged", async () => {
      return ((await viewOf(test)).clusters[0]?.nodes.pass ?? 0) > 0;
    });
    await test.plane.validation?.stop();
    const [cluster] = (await viewOf(test)).clusters;
    expect(cluster).toMatchObject({ name: "made-up", nodes: { total: 12 } });
    expect(cluster?.nodes.pass).toBeGreaterThan(0);
    const { json } = await test.call("GET", "/api/v1/nodes?limit=20");
    expect(json["total"]).toBe(12);
    expect((await test.call("GET", "/api/v1/queue?cluster=made-up")).status).toBe(200);
  });

  it("shows a cluster that cannot be opened as failed, and goes on with the others", async () => {
    await using test = await planeOf(`${smallFleet}    - name: prod
      kind: kubernetes
      image: registry.example/tessera:1
      resultUrl: https://tessera.example
      kubeconfig: /nonexistent/kubeconfig
`);
    await waitUntil("both clusters are decided", async () => {
      const { clusters } = await viewOf(test);
      return clusters[0]?.state === "leading" && clusters[1]?.state === "failed";
    });
    const [, failed] = (await viewOf(test)).clusters;
    expect(failed?.problem).toContain("/nonexistent/kubeconfig");
    expect(failed?.nodes.total).toBe(0);
    const { text: metrics } = await test.call("GET", "/metrics");
    expect(metrics).not.toContain('tessera_validation_nodes{cluster="prod"');
    // Zeros are no answer: whoever gets them is told why.
    const untold = { cluster: "prod", state: "failed", problem: failed?.problem };
    const get = async (path: string) => (await test.call("GET", `/api/v1/${path}`)).json;
    expect(await get("queue?cluster=prod")).toMatchObject({ untold });
    expect(await get("clusters/prod/heatmap")).toMatchObject({ untold });
    expect(await get("nodes?cluster=prod")).toMatchObject({ total: 0, untold: [untold] });
    const all = await get("nodes");
    expect(all).toMatchObject({ untold: [untold] });
    expect(all["total"]).toBeGreaterThan(0);
    expect(await get("queue?cluster=made-up")).not.toHaveProperty("untold");
    expect(await get("clusters/made-up/heatmap")).not.toHaveProperty("untold");
    expect(await get("nodes?cluster=made-up")).not.toHaveProperty("untold");
  });

  it("tries again to open a cluster that could not be opened", async () => {
    const folder = await tempDir();
    const kubeconfig = join(folder, "kubeconfig");
    await using test = await planeOf(`validation:
  clusters:
    - name: prod
      kind: kubernetes
      image: registry.example/tessera:1
      resultUrl: https://tessera.example
      kubeconfig: ${kubeconfig}
`);
    const stateOf = async () => (await viewOf(test)).clusters[0]?.state;
    await waitUntil("the cluster failed to open", async () => (await stateOf()) === "failed");
    await writeFile(
      kubeconfig,
      `current-context: c
clusters: [{ name: k, cluster: { server: "http://127.0.0.1:1" } }]
users: [{ name: u, user: { token: t } }]
contexts: [{ name: c, context: { cluster: k, user: u } }]
`,
    );
    await waitUntil("it was opened", async () => (await stateOf()) !== "failed");
  });

  it("does nothing where it is switched off, and says so", async () => {
    await using test = await planeOf("validation: { enabled: false }\n");
    expect(await viewOf(test)).toEqual({ enabled: false, clusters: [] });
  });

  it("takes results only with the token of their run", async () => {
    await using test = await planeOf("validation: { enabled: false }\n");
    const answer = await test.call("POST", "/api/v1/runs/0123456789abcdef0123/result", {
      token: test.token,
      json: {},
    });
    expect(answer.status).toBe(401);
    expect(answer.text).toContain("E_RUN_TOKEN_REFUSED");
  });

  it("describes the body that the job of a run hands in, and no other route's by it", async () => {
    await using test = await planeOf("validation: { enabled: false }\n");
    const { json } = await test.call("GET", "/api/v1/openapi.json");
    const { paths } = json as {
      paths: Record<string, Record<string, { requestBody?: { content: object } }>>;
    };
    const body = paths["/api/v1/runs/{id}/result"]?.["post"]?.requestBody;
    const text = JSON.stringify(body?.content);
    for (const field of ["tessera.run-result/1", "figures", "proof"]) expect(text).toContain(field);
    expect(paths["/api/v1/runs/{id}"]?.["get"]?.requestBody).toBeUndefined();
  });
});
