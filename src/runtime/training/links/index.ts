/** What a rank's step is connected to: a simulated mesh, real processes, or nobody. */
export { aloneLinks } from "./alone-links.ts";
export { createMeshLinks, placeOf } from "./mesh-links.ts";
export { createShareMemo } from "./share-memo.ts";
export {
  type Place,
  parallelAxes,
  type StepLinks,
} from "./step-links.ts";
export { createWorldLinks } from "./world-links.ts";
