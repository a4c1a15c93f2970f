import { describe, expect, it } from "vitest";
import { RunNews } from "../../../src/control/validation/run-news.ts";
import { EventHub } from "../../../src/platform/http/index.ts";
import { VirtualClock } from "../../../src/platform/time/virtual-clock.ts";
import type { LoopEvent } from "../../../src/validation/loop/index.ts";

const place = { cluster: "prod", atMs: 1000 };

function event(type: "submitted" | "running", runId: string): LoopEvent {
  const run = { runId, node: "n1", check: "dl-unit", purpose: "routine", jobName: "job" } as const;
  return type === "running" ? { ...place, type, run } : { ...place, type, run, again: false };
}

/** A hub that somebody listens to, unless told otherwise, and what it was given. */
function newsroom(given: { readonly isWatched?: boolean } = {}) {
  const clock = new VirtualClock();
  const hub = new EventHub({ clock });
  if (given.isWatched !== false) hub.subscribe();
  const told: { readonly type: string; readonly data: unknown }[] = [];
  const publish = hub.publish.bind(hub);
  hub.publish = (type, data) => {
    told.push({ type, data });
    publish(type, data);
  };
  return { clock, told, news: new RunNews({ cluster: "prod", hub, clock }) };
}

describe("news of runs", () => {
  it("tell the newest state of each run once, a moment later", async () => {
    const { clock, told, news } = newsroom();
    news.take(event("submitted", "run-1"));
    news.take(event("submitted", "run-2"));
    news.take(event("running", "run-1"));
    expect(told).toEqual([]);
    await clock.advance(500);
    const common = { cluster: "prod", node: "n1", check: "dl-unit" };
    expect(told).toEqual([
      { type: "run.changed", data: { ...common, runId: "run-2", state: "submitted" } },
      { type: "run.changed", data: { ...common, runId: "run-1", state: "running" } },
    ]);
    await clock.advance(5000);
    expect(told).toHaveLength(2);
  });

  it("are the newest fifty where a thousand runs change at once", async () => {
    const { clock, told, news } = newsroom();
    for (let run = 0; run < 1000; run++) news.take(event("running", `run-${run}`));
    await clock.advance(500);
    expect(told).toHaveLength(50);
    expect(told.at(-1)?.data).toMatchObject({ runId: "run-999" });
  });

  it("are not made where nobody watches, of what is no run, and after the end", async () => {
    const unseen = newsroom({ isWatched: false });
    unseen.news.take(event("running", "run-1"));
    await unseen.clock.advance(500);
    expect(unseen.told).toEqual([]);
    const seen = newsroom();
    seen.news.take({ ...place, type: "lost" });
    seen.news.take(event("running", "run-1"));
    seen.news.stop();
    seen.news.take(event("running", "run-2"));
    await seen.clock.advance(500);
    expect(seen.told).toEqual([]);
  });
});
