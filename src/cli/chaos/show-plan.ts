import { type BlastRadius, blastRadiusOf } from "../../chaos/experiment/index.ts";
import type { ChaosPlan, PlannedFault, Workload } from "../../chaos/plan/index.ts";
import { ranksText, targetsText, triggerText } from "../../chaos/report/index.ts";
import { tableOf } from "../text-table.ts";
import { timeText } from "./words.ts";

/** What `--dry-run` says to programs. */
export function planDocument(plan: ChaosPlan, world: string): object {
  return { dryRun: true, world, plan, blastRadius: blastRadiusOf(plan) };
}

/** What `--dry-run` says to people: who is hit, when, and what must come back. Nothing is started. */
export function showPlan(plan: ChaosPlan, world: string): readonly string[] {
  const radius = blastRadiusOf(plan);
  return [
    `PLAN  ${plan.title}`,
    "",
    ...tableOf([
      ["  world", `${world}, seed ${plan.seed}`],
      ["  workload", workloadText(plan.workload)],
      ["  fleet", fleetText(plan)],
      [
        "  claim",
        `${plan.expect.claim}: it must ${plan.expect.claim === "inside" ? "recover" : "fail cleanly"}`,
      ],
      ["  integrity", plan.expect.integrity],
      ["  limits", `${timeText(plan.limits.durationUs)}, ${plan.limits.targetsMax} hit at once`],
    ]),
    "",
    "FAULTS",
    ...(plan.faults.length === 0 ? ["  none"] : tableOf(plan.faults.map(faultRow))),
    "",
    `BLAST RADIUS: ${radius.atOnce} hit at once`,
    ...radius.recoveries.map(recoveryLine),
    "",
    "Nothing was started.",
  ];
}

function workloadText(workload: Workload): string {
  switch (workload.kind) {
    case "training": {
      const { dp, tp, pp } = workload.shape;
      const saves = workload.checkpoint.everySteps;
      const save = saves === 0 ? "no checkpoints" : `a checkpoint every ${saves}`;
      return `training, ${workload.steps} steps on dp ${dp} x pp ${pp} x tp ${tp}, ${save}, ${workload.policy.onFailure}`;
    }
    case "inference":
      return `inference, ${workload.requests} requests to ${workload.replicas} replicas`;
    case "command":
      return `command, ${workload.command.join(" ")}`;
    case "pods":
      return `pods of ${workload.namespace} with ${workload.selector}`;
    case "slurm":
      return `job ${workload.job} of ${workload.user ?? "your own"}`;
  }
}

function fleetText({ fleet: { nodes, devicesPerNode, spareNodes } }: ChaosPlan): string {
  const spares = spareNodes === 0 ? "" : `, ${spareNodes} spare`;
  return `${nodes} ${nodes === 1 ? "node" : "nodes"} of ${devicesPerNode} devices${spares}`;
}

function faultRow({ id, fault, targets, trigger, durationUs, params }: PlannedFault): string[] {
  const settings = Object.entries(params).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  return [
    `  ${id}`,
    fault,
    targetsText(targets),
    triggerText(trigger),
    durationUs === null ? "to the end" : `for ${timeText(durationUs)}`,
    settings.join(", "),
  ];
}

function recoveryLine(one: BlastRadius["recoveries"][number]): string {
  const restarts =
    one.restarting.length === 0 ? "nobody restarts" : `${ranksText(one.restarting)} restart`;
  const back =
    one.rolledBack === 0 ? "nobody goes back" : `${one.rolledBack} ranks go back to a checkpoint`;
  return `  ${one.faults.join(", ")}: ${restarts}, ${back}; expected to end by ${one.path}`;
}
