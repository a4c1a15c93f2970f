import { encodeMessage, type GrpcServer, startGrpcServer } from "./grpc/index.ts";
import {
  allocationAnswer,
  type DeviceSpec,
  deviceList,
  methods,
  pluginOptions,
  readAllocation,
} from "./messages.ts";

export interface PluginServerOptions {
  readonly socketPath: string;
  readonly ids: readonly string[];
  readonly device: DeviceSpec;
  readonly isHealthy: boolean;
}

/** The side of the plugin that the kubelet calls. */
export interface PluginServer extends GrpcServer {
  /** Tells the kubelet when the health of the device changed. */
  setHealth(isHealthy: boolean): void;
}

/** Answers the kubelet: which devices there are, and what a container with one of them gets. */
export async function startPluginServer(options: PluginServerOptions): Promise<PluginServer> {
  const { socketPath, ids, device } = options;
  const known = new Set(ids);
  const watchers = new Set<(list: Uint8Array) => void>();
  let { isHealthy } = options;
  const nothing = () => encodeMessage({});
  const server = await startGrpcServer({
    socketPath,
    unary: {
      [methods.options]: pluginOptions,
      [methods.preStart]: nothing,
      [methods.prefer]: nothing,
      [methods.allocate]: (request) => {
        const containers = readAllocation(request);
        const strange = containers.flat().find((id) => !known.has(id));
        if (strange !== undefined) throw new Error(`there is no device ${strange}`);
        return allocationAnswer(containers.length, device);
      },
    },
    streams: {
      [methods.listAndWatch]: (_request, send) => {
        watchers.add(send);
        send(deviceList(ids, isHealthy));
        return () => watchers.delete(send);
      },
    },
  });
  return {
    close: () => server.close(),
    setHealth: (now) => {
      if (now === isHealthy) return;
      isHealthy = now;
      for (const send of watchers) send(deviceList(ids, isHealthy));
    },
  };
}
