import { type FaultSpec, inject } from "../../../src/chaos/fault/index.ts";
import { isTesseraError, type TesseraError } from "../../../src/platform/errors/index.ts";
import { tensor } from "../../../src/runtime/dist/index.ts";
import { Mesh } from "../../../src/runtime/dist/mesh/index.ts";
import { allReduce } from "../../../src/runtime/op/index.ts";
import { session } from "../../../src/runtime/profile/index.ts";

export const mesh = new Mesh({ axes: ["dp"], devices: 8 });
export const ones = (where: Mesh) => tensor([16], { mesh: where, fill: 1 });
export const sum = (where: Mesh) => allReduce(ones(where), { op: "sum" }).toTensor().at(0);

export function errorOf(spec: FaultSpec, run: () => unknown): TesseraError | undefined {
  return inject(spec, () => {
    try {
      run();
    } catch (error) {
      if (isTesseraError(error)) return error;
      throw error;
    }
    return undefined;
  });
}

/** The modelled time of everything that happens in it. */
export function timeUs(spec: FaultSpec | undefined, run: () => unknown): number {
  return session((profile) => {
    if (spec === undefined) run();
    else inject(spec, run);
    return profile.records().reduce((all, { timeUs: one }) => all + (one ?? 0), 0);
  });
}
