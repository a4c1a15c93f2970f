import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clearRun } from "../../../../src/chaos/host/cleanup/clear-run.ts";
import { diskSizeOf } from "../../../../src/chaos/host/disk/disk-size.ts";
import { openDisk } from "../../../../src/chaos/host/disk/index.ts";
import { clock } from "../support/host-program.ts";
import { whyNoDisk } from "../support/mounts.ts";
import { atStep, planned, smallPlan } from "../support/small-plan.ts";

const storage = { kind: "storage" } as const;
const full = (freeBytes = 0) =>
  planned("full_storage", storage, { trigger: atStep(3), params: { freeBytes } });
const why = await whyNoDisk();

let base = "";
beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "tessera-open-disk-")));
});
afterAll(() => clearRun({ run: "host-open-disk", folder: base, networkPrefix: null }, clock));
const about = (kind: "auto" | "tmpfs" | "ports") => ({
  run: "host-open-disk",
  folder: base,
  clock,
  kind,
});

describe("where checkpoints of a run lie", () => {
  it("is a folder like any other while nothing fills it", async () => {
    const slow = planned("slow_storage", storage, { trigger: atStep(3) });
    const disk = await openDisk(smallPlan({ faults: [slow] }), about("auto"));
    expect(disk).toEqual({ root: join(base, "checkpoints"), limited: null, notes: [] });
  });

  it.runIf(why === undefined)(
    "is a disk of its own when one is filled, and the run says so",
    async () => {
      const disk = await openDisk(smallPlan({ faults: [full()] }), about("auto"));
      expect(disk.root).toBe(join(base, "disk", "checkpoints"));
      expect(disk.notes.join()).toMatch(/tmpfs of [\d.]+ .*really filled/);
      await disk.limited?.close();
    },
  );

  it("is a folder whose ports refuse when that is asked for, and the run says so", async () => {
    const { limited, notes } = await openDisk(smallPlan({ faults: [full()] }), about("ports"));
    expect(limited).toBeNull();
    expect(notes.join()).toContain("file port");
  });

  it("takes no more of the machine's memory than there may be; who insists is refused", async () => {
    const plan = smallPlan({ faults: [full()], checkpoint: { keep: 1_000_000 } });
    const { limited, notes } = await openDisk(plan, about("auto"));
    expect(limited).toBeNull();
    expect(notes.join()).toMatch(/file port|only root/);
    await expect(openDisk(plan, about("tmpfs"))).rejects.toMatchObject({ code: "E_WORLD" });
  });

  it("has room for what is kept and for what is to stay free", () => {
    fc.assert(
      fc.property(fc.nat(20), fc.nat(2 ** 30), fc.nat(2 ** 30), (keep, one, other) => {
        const faults = [full(one), { ...full(other), id: "other" }];
        const { jobBytes, sizeBytes } = diskSizeOf(smallPlan({ faults, checkpoint: { keep } }));
        const more = diskSizeOf(smallPlan({ faults, checkpoint: { keep: keep + 1 } }));
        expect(sizeBytes - jobBytes).toBe(Math.max(one, other));
        expect(more.jobBytes).toBeGreaterThan(jobBytes);
      }),
    );
  });
});
