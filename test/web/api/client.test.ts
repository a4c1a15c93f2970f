import { afterEach, describe, expect, it, vi } from "vitest";
import { apiGet, forgetAll, forgetPerson, lastKnown } from "../../../web/src/api/client.ts";
import { connection, sayLost, stopListening } from "../../../web/src/api/live.ts";
import { departures, session, signOut } from "../../../web/src/api/session.ts";
import { token } from "../../../web/src/api/token.ts";

function serve(answer: (init: RequestInit) => Promise<Response>): void {
  vi.stubGlobal("fetch", (_url: string, init: RequestInit) => answer(init));
}

/** Answers only when told to, or fails when the caller gives up. */
function hanging(): { answer(body: unknown): void } {
  let give: (answer: Response) => void = () => {};
  serve(
    (init) =>
      new Promise((resolve, reject) => {
        give = resolve;
        init.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      }),
  );
  return { answer: (body) => give(Response.json(body)) };
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  forgetAll();
  stopListening();
});

describe("a question to the server", () => {
  it("becomes a problem when no answer comes in time", async () => {
    hanging();
    const end = new AbortController();
    vi.spyOn(AbortSignal, "timeout").mockReturnValue(end.signal);
    const asked = apiGet("overview");
    end.abort(new DOMException("too late", "TimeoutError"));
    await expect(asked).rejects.toMatchObject({ code: "E_TOO_LATE", status: 0 });
  });

  it("ends without a problem of its own when nobody waits any more", async () => {
    hanging();
    const end = new AbortController();
    const asked = apiGet("overview", undefined, { signal: end.signal });
    end.abort();
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
  });

  it("says that something else answered when a page comes instead of data", async () => {
    serve(async () => new Response("<html>sign in</html>"));
    await expect(apiGet("overview")).rejects.toMatchObject({ code: "E_NOT_OURS" });
  });

  it("keeps what is asked for again, and nothing of what is asked for once", async () => {
    serve(async () => Response.json({ good: true }));
    await apiGet("overview");
    await apiGet("runs/1/log", undefined, { isKept: false });
    expect(lastKnown("overview")?.body).toEqual({ good: true });
    expect(lastKnown("runs/1/log")).toBeUndefined();
  });
});

describe("when the person changes", () => {
  it("what the one before asked for is neither given nor kept", async () => {
    const server = hanging();
    const asked = apiGet("overview");
    forgetPerson();
    server.answer({ secret: true });
    await expect(asked).rejects.toMatchObject({ code: "E_OTHER_PERSON" });
    expect(lastKnown("overview")).toBeUndefined();
  });

  it("what is merely forgotten still arrives", async () => {
    const server = hanging();
    const asked = apiGet("overview");
    forgetAll();
    server.answer({ good: true });
    await expect(asked).resolves.toEqual({ good: true });
  });

  it("signing out works with the server gone: token, person and answers are no longer there", async () => {
    serve(async () => Response.json({ good: true }));
    await apiGet("overview");
    token.value = "secret";
    const before = departures.value;
    serve(() => Promise.reject(new TypeError("gone")));
    await signOut();
    expect(token.value).toBeUndefined();
    expect(session.value).toBeUndefined();
    expect(lastKnown("overview")).toBeUndefined();
    expect(departures.value).toBe(before + 1);
    expect(connection.value.state).toBe("lost");
  });
});

describe("the line to the server", () => {
  it("is off while nobody listens, which is not lost", () => {
    sayLost();
    expect(connection.value.state).toBe("lost");
    stopListening();
    expect(connection.value.state).toBe("off");
  });
});
