import { type ExitCode, exitCodes } from "../../platform/errors/index.ts";
import { auditLog } from "../../platform/store/index.ts";
import { actorOf, requiredReason, textOption } from "../actor.ts";
import { withExistingStore } from "../existing-store.ts";
import type { Invocation } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";
import { findNode, type KnownNode } from "./known-node.ts";

const sentences = {
  hold: "will be closed to users, and stays so until `tessera node release`",
  release: "will be opened, and is not closed again for what is known about it now",
} as const;

/**
 * Writes down a person's word about a node. The loop of its cluster carries it out when acting is
 * switched on; it needs no cluster here.
 */
export async function overrideNode(
  invocation: Invocation,
  action: "hold" | "release",
): Promise<ExitCode> {
  const { args, options, globals, io, clock } = invocation;
  const command = `node ${action}`;
  const reason = requiredReason(command, options);
  const actor = actorOf(invocation);
  const wish = { node: args[0] ?? "", cluster: textOption(options, "cluster"), command };
  const told = await withExistingStore(invocation, async (opened) => {
    const { history, store } = opened;
    const known = await findNode(opened, wish);
    const { cluster, node } = known;
    const atMs = timeAfter(known, clock.nowMs());
    const details = { action, reason, actor };
    await auditLog.append(store.db, {
      atMs: clock.nowMs(),
      actor,
      action: `node.${action}`,
      subject: `${cluster}/${node}`,
      details,
    });
    await history.recordNodeEvents([{ cluster, node, atMs, kind: "override", details }]);
    return { cluster, node, action, reason, actor, at: new Date(atMs).toISOString() };
  });
  if (globals.json) writeJson(io.stdout, told);
  else {
    writeLine(io.stdout, `${told.node} of ${told.cluster} ${sentences[action]}.`);
    writeLine(io.stdout, "The loop does it if `validation.act.mode` is `on`.");
  }
  return exitCodes.good;
}

/** Now, but after everything known: a simulated cluster may be ahead of this machine's time. */
function timeAfter({ runs, events }: KnownNode, nowMs: number): number {
  const ends = runs.map(({ intent, result }) => result?.endedAtMs ?? intent.plannedAtMs);
  return Math.max(nowMs, ...[...ends, ...events.map(({ atMs }) => atMs)].map((atMs) => atMs + 1));
}
