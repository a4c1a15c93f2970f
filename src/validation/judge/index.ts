export {
  type CheckState,
  CheckStates,
  isTelling,
  type NodeStates,
  standingVerdict,
  tellingRun,
} from "./check-states.ts";
export { type JudgeInput, type Judgement, judgeRuns } from "./judge-runs.ts";
export { createRunJudge, type RunJudge, type RunJudgeOptions } from "./judge-store.ts";
export { type JudgedRun, judgedRun } from "./judged-run.ts";
export { wantedRetests } from "./retests.ts";
export type { CompareLimits } from "./select-comparable.ts";
