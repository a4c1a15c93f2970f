import { b200 } from "../../src/runtime/dist/time-model/calibration/b200.ts";
import { gb200 } from "../../src/runtime/dist/time-model/calibration/gb200.ts";
import { h100 } from "../../src/runtime/dist/time-model/calibration/h100.ts";
import { mi350 } from "../../src/runtime/dist/time-model/calibration/mi350.ts";
import type { DomainModel } from "../../src/runtime/dist/time-model/domain.ts";
import { createIslandModel } from "../../src/runtime/dist/time-model/island.ts";
import { createRackModel } from "../../src/runtime/dist/time-model/rack.ts";
import type { Curve } from "./curves.ts";
import { fitIsland } from "./fit-island.ts";
import { fitRack } from "./fit-rack.ts";

/** One architecture of the source: how it is fitted, and what is shipped for it. */
export interface Architecture {
  readonly name: string;
  /** Constants fitted on these curves. */
  fit(curves: readonly Curve[]): unknown;
  /** The model with constants fitted on these curves. */
  model(curves: readonly Curve[]): DomainModel;
  /** The constants in the source tree. */
  readonly shipped: unknown;
  /** Rate of a device's links, to scale by when another architecture stands in. */
  readonly linkGBps: number;
  /** The architecture that stands in when this one is left out; none is like a mesh. */
  readonly stoodInBy?: string;
}

function island(
  name: string,
  options: Omit<Architecture, "name" | "fit" | "model"> & { readonly kind: "switched" | "mesh" },
): Architecture {
  const { kind, ...rest } = options;
  const fit = (curves: readonly Curve[]) => fitIsland(curves, kind);
  return {
    name,
    ...rest,
    fit,
    model: (curves) => createIslandModel(fit(curves), { kind, bytesMax: 2 ** 31 }),
  };
}

/** Every architecture with measured curves. */
export const architectures: readonly Architecture[] = [
  {
    name: "sm_100_GB200",
    fit: fitRack,
    model: (curves) => createRackModel(fitRack(curves)),
    shipped: gb200,
    linkGBps: 900,
    stoodInBy: "sm_100_B200",
  },
  island("sm_100_B200", {
    kind: "switched",
    shipped: b200,
    linkGBps: 900,
    stoodInBy: "sm_100_GB200",
  }),
  island("sm_90", {
    kind: "switched",
    shipped: h100,
    linkGBps: 450,
    stoodInBy: "sm_100_B200",
  }),
  island("gfx950", { kind: "mesh", shipped: mi350, linkGBps: 537.6 }),
];

/** The model of one architecture with the transfer times of another's links. */
export function standIn(model: DomainModel, transferScale: number): DomainModel {
  return {
    ...model,
    timeOf: (query) => {
      const { timeUs, algorithm } = model.timeOf(query);
      const latencyUs = Math.min(timeUs, model.timeOf({ ...query, bytes: 0 }).timeUs);
      return { algorithm, timeUs: latencyUs + (timeUs - latencyUs) * transferScale };
    },
  };
}
