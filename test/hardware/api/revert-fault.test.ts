import { describe, expect, it } from "vitest";
import { revertFaults } from "../../../src/hardware/api/service/index.ts";
import type { HardwareFault } from "../../../src/hardware/objects/index.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import { fault, xidAction } from "../guard/support.ts";

const count = 40;
const faults = Array.from({ length: count }, (_, at) => fault(xidAction(), { name: `f${at}` }));

/** A book and a reaper that write down what they are asked; none of the faults ever ends. */
function world(failing: readonly string[] = []) {
  const clock = new VirtualClock();
  const said: string[] = [];
  const byName = async (name: string): Promise<HardwareFault> => fault(xidAction(), { name });
  const book = {
    end: async (name: string) => {
      said.push(`end ${name}`);
      if (failing.includes(name)) throw new Error(`no end of ${name}`);
      return byName(name);
    },
    get: byName,
  };
  const reaper = {
    revert: (name: string) => {
      said.push(`revert ${name}`);
      return new Promise<HardwareFault>(() => {});
    },
  };
  return { clock, said, ports: { book, reaper, clock } };
}

describe("taking several faults back", () => {
  it("ends all of them before it waits for any, and waits 25 s for all together", async () => {
    const { clock, said, ports } = world();
    let found: readonly HardwareFault[] | undefined;
    const done = revertFaults(ports, faults).then((value) => {
      found = value;
    });
    await clock.advance(24_999);
    const ends = said.filter((text) => text.startsWith("end "));
    expect(said.slice(0, count)).toEqual(ends);
    expect(new Set(ends).size).toBe(count);
    expect(found).toBeUndefined();
    await clock.advance(1);
    await done;
    expect(found?.map(({ metadata }) => metadata.name)).toEqual(
      faults.map(({ metadata }) => metadata.name),
    );
  });

  it("ends the others when one cannot be, and tells of it", async () => {
    const { clock, said, ports } = world(["f3"]);
    const refused = expect(revertFaults(ports, faults)).rejects.toThrow("no end of f3");
    await clock.advance(25_000);
    await refused;
    expect(said.filter((text) => text.startsWith("end "))).toHaveLength(count);
  });
});
