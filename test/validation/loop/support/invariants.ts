import { expect } from "vitest";
import type { Simulation } from "./simulation.ts";

/** What must hold after any schedule whatsoever. */
export function expectInvariants({ world, history, schedule, wrongs }: Simulation): void {
  expect(wrongs, "submissions that should not have been").toEqual([]);
  const twice = [...world.created].filter(
    ([runId, times]) => times > 1 && !world.vanished.has(runId),
  );
  expect(twice, "runs with more than one job").toEqual([]);
  expect(world.activeMax, "jobs at once").toBeLessThanOrEqual(schedule.inFlightMax);
  expect(world.perNodeMax, "jobs at once on one node").toBeLessThanOrEqual(1);
  const records = history.records("world");
  const open = records.filter(({ result }) => result === undefined);
  expect(open, "runs that never ended").toEqual([]);
  const active = world.jobViews().filter(({ phase }) => phase === "pending" || phase === "running");
  expect(active, "jobs that nobody ended").toEqual([]);
  const lost = [...world.handedIn].filter((runId) => {
    const record = records.find(({ intent }) => intent.id === runId);
    return record?.result?.origin !== "pod";
  });
  expect(lost, "results that were handed in and lost").toEqual([]);
  const undeserved = records.filter(
    ({ result, verdict }) =>
      verdict?.verdict === "pass" && (result?.origin !== "pod" || result.outcome !== "completed"),
  );
  expect(undeserved, "healthy without a completed result").toEqual([]);
  const unjudged = records.filter(({ verdict }) => verdict === undefined);
  expect(unjudged, "runs without a verdict").toEqual([]);
}
