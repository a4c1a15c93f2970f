import { expect, it } from "vitest";
import type { Caller, TokenProblem } from "../../../../src/platform/http/auth/caller.ts";
import { GuessGuard } from "../../../../src/platform/http/auth/guess-guard.ts";
import { RateLimiter } from "../../../../src/platform/http/rate-limit/rate-limiter.ts";
import { VirtualClock } from "../../../../src/platform/time/index.ts";

const rate = { perSecond: 0.01, burst: 3 };
const limits = { reads: rate, changes: rate, "failed-tokens": rate };

/** Answers when it is let. */
function slowGuard() {
  let asked = 0;
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const identify = async (secret: string): Promise<Caller | TokenProblem> => {
    asked++;
    await gate;
    if (secret.startsWith("away")) throw new Error("nobody can tell");
    return secret.startsWith("good") ? { name: secret, role: "read" } : "unknown";
  };
  const limiter = new RateLimiter({ clock: new VirtualClock(), limits });
  const guard = new GuessGuard({ authenticator: { identify }, limiter });
  return { guard, open: () => open(), asked: () => asked };
}

async function outcomes(calls: readonly Promise<Caller | TokenProblem>[]) {
  return (await Promise.allSettled(calls)).map((one) =>
    one.status === "rejected" ? "refused" : typeof one.value === "string" ? one.value : "known",
  );
}

it("many guesses at once are looked up no more often than many in a row", async () => {
  const { guard, open, asked } = slowGuard();
  const calls = Array.from({ length: 10 }, (_, at) => guard.identify(`guess-${at}`, "here"));
  open();
  const found = await outcomes(calls);
  expect(asked()).toBe(3);
  expect(found.filter((one) => one === "refused")).toHaveLength(7);
});

it("a page that asks for many things at once with one good token is let in every time", async () => {
  const { guard, open } = slowGuard();
  const calls = Array.from({ length: 10 }, () => guard.identify("good", "here"));
  open();
  expect(new Set(await outcomes(calls))).toEqual(new Set(["known"]));
});

it("good tokens and those that nobody can judge use nothing up", async () => {
  const { guard, open } = slowGuard();
  open();
  for (let at = 0; at < 10; at++) {
    expect(await outcomes([guard.identify(`good-${at}`, "here")])).toEqual(["known"]);
    await expect(guard.identify(`away-${at}`, "here")).rejects.toThrow("nobody can tell");
  }
  expect(await outcomes([guard.identify("guess", "here")])).toEqual(["unknown"]);
});

it("a token that was good before is asked for once by many at once", async () => {
  const { guard, open, asked } = slowGuard();
  open();
  await guard.identify("good", "here");
  const again = Array.from({ length: 10 }, () => guard.identify("good", "here"));
  expect(new Set(await outcomes(again))).toEqual(new Set(["known"]));
  expect(asked()).toBe(2);
});

it("a token that is cheap to look up is let in where strangers have used up everything", async () => {
  const limiter = new RateLimiter({ clock: new VirtualClock(), limits });
  const ours: Caller = { name: "ours", role: "read" };
  const authenticator = {
    identify: async (secret: string) => (secret === "ours" ? ours : ("unknown" as const)),
    identifyCheaply: async (secret: string) => (secret === "ours" ? ours : undefined),
  };
  const guard = new GuessGuard({ authenticator, limiter });
  const guesses = Array.from({ length: 10 }, (_, at) => guard.identify(`guess-${at}`, "here"));
  expect((await outcomes(guesses)).filter((one) => one === "refused")).toHaveLength(7);
  expect(await guard.identify("ours", "here")).toEqual(ours);
  await expect(guard.identify("dear", "here")).rejects.toMatchObject({ code: "E_RATE_LIMITED" });
});
