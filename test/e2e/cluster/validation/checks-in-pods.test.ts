import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Cluster, startCluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { distDir } from "../../../support/built-cli.ts";
import { missing } from "../../../support/missing.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { podOf } from "./support/pods.ts";
import { createSite, type Site } from "./support/real-site.ts";
import { storedRuns } from "./support/records.ts";

// What they compute takes its time where others compute too.
vi.setConfig({ testTimeout: 600_000 });
const shape = { nodes: 2 };
const nodes = ["node-1", "node-2"] as const;
const mebibyte = 2 ** 20;
const noFio = missing("fio");

/** On processors, as small as it gets: the nodes have no GPUs. */
const dlUnit = {
  name: "dl-unit",
  minutes: 1,
  options: { profile: "quick", engine: "cpu", scale: 0.25, iterations: 3 },
};
const loopback = {
  name: "nccl-loopback",
  minutes: 1,
  options: { profile: "quick", mode: "tcp", ranks: 2, sizesBytes: [8, mebibyte], iterations: 5 },
};
/** On the volume that results go to, because it names no other. */
const storage = {
  name: "storage-io",
  minutes: 1,
  fileSystem: "results",
  options: {
    profile: "quick",
    sizeBytes: 8 * mebibyte,
    checkpointBytes: mebibyte,
    verifyBytes: 4 * mebibyte,
    runtimeMs: 500,
    rampMs: 0,
    jobs: 2,
    files: 50,
  },
};

describeCluster(
  "the three checks in pods of real nodes",
  () => {
    let cluster: Cluster;
    let site: Site;
    beforeAll(async () => {
      cluster = await startCluster({ ...shape, bundle: join(distDir, "bundle", "tessera.mjs") });
      site = await createSite(cluster);
    });
    afterAll(() => cluster?.stop());

    /** One pass with one check; its runs, of which there is one for each node. */
    async function runsOf(check: { readonly name: string }) {
      const folder = await tempDir();
      const config = await site.configure(folder, [
        site.entry(check.name, { ...site.bothWays, memory: "2Gi", checks: [check] }),
      ]);
      const done = await site.once(config);
      const runs = await storedRuns(folder, check.name);
      expect(runs.map(({ intent }) => intent.node).toSorted(), done.stderr).toEqual(nodes);
      for (const run of runs) {
        const why = `${run.result?.error}\n${done.stderr}`;
        expect(run.result, why).toMatchObject({
          outcome: "completed",
          origin: "pod",
          hardFacts: [],
        });
        expect(run.verdict?.verdict).not.toBe("fail");
        await site.expectHandedIn(run);
        const { spec } = await podOf(cluster, run.intent.id);
        expect(spec.nodeName).toBe(run.intent.node);
        expect(spec.containers[0]).toMatchObject({
          command: ["node", "/app/tessera.mjs", "agent", "run-check"],
        });
      }
      return runs;
    }

    it("dl-unit computes on the nodes' processors", async () => {
      for (const { result } of await runsOf(dlUnit)) {
        expect(Object.keys(result?.figures ?? {})).toContain("scaled_step_ms");
      }
    });

    it("nccl-loopback goes round between processes over TCP, and says so", async () => {
      for (const { result } of await runsOf(loopback)) {
        expect(result?.figures["tcp_busbw"]?.samples.length).toBeGreaterThanOrEqual(5);
        expect(result?.facts).toMatchObject({ mode: "tcp" });
      }
    });

    it.skipIf(noFio !== "")(
      `storage-io tests the shared volume and leaves nothing there${noFio}`,
      async () => {
        for (const { result } of await runsOf(storage)) {
          expect(result?.facts).toMatchObject({ directory: "/mnt/continuous_validation" });
          expect(result?.figures["read_bw"]?.samples.length).toBeGreaterThan(0);
          expect(result?.figures["stat_per_s"]?.samples.length).toBe(5);
        }
        const names = await readdir(site.root);
        expect(names.filter((name) => name.startsWith("."))).toEqual([]);
      },
    );

    it.skipIf(noFio !== "")(
      `a node whose storage returns wrong data is failed, the other is not${noFio}`,
      async () => {
        const folder = await tempDir();
        const corrupt = { patterns: ["verify"], verifyBytes: mebibyte, corrupt: {} };
        const sound = { ...corrupt, corrupt: undefined };
        const entryOf = (name: string, options: object, excludedNodes: readonly string[]) =>
          site.entry(name, {
            ...site.bothWays,
            excludedNodes,
            checks: [{ ...storage, options }],
          });
        const config = await site.configure(folder, [
          entryOf("broken", corrupt, ["node-2"]),
          entryOf("sound", sound, ["node-1"]),
        ]);
        expect(await site.once(config)).toMatchObject({ code: 1 });
        const [broken] = await storedRuns(folder, "broken");
        expect(broken?.verdict).toMatchObject({ verdict: "fail" });
        expect(broken?.verdict?.reason).toContain("wrong data");
        const [fine] = await storedRuns(folder, "sound");
        expect(fine?.result).toMatchObject({ outcome: "completed", hardFacts: [] });
        expect(fine?.verdict?.verdict).not.toBe("fail");
      },
    );
  },
  shape,
);
