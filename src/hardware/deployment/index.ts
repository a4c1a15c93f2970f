export {
  hardwareManifestFiles,
  hardwareManifests,
  type ManifestFile,
} from "./hardware-manifests.ts";
export { type HardwareManifestOptions, namespaceDefault } from "./manifest-options.ts";
export {
  type HardwareRight,
  hardwareRights,
  type RightHolder,
  type RightScope,
} from "./rights.ts";
