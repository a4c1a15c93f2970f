import { useEffect, useState } from "preact/hooks";
import type { ExperimentPlanView, ExperimentRow } from "../../../../src/control/api/experiments.ts";
import { type ApiProblem, apiSend } from "../../api/client.ts";
import { type Action, useAction } from "../../ui/use-action.ts";
import { linesInProblem, type ProblemLine } from "./model/problem-lines.ts";

export type World = ExperimentRow["world"];

/** An experiment to be, as the page holds it. */
export interface NewExperiment {
  readonly text: string;
  readonly world: World | undefined;
  readonly seed: string;
  /** Takes changes; what was said about it before is forgotten. */
  change(to: {
    readonly text?: string;
    readonly world?: World | undefined;
    readonly seed?: string;
  }): void;
  readonly plan: Action<[], ExperimentPlanView>;
  readonly start: Action<[], ExperimentRow>;
  readonly problem: ApiProblem | undefined;
  readonly problemLines: readonly ProblemLine[];
}

interface Fields {
  readonly text: string;
  readonly world: World | undefined;
  readonly seed: string;
}

export function useNewExperiment(): NewExperiment {
  const [fields, setFields] = useState<Fields>({ text: "", world: undefined, seed: "" });
  const plan = useAction(
    () => apiSend<ExperimentPlanView>("POST", "experiments", { ...bodyOf(fields), dryRun: true }),
    { role: "inject" },
  );
  const start = useAction(() => apiSend<ExperimentRow>("POST", "experiments", bodyOf(fields)), {
    role: "inject",
  });
  const problem = start.problem ?? plan.problem;
  const [problemLines, setProblemLines] = useState<readonly ProblemLine[]>([]);
  useEffect(() => {
    setProblemLines(problem === undefined ? [] : linesInProblem(problem.message));
  }, [problem]);
  return {
    ...fields,
    plan,
    start,
    problem,
    problemLines,
    change: (to) => {
      setFields((old) => ({ ...old, ...to }));
      plan.clear();
      // One that is being started is started, whatever is written meanwhile.
      if (!start.busy) start.clear();
    },
  };
}

function bodyOf({ text, world, seed }: Fields) {
  return {
    text,
    ...(world === undefined ? {} : { world }),
    ...(seed.trim() === "" ? {} : { seed: seed.trim() }),
  };
}
