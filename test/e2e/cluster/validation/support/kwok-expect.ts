import { expect } from "vitest";
import type { RunRecord } from "../../../../../src/validation/run.ts";
import { dueInOrder, fresh, notFree } from "./kwok-fleet.ts";
import type { World } from "./kwok-world.ts";
import { runOnConfig } from "./validate-process.ts";

/** Every run has the result that its pod handed in. */
export function expectAllFromPods(runs: readonly RunRecord[]): void {
  const others = runs.filter(
    ({ result }) => result?.outcome !== "completed" || result.origin !== "pod",
  );
  expect(others, "runs whose results were lost").toEqual([]);
}

/** What must hold whatever happened. */
export function expectOneJobEach(
  { ledger, player }: World,
  runs: readonly RunRecord[],
  limit: number,
): void {
  expect(ledger.twice, "runs with more than one job").toEqual([]);
  const runIds = runs.map(({ intent }) => intent.id);
  expect(ledger.runIds.toSorted(), "runs with a job").toEqual(runIds.toSorted());
  expect(ledger.unfinishedMax, "jobs at once").toBeLessThanOrEqual(limit);
  expect(ledger.perNodeMax, "jobs at once on one node").toBe(1);
  expect(ledger.unfinished, "jobs that nobody ended").toEqual([]);
  expect(player.complaints, "what pods complain about").toEqual([]);
}

/** The report afterwards: what passed, what is unknown and why, what was not tested and why. */
export async function expectReport(config: string, stuck: string): Promise<void> {
  const args = ["report", "--since", "1h", "--format", "json"];
  const { code, stdout } = await runOnConfig(config, args);
  expect(code).toBe(3);
  const { counts, sections } = JSON.parse(stdout) as ReportShape;
  expect(counts).toMatchObject({ pass: dueInOrder.length - 1, unknown: 1, fail: 0, suspect: 0 });
  const judged = sections.filter((section) => section.judged).flatMap(({ items }) => items);
  const items = new Map(judged.map((item) => [item.name, item]));
  expect(items.size).toBe(50);
  expect(items.get(stuck)).toMatchObject({ status: "unknown" });
  expect(items.get(stuck)?.reason).toMatch(/did not begin to run within 50 s: Unschedulable/);
  for (const node of dueInOrder.filter((name) => name !== stuck)) {
    expect(items.get(node), node).toMatchObject({ status: "pass" });
  }
  for (const { node } of fresh) {
    expect(items.get(node), node).toMatchObject({ status: "skipped" });
    expect(items.get(node)?.reason).toMatch(/^not due: its oldest evidence is 1.0 d old/);
  }
  for (const [node, reason] of notFree) {
    expect(items.get(node), node).toMatchObject({ status: "skipped" });
    expect(items.get(node)?.reason).toMatch(reason);
  }
}

interface ReportShape {
  readonly counts: Readonly<Record<string, number>>;
  readonly sections: readonly {
    readonly judged: boolean;
    readonly items: readonly {
      readonly name: string;
      readonly status: string;
      readonly reason: string;
    }[];
  }[];
}
