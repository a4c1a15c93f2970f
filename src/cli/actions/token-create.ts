import { createTokenPort } from "../../control/store-ports.ts";
import { exitCodes } from "../../platform/errors/index.ts";
import {
  aboutToken,
  makeToken,
  type TokenWish,
  tokenWishSchema,
} from "../../platform/http/index.ts";
import { auditLog } from "../../platform/store/index.ts";
import { actorOf, textOption } from "../actor.ts";
import { withExistingStore } from "../existing-store.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";
import { usageError } from "../usage-error.ts";

/** What the rules of the API call things, as they are typed here. */
const typedAs: Readonly<Record<string, string>> = { name: "<name>", expiresIn: "--expires" };

/** `tessera token create`: a token, shown once. */
export const run: Action = async (invocation) => {
  const { options, globals, io, clock } = invocation;
  const wish = readWish(invocation);
  const actor = actorOf(invocation);
  const reason = textOption(options, "reason");
  const made = await withExistingStore(invocation, ({ store }) =>
    // One transaction: no token that the audit log does not know.
    store.transaction(async (trx) => {
      const token = await makeToken(createTokenPort({ db: trx }, clock), wish);
      const details = { ...aboutToken(wish), ...(reason === undefined ? {} : { reason }) };
      const entry = { atMs: clock.nowMs(), actor, action: "token.create", subject: token.id };
      await auditLog.append(trx, { ...entry, details });
      return token;
    }),
  );
  const { id, name, role, token, expiresAt } = made;
  if (globals.json) {
    writeJson(io.stdout, { id, name, role, token, expiresAt });
    return exitCodes.good;
  }
  // Alone, so that a shell can put it where it belongs.
  writeLine(io.stdout, token);
  if (globals.quiet !== true) {
    const until = expiresAt === null ? "until it is revoked" : `until ${expiresAt}`;
    const what = `The token of ${name} has the id ${id}, the role ${role}, and is good ${until}.`;
    writeLine(io.stderr, `${what} It is shown this once and kept nowhere.`);
  }
  return exitCodes.good;
};

/** @throws E_USAGE for what the API would not take either. */
function readWish({ args, options }: Pick<Invocation, "args" | "options">): TokenWish {
  const { role } = options;
  if (role === undefined) throw usageError("token create", "`--role` is missing: what may it do?");
  const expiresIn = textOption(options, "expires");
  const read = tokenWishSchema.safeParse({
    name: args[0],
    role,
    ...(expiresIn === undefined ? {} : { expiresIn }),
  });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = String(issue?.path[0] ?? "");
  throw usageError("token create", `\`${typedAs[field] ?? field}\` ${issue?.message ?? ""}`);
}
