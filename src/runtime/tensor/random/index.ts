export { fillRandom } from "./fill-random.ts";
export { philoxKeyOf, type RandomSpec } from "./random-spec.ts";
