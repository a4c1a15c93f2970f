export type { DeviceId, NestedDevices } from "./device-list.ts";
export { Mesh } from "./mesh.ts";
export type { MeshOptions, WithoutOptions } from "./mesh-options.ts";
export type { ShapeRule } from "./shape-rules.ts";
export { productOf, showShape } from "./shape-rules.ts";
