import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { NodeListView } from "../../../../src/control/api/nodes.ts";
import type { OverviewView } from "../../../../src/control/api/overview.ts";
import { type Cluster, startCluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { openSlurm } from "../../../cluster/slurm/fixture.ts";
import { launchBrowser } from "../../../support/browser.ts";
import { distDir } from "../../../support/built-cli.ts";
import { type RunningUp, startUp } from "../../../support/up.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { openPage, untilSays } from "../../browser/support/open-page.ts";
import { createKubernetesSite } from "../validation/contract/kubernetes-site.ts";
import { createGround, probeCheck, wrongAnswer } from "../validation/contract/probe.ts";
import type { Site } from "../validation/contract/site.ts";
import { createSlurmSite } from "../validation/contract/slurm-site.ts";
import { freePortOn } from "../validation/support/pods.ts";

const shape = { nodes: 2, slurm: 2 };
const token = "a-token-for-this-test-alone-0123456789";

describeCluster(
  "one control plane over Kubernetes and Slurm",
  () => {
    let cluster: Cluster;
    let browser: Browser | string;
    let up: RunningUp;
    const sites = new Map<string, Site>();
    const roots = new Map<string, string>();
    let folder: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "tessera-both-"));
      browser = await launchBrowser();
      cluster = await startCluster({ ...shape, bundle: join(distDir, "bundle", "tessera.mjs") });
      sites.set("pods", await createKubernetesSite(cluster, "job"));
      sites.set("iron", await createSlurmSite(await openSlurm(cluster.name)));
      const host = cluster.hostAddress;
      const port = await freePortOn(host);
      const clusters = [];
      for (const [name, site] of sites) {
        const root = join(site.shared, name);
        roots.set(name, root);
        await mkdir(root);
        await chmod(root, 0o777);
        await writeFile(join(root, "ledger"), "");
        await chmod(join(root, "ledger"), 0o666);
        const entry = site.entry({ name, root, url: `http://${host}:${port}` });
        clusters.push({ ...entry, checks: [probeCheck(site.seenByJobs(root))] });
      }
      await createGround(roots.get("iron") ?? "").spoil("g1");
      const config = join(folder, "tessera.yaml");
      const limits = { cooldown: "0s", retestAfter: "0s", perRack: 2 };
      await writeFile(
        config,
        JSON.stringify({ validation: { policy: "stale", resultGrace: "3s", limits, clusters } }),
      );
      up = await startUp(["--config", config, "--host", host, "--port", String(port)], {
        TESSERA_VALIDATION_ENABLED: "true",
        TESSERA_TOKEN: token,
      });
    }, 300_000);
    afterAll(async () => {
      await up?.stop();
      if (typeof browser === "object") await browser.close();
      await cluster?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    const call = async <T>(path: string): Promise<T> => {
      const headers = { authorization: `Bearer ${token}` };
      return (await (await fetch(`${up.url}/api/v1/${path}`, { headers })).json()) as T;
    };
    const nodesOf = async (name: string) =>
      (await call<NodeListView>(`nodes?cluster=${name}`)).nodes;

    it("tests the nodes of both, each with its own jobs", async () => {
      const seen = async () =>
        [...(await nodesOf("pods")), ...(await nodesOf("iron"))].map(
          ({ cluster: where, name, standing, useReason }) =>
            `${where}/${name} ${standing} ${useReason}`,
        );
      await waitUntil(
        "every node of both has a verdict",
        async () => (await seen()).filter((line) => !line.includes(" untested ")).length === 4,
        { timeoutMs: 180_000 },
      ).catch(async (error: unknown) => {
        throw new Error(`${String(error)}: ${(await seen()).join("; ")}`);
      });
      const { clusters } = await call<OverviewView>("overview");
      expect(clusters.map(({ name, kind, provenance }) => ({ name, kind, provenance }))).toEqual([
        { name: "pods", kind: "kubernetes", provenance: "measured" },
        { name: "iron", kind: "slurm", provenance: "measured" },
      ]);
      expect((await nodesOf("iron")).map(({ name, standing }) => [name, standing])).toContainEqual([
        "g1",
        "fail",
      ]);
      // What is wrong in one says nothing about the other.
      expect((await nodesOf("pods")).map(({ standing }) => standing)).not.toContain("fail");
    });

    it("shows both on the first page, and why the node of Slurm failed", async (context) => {
      if (typeof browser === "string") return context.skip(`no browser: ${browser}`);
      await using opened = await openPage(browser, `${up.url}/`, { token });
      const { page } = opened;
      const panel = (name: string) => page.getByRole("region", { name });
      await untilSays(panel("pods"), "Kubernetes");
      await untilSays(panel("iron"), "Slurm, partition tessera");
      await page.locator(".attention a", { hasText: "g1 failed" }).click();
      await page.getByRole("heading", { level: 1, name: "g1" }).waitFor();
      await untilSays(page.locator("main"), wrongAnswer);
      await page.goto(`${up.url}/fleet/iron`);
      await page.getByRole("application", { name: /Heat map of/ }).waitFor();
      // Over plain HTTP and another machine's address a browser says which header it leaves out.
      const problems = opened.problems.filter(
        (text) => !text.startsWith("The Cross-Origin-Opener"),
      );
      expect(problems).toEqual([]);
    });
  },
  shape,
);
