export { isFatalLongForm } from "./as-gpud.ts";
export { decodesLongForm, wantsReset } from "./as-nvsentinel.ts";
export { type Nvlink5Rule, nvlink5Rules } from "./rules.ts";
