import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SessionView } from "../../../src/control/api/session.ts";
import { apiGet, forgetAll } from "../../../web/src/api/client.ts";
import { stopListening } from "../../../web/src/api/live.ts";
import { session, signIn } from "../../../web/src/api/session.ts";
import { keepToken, token } from "../../../web/src/api/token.ts";

const reader = { role: "read", readsNeedToken: true, tokenProblem: null } as SessionView;

/** A server that knows two tokens, and remembers which were sent with what. */
function serve(): readonly string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    // The stream of events says nothing in a test as short as this.
    if (url.includes("/events")) return await new Promise<Response>(() => {});
    const sent = new Headers(init.headers).get("authorization") ?? "nobody";
    asked.push(`${url} ${sent}`);
    const isKnown = /old|right/.test(sent);
    const view = isKnown ? reader : { ...reader, role: null, tokenProblem: "unknown" };
    return Response.json(view);
  });
  return asked;
}

beforeEach(() => {
  keepToken("old");
  session.value = reader;
});
afterEach(() => {
  stopListening();
  vi.unstubAllGlobals();
  forgetAll();
  keepToken(undefined);
  session.value = undefined;
});

describe("signing in", () => {
  it("with a wrong token says so, and whatever else is asked meanwhile is asked as before", async () => {
    const asked = serve();
    const [said] = await Promise.all([signIn("wrong"), apiGet("overview")]);
    expect(said).toBe("The token is unknown.");
    expect(asked).toContain("/api/v1/session Bearer wrong");
    expect(asked).toContain("/api/v1/overview Bearer old");
    expect(token.value).toBe("old");
    expect(session.value).toBe(reader);
  });

  it("with a right one keeps it, and all that follows is asked with it", async () => {
    const asked = serve();
    expect(await signIn(" right ")).toBeUndefined();
    expect(token.value).toBe("right");
    await apiGet("overview");
    expect(asked.at(-1)).toBe("/api/v1/overview Bearer right");
  });
});
