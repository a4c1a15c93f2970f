import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parseExperiment, resolveExperiment } from "../../../src/chaos/experiment/index.ts";
import type { InjectionRecord } from "../../../src/chaos/record/index.ts";
import { createSimWorld } from "../../../src/chaos/sim/index.ts";
import type { InjectionMoment } from "../../../src/chaos/world.ts";

const { signal } = new AbortController();

async function planOf(name: string) {
  const file = `examples/chaos/${name}.yaml`;
  return resolveExperiment(parseExperiment(await readFile(file, "utf8"), file));
}

describe.each(["kill-gpu", "latency", "partition-group", "disk-full"])("who watches %s", (name) => {
  it("hears of each fault what the record says at the end, in order", async () => {
    const told = new Map<string, InjectionRecord>();
    const moments: [InjectionMoment, number | null][] = [];
    const record = await createSimWorld().run(await planOf(name), {
      signal,
      onInjection: (moment, injection) => {
        told.set(injection.id, injection);
        const { injectedUs, effectUs, revertedUs } = injection;
        moments.push([
          moment,
          { injected: injectedUs, effect: effectUs, reverted: revertedUs }[moment],
        ]);
      },
    });
    expect([...told.values()]).toEqual(record.injections.filter((one) => one.injectedUs !== null));
    const times = moments.map(([, atUs]) => atUs ?? -1);
    expect(times.toSorted((a, b) => a - b)).toEqual(times);
    expect(moments[0]?.[0]).toBe("injected");
  });

  it("changes nothing of it", async () => {
    const plan = await planOf(name);
    const watched = await createSimWorld().run(plan, { signal, onInjection: () => {} });
    const alone = await createSimWorld().run(plan, { signal });
    expect(watched.traceHash).toBe(alone.traceHash);
  });
});
