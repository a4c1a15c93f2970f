export { createPlanner, type PlannerOptions } from "./create-planner.ts";
export { endedRunOf } from "./ended-run.ts";
export { loadPlanner } from "./load-planner.ts";
export { plannedRuns } from "./planned-runs.ts";
export {
  type EndedRun,
  type Plan,
  type PlanInput,
  type PlannedRun,
  type Planner,
  type PostponedRun,
  postponedCount,
  type Rail,
  rails,
  type WantedRun,
} from "./planner.ts";
