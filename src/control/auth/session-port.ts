import { version } from "../../version.ts";
import type { AdminToken } from "../admin-token.ts";
import type { SessionPort } from "../api/routes/session.ts";

/** What the control plane tells a page about whoever opened it. */
export function createSessionPort(options: {
  readonly admin: AdminToken;
  /** Only this machine can connect: reads need no token, and its files are the caller's own. */
  readonly isLocal: boolean;
  readonly acceptsClusterTokens: boolean;
}): SessionPort {
  const { admin, isLocal, acceptsClusterTokens } = options;
  const about = {
    readsNeedToken: !isLocal,
    tokenInShell: isLocal ? tokenInShell(admin) : null,
    version,
    acceptsClusterTokens,
  };
  return {
    session: ({ caller, tokenProblem }) => {
      // A token that is not good is refused everywhere, also where none would be needed.
      const reader = isLocal && tokenProblem === undefined ? anonymousReader : nobody;
      const who = caller === undefined ? reader : { caller: caller.name, role: caller.role };
      return { ...who, tokenProblem: tokenProblem ?? null, ...about };
    },
  };
}

const nobody = { caller: null, role: null };
const anonymousReader = { caller: "anonymous", role: "read" } as const;

/** What a shell puts in the place of the token, so that no page ever has it. */
function tokenInShell(admin: AdminToken): string {
  if (admin.kind === "configured" && admin.source === "TESSERA_TOKEN") return "$TESSERA_TOKEN";
  const path = admin.kind === "configured" ? admin.source : admin.path;
  return `$(cat '${path.replaceAll("'", "'\\''")}')`;
}
