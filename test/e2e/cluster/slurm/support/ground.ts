import { afterAll, beforeAll } from "vitest";
import { describeSlurm, type Slurm, startSlurm } from "../../../../cluster/slurm/fixture.ts";
import type { Site } from "../../validation/contract/site.ts";
import { createSlurmSite } from "../../validation/contract/slurm-site.ts";

/** A Slurm of four nodes and the way the loop's tests look at it. */
export interface SlurmGround {
  readonly slurm: Slurm;
  readonly site: Site;
}

/** A suite with a Slurm of its own; the ground is there when a test begins. */
export function describeOnSlurm(title: string, suite: (of: () => SlurmGround) => void): void {
  describeSlurm(title, () => {
    let ground: SlurmGround | undefined;
    beforeAll(async () => {
      const slurm = await startSlurm();
      ground = { slurm, site: await createSlurmSite(slurm) };
    });
    afterAll(() => ground?.slurm.stop());
    suite(() => {
      if (ground === undefined) throw new Error("there is no Slurm");
      return ground;
    });
  });
}
