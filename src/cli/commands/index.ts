import type { CommandTable } from "../program.ts";
import { completionCommand } from "./completion.ts";
import { configPrintCommand } from "./config-print.ts";
import { configSchemaCommand } from "./config-schema.ts";
import { doctorCommand } from "./doctor.ts";
import { explainCommand } from "./explain.ts";
import { helpCommand } from "./help.ts";
import { nodesCommand } from "./nodes.ts";
import { upCommand } from "./up.ts";

/** Every command there is, in the order help lists them. */
export const commandTable: CommandTable = {
  specs: [
    upCommand,
    doctorCommand,
    nodesCommand,
    configPrintCommand,
    configSchemaCommand,
    explainCommand,
    completionCommand(() => commandTable),
    helpCommand(() => commandTable),
  ],
  groups: {
    config: "show the configuration and its schema",
  },
};
