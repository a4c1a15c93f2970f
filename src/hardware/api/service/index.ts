export { carryOut, isOurs } from "./carry-out.ts";
export { createInjector, type Injected, type Injector } from "./inject-fault.ts";
export { releaseSpec } from "./release-spec.ts";
export { revertFault, revertFaults } from "./revert-fault.ts";
export { mayHaveComeLate } from "./take-back-again.ts";
