import type { WorldName } from "../../chaos/record/index.ts";
import type { World } from "../../chaos/world.ts";
import type { Invocation } from "../invocation.ts";
import { ownProgram } from "../own-program.ts";

/** Opens a world; each is loaded only when an experiment runs in it. */
export type OpenWorld = (name: WorldName, invocation: Invocation) => Promise<World>;

export const openWorld: OpenWorld = async (name, invocation) => {
  const { clock, io } = invocation;
  switch (name) {
    case "sim": {
      const { createSimWorld } = await import("../../chaos/sim/index.ts");
      return createSimWorld();
    }
    case "host": {
      const { createHostWorld } = await import("../../chaos/host/index.ts");
      return createHostWorld({ command: [process.execPath, ownProgram()], clock, env: io.env });
    }
    case "kubernetes": {
      const { openKubernetesWorld } = await import("./kubernetes-world.ts");
      return await openKubernetesWorld(invocation);
    }
    case "slurm": {
      const { openSlurmWorld } = await import("./slurm-world.ts");
      return await openSlurmWorld(invocation);
    }
  }
};
