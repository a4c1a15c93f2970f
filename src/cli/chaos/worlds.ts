import type { WorldName } from "../../chaos/record/index.ts";
import type { World } from "../../chaos/world.ts";
import { TesseraError } from "../../platform/errors/index.ts";
import type { Invocation } from "../invocation.ts";
import { ownProgram } from "../own-program.ts";

/** Opens a world; each is loaded only when an experiment runs in it. */
export type OpenWorld = (name: WorldName, invocation: Invocation) => Promise<World>;

/** @throws E_WORLD */
export const openWorld: OpenWorld = async (name, { clock, io }) => {
  switch (name) {
    case "sim": {
      const { createSimWorld } = await import("../../chaos/sim/index.ts");
      return createSimWorld();
    }
    case "host": {
      const { createHostWorld } = await import("../../chaos/host/index.ts");
      return createHostWorld({ command: [process.execPath, ownProgram()], clock, env: io.env });
    }
    case "kubernetes":
      throw new TesseraError("E_WORLD", { world: name, problem: "it is not built yet" });
  }
};
