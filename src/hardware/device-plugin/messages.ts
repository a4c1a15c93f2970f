import { DecodedMessage, encodeMessage } from "./grpc/index.ts";

/**
 * The kubelet's device plugin API, version v1beta1: the numbers of its fields.
 * https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/device-plugins/
 */
export const pluginApiVersion = "v1beta1";

export const methods = {
  register: "/v1beta1.Registration/Register",
  options: "/v1beta1.DevicePlugin/GetDevicePluginOptions",
  listAndWatch: "/v1beta1.DevicePlugin/ListAndWatch",
  allocate: "/v1beta1.DevicePlugin/Allocate",
  preStart: "/v1beta1.DevicePlugin/PreStartContainer",
  prefer: "/v1beta1.DevicePlugin/GetPreferredAllocation",
} as const;

/** How the plugin introduces itself to the kubelet. */
export interface Registration {
  /** The name of its socket in the kubelet's folder. */
  readonly endpoint: string;
  /** What pods ask for: `tessera.dev/kmsg`. */
  readonly resource: string;
}

export function registrationRequest({ endpoint, resource }: Registration): Uint8Array {
  const options = encodeMessage({});
  return encodeMessage({ 1: pluginApiVersion, 2: endpoint, 3: resource, 4: options });
}

/** What the kubelet reads of it. */
export function readRegistration(message: Uint8Array): Registration & { readonly version: string } {
  const fields = new DecodedMessage(message);
  return { version: fields.text(1), endpoint: fields.text(2), resource: fields.text(3) };
}

/** Devices are equal; nothing has to happen before a container starts, and none is preferred. */
export function pluginOptions(): Uint8Array {
  return encodeMessage({ 1: false, 2: false });
}

/** All devices with their health. */
export function deviceList(ids: readonly string[], isHealthy: boolean): Uint8Array {
  const health = isHealthy ? "Healthy" : "Unhealthy";
  return encodeMessage({ 1: ids.map((id) => encodeMessage({ 1: id, 2: health })) });
}

/** The ids that each container was given. @throws Error for bytes that are no request */
export function readAllocation(request: Uint8Array): readonly (readonly string[])[] {
  return new DecodedMessage(request)
    .messages(1)
    .map((container) => new DecodedMessage(container).texts(1));
}

/** A device of the node in a container. */
export interface DeviceSpec {
  readonly containerPath: string;
  readonly hostPath: string;
  /** `r`, `w`, `m` (make) or several. */
  readonly permissions: string;
}

/** One device for each container; the same, for there is only one. */
export function allocationAnswer(containers: number, device: DeviceSpec): Uint8Array {
  const { containerPath, hostPath, permissions } = device;
  const spec = encodeMessage({ 1: containerPath, 2: hostPath, 3: permissions });
  const container = encodeMessage({ 3: [spec] });
  return encodeMessage({ 1: Array.from({ length: containers }, () => container) });
}
