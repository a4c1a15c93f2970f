export {
  type CommandOptions,
  commandOptionsSchema,
  createCommandCheck,
} from "./command-check.ts";
export { type ProgramOptions, programFailed, runProgram } from "./run-program.ts";
