import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { auditLog, openStore } from "../../src/platform/store/index.ts";
import { VirtualClock } from "../../src/platform/time/virtual-clock.ts";
import { openHistory } from "../../src/validation/history/index.ts";
import { FakeApi } from "../platform/kube/support/fake-api.ts";
import { kubeConfig, writeIn, writeKubeConfig } from "../platform/kube/support/kubeconfig.ts";
import { tempDir } from "../support/temp-dir.ts";
import { runHere } from "./in-process.ts";

const closed = {
  metadata: {
    name: "gpu-017",
    labels: { zone: "a", "tessera.dev/health": "fail", "tessera.dev/awaits-acceptance": "true" },
    annotations: { "tessera.dev/cordoned-by": "prod" },
  },
  spec: { unschedulable: true },
};
const healthy = { metadata: { name: "gpu-018", labels: { "tessera.dev/health": "pass" } } };
const others = { metadata: { name: "gpu-019", labels: {} }, spec: { unschedulable: true } };

/** A cluster with three nodes, a store, and the command line for both. */
async function setUp() {
  const api = await FakeApi.start();
  onTestFinished(() => api.stop());
  for (const node of [closed, healthy, others]) api.put("/api/v1/nodes", node);
  const server = `http://127.0.0.1:${api.port}`;
  const kubeconfig = await writeKubeConfig(kubeConfig({ cluster: { server } }));
  const clusters = [{ name: "prod", kind: "kubernetes", image: "tessera:1", kubeconfig }];
  const folder = await tempDir();
  const url = `sqlite:${join(folder, "t.db")}`;
  const config = await writeIn(folder, "tessera.yaml", stringify({ validation: { clusters } }));
  const within = async <T>(
    use: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>,
  ): Promise<T> => {
    const store = await openStore({ url, clock: new VirtualClock() });
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  };
  await within(async () => {});
  const env = { TESSERA_STORE_URL: url, USER: "ann" };
  const cli = (...args: readonly string[]) =>
    runHere(["node", "clear", "--config", config, ...args], { env });
  const patches = () =>
    api.seen
      .filter(({ method }) => method === "PATCH")
      .map(
        ({ url: { pathname }, body }) => [pathname.split("/").at(-1), JSON.parse(body)] as const,
      );
  const records = () =>
    within(async (store) => ({
      audit: await auditLog.list(store.db),
      events: await openHistory(store).nodeEvents({ cluster: "prod" }),
    }));
  return { api, cli, patches, records };
}

describe("tessera node clear", () => {
  it("says what it would do, and does nothing", async () => {
    const { cli, patches, records } = await setUp();
    const { code, stdout } = await cli("--all");
    expect(code).toBe(0);
    expect(stdout).toContain("gpu-017 of prod would be opened; would lose tessera.dev/health, ");
    expect(stdout).toContain("gpu-018 of prod would lose tessera.dev/health\n");
    expect(stdout).not.toContain("gpu-019");
    expect(stdout).toContain("Nothing was changed");
    expect(patches()).toEqual([]);
    expect(await records()).toEqual({ audit: [], events: [] });
  });

  it("clears every node with something on it, and no other, and writes down who wanted it", async () => {
    const { cli, patches, records } = await setUp();
    const { code, stdout } = await cli("--all", "--yes", "--reason", "uninstall");
    expect(code).toBe(0);
    expect(stdout).toContain("gpu-017 of prod was opened; lost ");
    const changes = new Map(patches());
    expect(new Set(changes.keys())).toEqual(new Set(["gpu-017", "gpu-018"]));
    expect(changes.get("gpu-017")).toMatchObject({
      metadata: {
        labels: { "tessera.dev/health": null, "tessera.dev/awaits-acceptance": null },
        annotations: { "tessera.dev/cordoned-by": null },
      },
      spec: { unschedulable: null },
    });
    expect(changes.get("gpu-018")).not.toHaveProperty("spec");
    const { audit, events } = await records();
    expect(audit.map(({ action, actor }) => `${action} ${actor}`)).toEqual(
      Array.from({ length: 4 }, () => "node.clear ann"),
    );
    expect(events).toMatchObject([{ node: "gpu-017", kind: "released" }]);
  });

  it("clears one node where one is named", async () => {
    const { cli, patches } = await setUp();
    const { stdout } = await cli("gpu-018", "--yes", "--reason", "moved", "--json");
    expect(JSON.parse(stdout)).toEqual({
      dryRun: false,
      nodes: [
        {
          cluster: "prod",
          node: "gpu-018",
          opens: false,
          takesOff: ["tessera.dev/health"],
          problem: null,
        },
      ],
    });
    expect(patches().map(([name]) => name)).toEqual(["gpu-018"]);
  });

  it("goes on when one node cannot be changed, and ends with what was wrong", async () => {
    const { api, cli, patches } = await setUp();
    api.intercept = ({ method, url }, response) => {
      if (method !== "PATCH" || !url.pathname.endsWith("gpu-017")) return false;
      response.writeHead(403, { "content-type": "application/json" });
      response.end(JSON.stringify({ kind: "Status", code: 403, reason: "Forbidden" }));
      return true;
    };
    const { code, stdout, stderr } = await cli("--all", "--yes", "--reason", "uninstall");
    expect(code).not.toBe(0);
    expect(stdout).toContain("gpu-017 of prod is as it was: ");
    expect(stdout).toContain("gpu-018 of prod lost tessera.dev/health");
    expect(stderr).toContain("E_KUBE_");
    expect(patches().map(([name]) => name)).toContain("gpu-018");
  });

  it.each([
    ["neither a node nor --all", []],
    ["both", ["gpu-017", "--all"]],
    ["no reason", ["--all", "--yes"]],
  ])("refuses %s, and changes nothing", async (_what, args) => {
    const { cli, patches } = await setUp();
    expect((await cli(...args)).code).toBe(2);
    expect(patches()).toEqual([]);
  });
});
