import { createTokenPort } from "../../control/store-ports.ts";
import { exitCodes, TesseraError } from "../../platform/errors/index.ts";
import { auditLog } from "../../platform/store/index.ts";
import { actorOf, textOption } from "../actor.ts";
import { withExistingStore } from "../existing-store.ts";
import type { Action } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";

/** `tessera token revoke`: nobody gets in with it any more. */
export const run: Action = async (invocation) => {
  const { args, options, globals, io, clock } = invocation;
  const [id = ""] = args;
  const actor = actorOf(invocation);
  const reason = textOption(options, "reason");
  const details = reason === undefined ? {} : { reason };
  await withExistingStore(invocation, ({ store }) =>
    store.transaction(async (trx) => {
      if (!(await createTokenPort({ db: trx }, clock).revoke(id))) throw unknownToken(id);
      const entry = { atMs: clock.nowMs(), actor, action: "token.revoke", subject: id };
      await auditLog.append(trx, { ...entry, details });
    }),
  );
  if (globals.json) writeJson(io.stdout, { id, revoked: true });
  else writeLine(io.stdout, `${id} is revoked: whoever holds it is refused from now on.`);
  return exitCodes.good;
};

function unknownToken(id: string): TesseraError {
  const details = { kind: "token", id, list: "/api/v1/tokens" };
  const hint = "`tessera token list` shows the tokens there are.";
  return new TesseraError("E_NOT_FOUND", details, { hint });
}
