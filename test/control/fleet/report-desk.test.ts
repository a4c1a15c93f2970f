import { describe, expect, it } from "vitest";
import { ReportDesk } from "../../../src/control/fleet/report-desk.ts";
import { settle } from "../../../src/platform/time/settle.ts";
import { VirtualClock } from "../../../src/platform/time/virtual-clock.ts";

/** A desk whose reports are finished by the test, and what was begun at it. */
function newDesk() {
  const clock = new VirtualClock();
  const desk = new ReportDesk<string>(clock, (text) => text.length);
  const begun: { readonly key: string; readonly signal: AbortSignal; end(text: string): void }[] =
    [];
  const ask = (key: string, signal: AbortSignal = new AbortController().signal) =>
    desk.get(
      key,
      (own) =>
        new Promise((resolve, reject) => {
          begun.push({ key, signal: own, end: resolve });
          own.addEventListener("abort", () => reject(own.reason));
        }),
      signal,
    );
  return { clock, ask, begun };
}

describe("the desk that makes reports", () => {
  it("makes one report at a time, the next when the first is done", async () => {
    const { ask, begun } = newDesk();
    const both = [ask("a"), ask("b")];
    await settle();
    expect(begun.map(({ key }) => key)).toEqual(["a"]);
    begun[0]?.end("A");
    await settle();
    expect(begun.map(({ key }) => key)).toEqual(["a", "b"]);
    begun[1]?.end("B");
    expect(await Promise.all(both)).toEqual(["A", "B"]);
  });

  it("gives one report to all who ask for the same, until it is too old", async () => {
    const { ask, begun, clock } = newDesk();
    const both = [ask("a"), ask("a")];
    await settle();
    begun[0]?.end("A");
    expect(await Promise.all(both)).toEqual(["A", "A"]);
    expect(await ask("a")).toBe("A");
    expect(begun).toHaveLength(1);
    await clock.advance(15_000);
    void ask("a");
    await settle();
    expect(begun).toHaveLength(2);
  });

  it("answers that it is busy when too many wait, and takes more once they are done", async () => {
    const { ask, begun } = newDesk();
    const waiting = ["a", "b", "c", "d", "e"].map((key) => ask(key));
    await settle();
    await expect(ask("f")).rejects.toMatchObject({ code: "E_BUSY" });
    for (let at = 0; at < waiting.length; at++) {
      begun[at]?.end("done");
      await settle();
    }
    await Promise.all(waiting);
    const last = ask("f");
    await settle();
    begun[5]?.end("F");
    expect(await last).toBe("F");
  });

  it("gives up what nobody waits for, and goes on while one of several does", async () => {
    const { ask, begun } = newDesk();
    const leave = new AbortController();
    const left = ask("a", leave.signal).catch((error: unknown) => error);
    const stays = ask("a");
    await settle();
    leave.abort(new Error("told in time that there is no answer"));
    expect(await left).toEqual(new Error("told in time that there is no answer"));
    expect(begun[0]?.signal.aborted).toBe(false);
    begun[0]?.end("A");
    expect(await stays).toBe("A");
    const alone = new AbortController();
    const given = ask("b", alone.signal).catch(() => "left");
    await settle();
    alone.abort();
    expect(await given).toBe("left");
    await settle();
    expect(begun[1]?.signal.aborted).toBe(true);
  });

  it("keeps no failure: the next one asks anew", async () => {
    const { clock } = newDesk();
    const desk = new ReportDesk<string>(clock, (text) => text.length);
    const { signal } = new AbortController();
    const fails = desk.get("a", async () => Promise.reject(new Error("no store")), signal);
    await expect(fails).rejects.toThrow("no store");
    expect(await desk.get("a", async () => "A", signal)).toBe("A");
  });
});
