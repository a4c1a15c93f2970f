export { type ControlState, type FaultCodes } from "./control-block.ts";
export {
  type ArmOrder,
  armControl,
  controlPath,
  disarmControl,
  ensureControl,
  readControl,
  renewControl,
} from "./control-file.ts";
export { layShim, shimLibrary } from "./shim-library.ts";
