import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Cluster, startCluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { distDir, runCli } from "../../../support/built-cli.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import type { Pod } from "../validation/support/pods.ts";
import { type PodNames, servePodNames } from "./support/pod-names.ts";

const shape = { nodes: 2, volcano: true };
const kinds = ["job", "volcano"] as const;
type Kind = (typeof kinds)[number];
const mebibyte = 2 ** 20;
/** Two pods are scheduled and start in it, and ask for each other's names. */
const patience = { timeoutMs: 120_000 };

vi.setConfig({ testTimeout: 600_000 });
const name = "tessera-all-reduce";
const label = `tessera.dev/rank-job=${name}`;

interface PodTemplate {
  readonly spec: { readonly containers: readonly object[] };
}

/** One of the printed objects, as far as it is changed here. */
interface Printed {
  readonly kind: string;
  readonly spec?: {
    readonly template?: PodTemplate;
    readonly tasks?: readonly { readonly template: PodTemplate }[];
  };
}

interface Measurement {
  readonly source: string;
  readonly ranks: number;
  readonly points: readonly {
    readonly bytes: number;
    readonly timesUs: readonly number[];
    readonly wrong: number;
    readonly elements: number;
  }[];
  readonly facts: object;
}

describeCluster(
  "a measured all-reduce between pods of two real nodes",
  () => {
    let cluster: Cluster;
    let names: PodNames;
    beforeAll(async () => {
      cluster = await startCluster({ ...shape, bundle: join(distDir, "bundle", "tessera.mjs") });
      names = await servePodNames(cluster);
    });
    afterAll(async () => {
      names?.close();
      await cluster?.stop();
    });

    /** Applies what our command prints, in a namespace of its own. */
    async function start(kind: Kind, namespace: string, args: readonly string[]) {
      const what = ["collective", "all-reduce", "--measured", "--manifests", kind, "--ranks", "2"];
      const where = ["--image", "tessera:test", "--namespace", namespace, "--json"];
      const { code, stdout, stderr } = await runCli([...what, ...where, ...args]);
      expect(code, stderr).toBe(0);
      const { items } = JSON.parse(stdout) as { items: readonly Printed[] };
      await cluster.kubectl(["create", "namespace", namespace]);
      await cluster.apply(...items.map((item) => fitting(item, names.podDns(namespace))));
    }

    const kubectl = (namespace: string, ...args: readonly string[]) =>
      cluster.kubectl(["-n", namespace, ...args], { timeoutMs: 150_000 });

    async function pods(namespace: string): Promise<readonly Pod[]> {
      const text = await kubectl(namespace, "get", "pods", "-l", label, "-o", "json");
      return (JSON.parse(text) as { items: readonly Pod[] }).items.toSorted((a, b) =>
        a.metadata.name < b.metadata.name ? -1 : 1,
      );
    }

    async function running(namespace: string): Promise<readonly Pod[]> {
      let found: readonly Pod[] = [];
      await waitUntil(
        "both ranks run",
        async () => {
          found = await pods(namespace);
          return found.length === 2 && found.every(({ status }) => status.phase === "Running");
        },
        patience,
      );
      return found;
    }

    const phaseOf = async (kind: Kind, namespace: string) =>
      kind === "job"
        ? await kubectl(
            ...[namespace, "get", "job", name, "-o"],
            'jsonpath={.status.conditions[?(@.status=="True")].type}',
          )
        : await kubectl(
            ...[namespace, "get", "jobs.batch.volcano.sh", name, "-o"],
            "jsonpath={.status.state.phase}",
          );

    it.each(kinds)(
      "as a %s it completes, adds up right and says what it measured",
      async (kind) => {
        const namespace = `measured-${kind}`;
        await start(kind, namespace, ["--bytes", "8,1MiB", "--iterations", "5"]);
        let phase = "";
        await waitUntil(
          "it has ended",
          async () => {
            phase = await phaseOf(kind, namespace);
            return /Complete|Failed|Abort|Terminated/.test(phase);
          },
          patience,
        );
        const [first, second, ...more] = await pods(namespace);
        const said = async (pod: Pod | undefined) =>
          pod === undefined ? "" : await kubectl(namespace, "logs", pod.metadata.name);
        const text = await said(first);
        expect(phase, `${text}\n${await said(second)}`).toMatch(/Complete/);
        expect(more).toEqual([]);
        const nodes = new Set([first?.spec.nodeName, second?.spec.nodeName]);
        expect(nodes).toEqual(new Set(["node-1", "node-2"]));
        const { source, ranks, points, facts } = JSON.parse(
          text.trim().split("\n").at(-1) ?? "",
        ) as Measurement;
        expect({ source, ranks }).toEqual({ source: "measured", ranks: 2 });
        expect(facts).toMatchObject({ transport: "tcp" });
        expect(points.map(({ bytes }) => bytes)).toEqual([8, mebibyte]);
        for (const { timesUs, wrong, elements } of points) {
          expect(timesUs).toHaveLength(5);
          expect(timesUs.every((timeUs) => timeUs > 0)).toBe(true);
          expect(elements).toBeGreaterThan(0);
          expect(wrong).toBe(0);
        }
      },
    );

    it.each(kinds)("as a %s it ends when a pod is deleted, and names its rank", async (kind) => {
      const namespace = `deleted-${kind}`;
      await start(kind, namespace, ["--bytes", "8,16MiB", "--iterations", "10000"]);
      const [first, second] = await running(namespace);
      if (first === undefined || second === undefined) throw new Error("there are two pods");
      await waitUntil(
        "they have begun",
        async () => (await kubectl(namespace, "logs", first.metadata.name)).includes('"bytes":8'),
        patience,
      );
      // Pods of a job that failed may be taken away, and their words with them: listen now.
      const words = kubectl(namespace, "logs", "-f", first.metadata.name);
      await kubectl(namespace, "delete", "pod", second.metadata.name, "--wait=false");
      expect(await words).toMatch(/E_RANK\w*: .*rank 1/i);
      await waitUntil(
        "the job has failed",
        async () => /Failed|Abort|Terminated/.test(await phaseOf(kind, namespace)),
        patience,
      );
      await waitUntil(
        "nothing of it runs",
        async () => (await pods(namespace)).every(({ status }) => status.phase !== "Running"),
        patience,
      );
    });
  },
  shape,
);

/** The nodes have no cluster DNS, and our image for tests starts nothing by itself. */
function fitting(item: Printed, dns: object): object {
  const podOf = ({ spec, ...rest }: PodTemplate) => ({
    ...rest,
    spec: {
      ...spec,
      ...dns,
      containers: spec.containers.map((container) => ({
        ...container,
        command: ["node", "/app/tessera.mjs"],
      })),
    },
  });
  const { template, tasks } = item.spec ?? {};
  if (template !== undefined) return { ...item, spec: { ...item.spec, template: podOf(template) } };
  if (tasks === undefined) return item;
  const fitted = tasks.map((task) => ({ ...task, template: podOf(task.template) }));
  return { ...item, spec: { ...item.spec, tasks: fitted } };
}
