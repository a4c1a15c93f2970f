import { createFaultBook } from "../faults/index.ts";
import { nodeOf } from "../objects/index.ts";
import { createReaper } from "../reaper/index.ts";
import {
  armControl,
  controlPath,
  disarmControl,
  ensureControl,
  layShim,
  readControl,
  renewControl,
} from "../shim/index.ts";
import type { AgentOptions, AgentPorts } from "./agent-options.ts";
import { notesIn } from "./fault-notes.ts";
import { xidPort } from "./xid-port.ts";

/** The rooms beside the agent, as an installation has them. */
export function createAgentPorts(
  options: Pick<AgentOptions, "client" | "clock" | "log" | "namespace" | "node">,
): AgentPorts {
  const { client, clock, log, namespace, node } = options;
  const by = `agent/${node}`;
  const onDamaged = (err: Error) => log.error({ err }, "a fault cannot be read");
  const book = createFaultBook({ client, namespace, clock, by, onDamaged });
  return {
    notes: notesIn(book),
    xid: xidPort,
    shim: {
      armControl,
      controlPath,
      disarmControl,
      ensureControl,
      layShim,
      readControl,
      renewControl,
    },
    reaper: (disarm) =>
      createReaper({
        book,
        client,
        clock,
        by,
        log,
        disarm,
        node,
        // What is on no node is everybody's: any agent alone takes it back.
        owns: ({ spec }) => (nodeOf(spec.action) ?? node) === node,
      }),
  };
}
