export {
  type CommandOptions,
  commandOptionsSchema,
  createCommandCheck,
} from "./command-check.ts";
