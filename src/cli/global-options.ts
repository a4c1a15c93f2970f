import type { OptionSpec } from "./command-spec.ts";

/** The options every command understands, before or after its name. */
export const globalOptions = [
  { flags: "--json", description: "print the result as JSON on stdout" },
  { flags: "--junit <file>", description: "also write the result as JUnit XML", completes: "file" },
  { flags: "--quiet", description: "print results and errors only" },
  { flags: "--verbose", description: "log more, and print the stack of an error" },
  { flags: "--no-color", description: "print without colours" },
  {
    flags: "--config <file>",
    description: "read this configuration file",
    completes: "file",
  },
  {
    flags: "--seed <seed>",
    description: "make everything that involves chance repeatable",
    configKey: "seed",
  },
] as const satisfies readonly OptionSpec[];
