import { judge } from "../../../../src/chaos/judge/index.ts";
import type { Expectations } from "../../../../src/chaos/plan/index.ts";
import type { RunRecord } from "../../../../src/chaos/record/index.ts";
import { expectations, madeUpPlan, secondUs } from "./made-up-plan.ts";
import { cleanRun, killed, killedRun, recordOf, Script } from "./made-up-run.ts";

type Changes = Omit<Partial<Expectations>, "within"> & { within?: Partial<Expectations["within"]> };

export function judged(
  record: RunRecord = killedRun(),
  expect: Changes = {},
  baseline: RunRecord | null = cleanRun(),
) {
  const plan = madeUpPlan({
    ...record.plan,
    expect: expectations(expect as Partial<Expectations>),
  });
  return judge(plan, { ...record, plan }, baseline);
}

export function findingOf(judgement: ReturnType<typeof judge>, property: string) {
  return judgement.findings.find((one) => one.property === property);
}

export const gaveUp = (reason = "no spare is left for 1 lost: rank 1 was lost") =>
  recordOf(
    new Script()
      .at(2)
      .generation()
      .steps(1, 8)
      .save(8, 1)
      .steps(9, 10)
      .at(15)
      .detect([1])
      .at(16)
      .add({ kind: "isolate", ranks: [1] })
      .giveUp(reason),
    { injections: [killed] },
  );

export const cut = (changes: Partial<RunRecord> = {}) =>
  recordOf(new Script().at(2).generation().steps(1, 10), {
    injections: [killed],
    endUs: 600 * secondUs,
    ...changes,
  });
