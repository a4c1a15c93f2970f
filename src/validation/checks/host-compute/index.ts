export { createHostCompute } from "./host-compute.ts";
