import { type Caller, defineRoute, type Route } from "../../../platform/http/index.ts";
import { type SessionView, sessionSchema } from "../session.ts";

/** The session as the API sees it. */
export interface SessionPort {
  /** `caller` is undefined for strangers. */
  session(found: {
    readonly caller: Caller | undefined;
    readonly tokenProblem: string | undefined;
  }): SessionView;
}

export function sessionRoutes(port: SessionPort): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/session",
      summary: "Who calls and what they may do. A token that is not good is told, not refused.",
      access: "open",
      asksWho: true,
      responses: { description: "The session.", schema: sessionSchema },
      handle: ({ caller, token }) => ({
        json: port.session({
          caller: token === "good" ? caller : undefined,
          tokenProblem: typeof token === "object" ? token.problem : undefined,
        }),
      }),
    }),
  ];
}
