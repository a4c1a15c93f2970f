import type { ChaosPlan, PlannedFault } from "../plan/index.ts";

/** What can be done to a program that knows nothing of us. */
const possible: ReadonlySet<string> = new Set(["restart_worker", "freeze_worker", "preempt"]);

/** Why the plan of a command cannot be carried out, each in a sentence; none: it can. */
export function commandRefusals(plan: ChaosPlan): readonly string[] {
  const { workload, faults, defects } = plan;
  if (workload.kind !== "command") return ["The workload is no command."];
  const problems = faults.flatMap((fault) => [
    ...faultProblems(fault),
    ...targetProblems(fault, workload.workers === null),
  ]);
  if (defects.length > 0)
    problems.push("Planted bugs are in our own recovery code, not in a command.");
  if (workload.workers !== null) problems.push(...patternProblems(workload.workers.match));
  if (process.platform !== "linux")
    problems.push("The processes of a command are found in /proc, which only Linux has.");
  return [...new Set(problems)];
}

function faultProblems({ fault, trigger }: PlannedFault): readonly string[] {
  const problems: string[] = [];
  if (!possible.has(fault)) {
    problems.push(
      `${fault} cannot be done to a command: the programs of others are killed (restart_worker), frozen (freeze_worker) and asked to leave (preempt).`,
    );
  }
  if (trigger.kind !== "step" && trigger.kind !== "time") {
    problems.push(`A command tells of steps; its ${trigger.kind}s cannot be waited for.`);
  }
  return problems;
}

function targetProblems({ fault, targets }: PlannedFault, isAlone: boolean): readonly string[] {
  return targets.flatMap((target) => {
    if (target.kind !== "rank") return [`${fault} hits ranks of a command, and no ${target.kind}.`];
    if (!isAlone || target.rank === 0) return [];
    return [
      `The command has one worker, itself: rank ${target.rank} needs \`workers: { match }\`.`,
    ];
  });
}

function patternProblems(match: string): readonly string[] {
  try {
    return new RegExp(match, "u").test("")
      ? ["`workers.match` fits every process, the empty command line too."]
      : [];
  } catch {
    return [`\`workers.match\` is no regular expression: ${match}.`];
  }
}
