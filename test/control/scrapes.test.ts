import { expect, test } from "vitest";
import { collectFleetMetrics } from "../../src/control/validation/fleet-metrics.ts";
import { collectValidationMetrics } from "../../src/control/validation/metrics.ts";
import { createMetrics } from "../../src/platform/metrics/index.ts";
import { loadYaml } from "../platform/config/load.ts";
import { waitUntil } from "../support/wait-until.ts";
import { startReceiver } from "./notify/receiver.ts";
import { settings } from "./notify/support.ts";
import { startPlane } from "./support.ts";

type Told = Parameters<typeof collectFleetMetrics>[1]["keepers"][number];

const fleet = `validation:
  clusters: [{ name: made-up, kind: simulated, nodes: 4, speed: 5000, seed: "7" }]
`;
const gauges =
  /^tessera_(validation_(nodes|leading|coverage_ratio|troubles|nodes_closed)|notifications_waiting)\{/m;

test("what a store that fails can no longer tell is shown no more", async () => {
  await using receiver = await startReceiver();
  const { values } = await loadYaml(fleet);
  const target = { name: "hook", kind: "webhook" as const, url: receiver.url };
  await using plane = await startPlane({
    validation: values,
    notifications: { ...settings, targets: [target] },
  });
  const scrape = async () => (await plane.call("GET", "/metrics")).text;
  await waitUntil("nodes are told about", async () => {
    const text = await scrape();
    return text.includes("tessera_validation_nodes{") && text.includes("notifications_waiting{");
  });
  const { store } = plane.plane;
  await store.close();
  await waitUntil("nothing old is told", async () => !gauges.test(await scrape()));
});

test("a view that cannot be read is no view of before", async () => {
  const metrics = createMetrics();
  const leading = { cluster: "prod", provenance: "measured" };
  collectValidationMetrics(metrics, {
    view: () => Promise.reject(new Error("the store is gone")),
  });
  metrics.set("tessera_validation_leading", leading, 1);
  expect(await metrics.text()).not.toMatch(gauges);
});

test("a cluster that cannot be told about leaves nothing of before", async () => {
  const metrics = createMetrics();
  const labels = { cluster: "prod", provenance: "measured" };
  const keeper = { snapshot: () => Promise.reject(new Error("the store is gone")) };
  collectFleetMetrics(metrics, { keepers: [keeper as unknown as Told] });
  metrics.set("tessera_validation_troubles", labels, 0);
  metrics.set("tessera_validation_nodes", { ...labels, status: "pass" }, 4);
  expect(await metrics.text()).not.toMatch(gauges);
});

test("a pass is told as one only with every check, none too long ago", async () => {
  const cell = (ageDays: number | null) => ({
    check: "dl-unit",
    standing: ageDays === null ? "untested" : "pass",
    ageDays,
    isStale: ageDays === null || ageDays > 7,
  });
  const row = (standing: string, ...ages: readonly (number | null)[]) => {
    const checks = ages.map(cell);
    return { standing, checks, isCovered: checks.every(({ isStale }) => !isStale) };
  };
  const rows = [
    row("pass", 1, 2),
    row("pass", 365, 1),
    row("pass", 1, null),
    row("pass", 365, null),
    row("fail", 365, 365),
    row("untested", null, null),
  ];
  const keeper = {
    entry: { name: "prod" },
    provenance: "measured",
    snapshot: async () => ({ rows, status: { state: "waiting", troubles: [] } }),
  };
  const metrics = createMetrics();
  collectFleetMetrics(metrics, { keepers: [keeper as unknown as Told] });
  const text = await metrics.text();
  const told = [...text.matchAll(/^tessera_validation_nodes\{.*status="(\w+)"\} (\d+)$/gm)];
  expect(Object.fromEntries(told.map(([, status, count]) => [status, Number(count)]))).toEqual({
    pass: 1,
    stale: 1,
    incomplete: 2,
    warn: 0,
    suspect: 0,
    fail: 1,
    unknown: 0,
    skipped: 1,
  });
});

test("a breaker is told about only where something was decided, or nothing ever is", async () => {
  const refusals = [{ reason: "9 of 10 nodes are closed by us." }];
  const breakerOf = async (mode: string, refused: readonly object[] | undefined) => {
    const last = refused === undefined ? undefined : { decision: { refusals: refused } };
    const keeper = {
      entry: { name: "prod" },
      provenance: "measured",
      assembled: { settings: { act: { mode } }, care: { last: () => last } },
      snapshot: async () => ({
        rows: [],
        status: { state: "leading", troubles: [], postponed: [] },
      }),
    };
    const metrics = createMetrics();
    collectFleetMetrics(metrics, { keepers: [keeper as unknown as Told] });
    return /^tessera_validation_breaker_open\{.*\} (\d)$/m.exec(await metrics.text())?.[1];
  };
  expect(await breakerOf("on", undefined)).toBeUndefined();
  expect(await breakerOf("dry-run", undefined)).toBeUndefined();
  expect(await breakerOf("off", undefined)).toBe("0");
  expect(await breakerOf("on", [])).toBe("0");
  expect(await breakerOf("on", refusals)).toBe("1");
});

test("each outcome of each target is counted from 0, so that the first of them is an increase", async () => {
  await using receiver = await startReceiver();
  const target = { name: "hook", kind: "webhook" as const, url: receiver.url };
  await using plane = await startPlane({ notifications: { ...settings, targets: [target] } });
  const { text } = await plane.call("GET", "/metrics");
  for (const outcome of ["delivered", "retried", "given-up"]) {
    expect(text).toContain(`tessera_notifications_total{target="hook",outcome="${outcome}"} 0`);
  }
  await using bare = await startPlane();
  expect((await bare.call("GET", "/metrics")).text).not.toContain("tessera_notifications_total{");
});
