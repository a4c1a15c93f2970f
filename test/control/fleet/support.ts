import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { openStore } from "../../../src/platform/store/index.ts";
import { createRealClock } from "../../../src/platform/time/real-clock.ts";
import { createSimulatedCluster } from "../../../src/validation/clusters/simulated/index.ts";
import { fleetChecks } from "../../../src/validation/fleet-log/index.ts";
import { type History, openHistory } from "../../../src/validation/history/index.ts";
import { loadYaml } from "../../platform/config/load.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { startPlane, type TestPlane, type TestPlaneOptions } from "../support.ts";

/** A control plane that validates what a configuration says. */
export async function planeOf(yaml: string, options: TestPlaneOptions = {}): Promise<TestPlane> {
  const { values } = await loadYaml(yaml);
  return await startPlane({ ...options, validation: values });
}

/** A small made-up fleet; at speed 1 nothing ends while a test looks at it. */
export function fleetYaml(
  given: { readonly speed?: number; readonly nodes?: number; readonly acting?: boolean } = {},
): string {
  const { speed = 5000, nodes = 12, acting = false } = given;
  return `validation:
  clusters:
    - name: made-up
      kind: simulated
      nodes: ${nodes}
      gpusPerNode: 8
      speed: ${speed}
      seed: "7"
      limits: { cooldown: 0 }
      act: { mode: ${acting ? '"on", cordonedShareMax: 0.1' : "dry-run"} }
`;
}

/** A fleet whose nodes have all been tested an hour ago, two of them badly. */
export async function testedFleet(
  given: { readonly storeUrl?: string; readonly acting?: boolean } = {},
): Promise<TestPlane> {
  const { storeUrl, acting = false } = given;
  const dataDir = join(await tempDir(), "data");
  await mkdir(dataDir, { recursive: true });
  const clock = createRealClock();
  const url = storeUrl ?? `sqlite:${join(dataDir, "tessera.db")}`;
  const store = await openStore({ url, clock });
  const options = { name: "made-up", seed: "7", nodes: 12, gpusPerNode: 8, speed: 1 };
  const { nodes } = createSimulatedCluster({ ...options, baseClock: clock }).view();
  const plannedAtMs = clock.nowMs() - 3_600_000;
  await openHistory(store).recordRuns(
    nodes.flatMap(({ name, sku, rack }, at) =>
      fleetChecks.map(({ name: check }) =>
        pastRun({ node: name, sku, rack, check, at }, plannedAtMs),
      ),
    ),
  );
  await store.close();
  const at = storeUrl === undefined ? { dataDir } : { storeUrl };
  return await planeOf(fleetYaml({ speed: 1, acting }), at);
}

function pastRun(
  place: {
    readonly node: string;
    readonly sku: string;
    readonly rack: string;
    readonly check: string;
    readonly at: number;
  },
  plannedAtMs: number,
): Parameters<History["recordRuns"]>[0][number] {
  const { at, ...where } = place;
  const id = `run-${where.node}-${where.check}`;
  const isBad = where.check === "nccl-loopback" && at < 2;
  const value = isBad ? 40 : 46 + at / 100;
  return {
    intent: {
      ...where,
      id,
      cluster: "made-up",
      plannedAtMs,
      jobName: id,
      purpose: "routine",
      reason: "never tested",
      policy: "stale",
      fileSystem: "",
      gpus: 8,
      gpuHours: 1,
      provenance: "simulated",
    },
    result: {
      runId: id,
      outcome: "completed",
      startedAtMs: plannedAtMs + 1000,
      endedAtMs: plannedAtMs + 60_000,
      figures: {
        busbw: { samples: [value, value + 0.1, value - 0.1], higherIsBetter: true, unit: "GB/s" },
      },
      hardFacts: [],
      cohort: "simulated-1",
      facts: { simulated: true },
    },
    origin: "pod",
    verdict: {
      runId: id,
      atMs: plannedAtMs + 61_000,
      verdict: isBad ? "fail" : "pass",
      reason: isBad ? "busbw is 40 GB/s, below the floor of 42 GB/s" : "all figures are as usual",
      findings: isBad
        ? [{ metric: "busbw", rule: "floor", value: 40, bound: 42, cohort: "every h100" }]
        : [],
    },
  };
}

export interface ReadSchema<T> {
  parse(json: unknown): T;
}

/** An answer of the API, checked against its schema. */
export async function read<T>(test: TestPlane, path: string, schema: ReadSchema<T>): Promise<T> {
  const { status, json, text } = await test.call("GET", `/api/v1/${path}`);
  expect(status, text.slice(0, 500)).toBe(200);
  return schema.parse(json);
}

/** Waits until an answer is as wanted. */
export async function readUntil<T>(
  test: TestPlane,
  path: string,
  given: { readonly schema: ReadSchema<T>; readonly until: (found: T) => boolean },
): Promise<T> {
  let found: T | undefined;
  await waitUntil(`${path} is as wanted`, async () => {
    found = await read(test, path, given.schema);
    return given.until(found);
  });
  if (found === undefined) throw new Error("nothing was read");
  return found;
}
