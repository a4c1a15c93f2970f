/** The user's own job: any program that prints its progress. */
export {
  type CommandRunOptions,
  createCommandRunner,
} from "./command-runner.ts";
export { ProgressBook } from "./progress-book.ts";
export { type ProgressLine, readProgressLine } from "./progress-line.ts";
export { commandRefusals } from "./refusals.ts";
