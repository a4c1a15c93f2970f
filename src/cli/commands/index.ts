import type { CommandTable } from "../program.ts";
import { classifyCommand } from "./classify.ts";
import { collectiveCommand } from "./collective.ts";
import { completionCommand } from "./completion.ts";
import { configPrintCommand } from "./config-print.ts";
import { configSchemaCommand } from "./config-schema.ts";
import { doctorCommand } from "./doctor.ts";
import { explainCommand } from "./explain.ts";
import { helpCommand } from "./help.ts";
import { nodesCommand } from "./nodes.ts";
import { policyReplayCommand } from "./policy-replay.ts";
import { qaClusterCommand } from "./qa-cluster.ts";
import { qaRackCommand } from "./qa-rack.ts";
import { simulateFleetCommand } from "./simulate-fleet.ts";
import { upCommand } from "./up.ts";

/** Every command there is, in the order help lists them. */
export const commandTable: CommandTable = {
  specs: [
    upCommand,
    doctorCommand,
    nodesCommand,
    policyReplayCommand,
    simulateFleetCommand,
    classifyCommand,
    collectiveCommand,
    qaRackCommand,
    qaClusterCommand,
    configPrintCommand,
    configSchemaCommand,
    explainCommand,
    completionCommand(() => commandTable),
    helpCommand(() => commandTable),
  ],
  groups: {
    policy: "compare policies on the log of a fleet",
    simulate: "write logs of simulated fleets",
    config: "show the configuration and its schema",
    qa: "validate a rack or a cluster on simulated devices",
  },
};
