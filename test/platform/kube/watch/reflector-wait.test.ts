import { describe, expect, it } from "vitest";
import { waitUntil } from "../../../support/wait-until.ts";
import { advanceUntil, node, nodes, setUp } from "../support/reflector-setup.ts";

describe("waiting for a view", () => {
  it("ends when the condition holds", async () => {
    const { api, reflector } = await setUp();
    const waiting = reflector.waitFor((objects) => objects.has("late"), { timeoutMs: 1_000 });
    await waitUntil("it watches", () => api.watchCount === 1);
    api.put(nodes, node("late"));
    await expect(waiting).resolves.toBeUndefined();
  });

  it("does not take a stale view's word for it", async () => {
    const { api, reflector, clock } = await setUp({}, (fake) => fake.put(nodes, node("a")));
    await waitUntil("it watches", () => api.watchCount === 1);
    api.failNext("watch", "stall");
    api.dropWatches();
    await waitUntil("it noticed", () => reflector.freshness.state === "stale");
    let done = false;
    const waiting = reflector.waitFor((objects) => objects.has("a"), { timeoutMs: 600_000 });
    void waiting.then(() => {
      done = true;
    });
    await clock.advance(1_000);
    expect(done).toBe(false);
    await advanceUntil(clock, "it is done", () => done);
  });

  it("ends with E_TIMEOUT when it never does", async () => {
    const { reflector, clock } = await setUp();
    const waiting = reflector.waitFor(() => false, { timeoutMs: 1_000, what: "The node" });
    const outcome = expect(waiting).rejects.toMatchObject({ code: "E_TIMEOUT" });
    await clock.advance(1_001);
    await outcome;
  });

  it("ends with the condition's own error", async () => {
    const { api, reflector } = await setUp();
    await waitUntil("it watches", () => api.watchCount === 1);
    const broken = () => {
      throw new Error("broken condition");
    };
    await expect(reflector.waitFor(broken, { timeoutMs: 1_000 })).rejects.toThrow(
      "broken condition",
    );
  });

  it("ends when the reflector stops, which leaves no timer and no connection", async () => {
    const { api, reflector, clock } = await setUp();
    await waitUntil("it watches", () => api.watchCount === 1);
    const waiting = reflector.waitFor(() => false, { timeoutMs: 1_000_000 });
    const outcome = expect(waiting).rejects.toThrow("stopped");
    await reflector.stop();
    await outcome;
    expect(reflector.freshness.state).toBe("stopped");
    await waitUntil("the watch is closed", () => api.watchCount === 0);
    expect(clock.timersPending).toBe(0);
  });
});
