export {
  type KmsgDeviceOptions,
  kmsgContainerPath,
  kmsgResource,
  runKmsgDevice,
} from "./kmsg-device.ts";
