/** How work is laid over devices that differ by what they compute; pure, and for all who run it. */
export {
  idealBubble,
  type PipelineSchedule,
  type PipelineStep,
  pipelineSchedules,
  type ScheduleOptions,
  stepsOfStage,
} from "./pipeline-schedule.ts";
