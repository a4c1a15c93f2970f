export { BlasEngine, blasOf, type ProductOperands, type ProductPlan } from "./engine.ts";
export type { ProductSpec } from "./product.ts";
