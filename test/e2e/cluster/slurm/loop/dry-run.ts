import { describe, expect, it, onTestFinished } from "vitest";
import { createRig } from "../../validation/contract/rig.ts";
import { doorsOf } from "../support/doors-of.ts";
import type { SlurmGround } from "../support/ground.ts";

/** That nothing is done to nodes before acting is switched on. */
export function describeDryRun(of: () => SlurmGround): void {
  describe("nodes of Slurm while acting is not on", () => {
    it.each(["dry-run", "off"])(
      "are left exactly as they are with %s, closed ones too, and only open ones are tested",
      async (mode) => {
        const { slurm, site } = of();
        const name = `acts-${mode}`;
        const [wish = "", left = "", ...open] = site.nodes;
        await site.close(wish, "tessera:accept new board");
        await site.close(left, `tessera/${name}: probe failed`);
        onTestFinished(async () => {
          for (const node of [wish, left]) await site.open(node);
        });
        const rig = await createRig(site, { name, validation: { act: { mode } } });
        await rig.spoil(open[0] ?? "");
        await rig.untilFree(...open);
        const before = await doorsOf(slurm);
        expect(before.reservations).toContain("No reservations");
        expect(await rig.once()).toBeLessThan(2);
        expect(await doorsOf(slurm)).toEqual(before);
        expect((await rig.runs()).map(({ intent }) => intent.node).toSorted()).toEqual(
          open.toSorted(),
        );
        const postponed = await rig.postponed();
        for (const node of [wish, left]) {
          expect(postponed.get(node)).toContain(
            mode === "off" ? "acting is switched off" : "acting is a dry run",
          );
        }
      },
    );
  });
}
