import { type ExitCode, exitCodes } from "../../platform/errors/index.ts";
import { auditLog } from "../../platform/store/index.ts";
import {
  type PersonAction,
  recordWord,
  wordCondition,
  wordSentences,
} from "../../validation/act/index.ts";
import { actorOf, requiredReason, textOption } from "../actor.ts";
import { withExistingStore } from "../existing-store.ts";
import type { Invocation } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";
import { findNode } from "./known-node.ts";

/**
 * Writes down a person's word about a node. The loop of its cluster carries it out, closing and opening
 * only where acting is switched on; it needs no cluster here.
 */
export async function overrideNode(
  invocation: Invocation,
  action: PersonAction,
): Promise<ExitCode> {
  const { args, options, globals, io, clock } = invocation;
  const command = `node ${action}`;
  const reason = requiredReason(command, options);
  const actor = actorOf(invocation);
  const check = action === "test" ? textOption(options, "check") : undefined;
  const wish = { node: args[0] ?? "", cluster: textOption(options, "cluster"), command };
  const told = await withExistingStore(invocation, async (opened) => {
    const { history, store } = opened;
    const known = await findNode(opened, wish);
    const { cluster, node } = known;
    const details = { action, reason, actor, ...(check === undefined ? {} : { check }) };
    await auditLog.append(store.db, {
      atMs: clock.nowMs(),
      actor,
      action: `node.${action}`,
      subject: `${cluster}/${node}`,
      details,
    });
    const word = { cluster, node, ...details };
    const atMs = await recordWord(history, word, { ...known, nowMs: clock.nowMs() });
    return { ...word, at: new Date(atMs).toISOString() };
  });
  if (globals.json) writeJson(io.stdout, told);
  else {
    writeLine(io.stdout, `${told.node} of ${told.cluster} ${wordSentences[action]}.`);
    writeLine(io.stdout, wordCondition(action));
  }
  return exitCodes.good;
}
