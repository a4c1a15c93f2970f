import { lstat, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, TesseraError } from "../../platform/errors/index.ts";
import type { Logger } from "../../platform/log/index.ts";
import { type Clock, sleep } from "../../platform/time/index.ts";
import { callGrpc } from "./grpc/index.ts";
import { methods, registrationRequest } from "./messages.ts";
import { type PluginServer, startPluginServer } from "./plugin-server.ts";

/** What pods ask for to get the kernel log. */
export const kmsgResource = "tessera.dev/kmsg";

/** Where they find it. */
export const kmsgContainerPath = "/dev/kmsg";

export interface KmsgDeviceOptions {
  /** Where the kubelet listens for plugins: `/var/lib/kubelet/device-plugins`. */
  readonly folder: string;
  /** How many containers of a node may have it at once. */
  readonly devices: number;
  /** The device on the node: `/dev/kmsg`. */
  readonly path: string;
  readonly clock: Clock;
  readonly log: Pick<Logger, "info" | "warn">;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** How often the kubelet's socket and the device are looked at. @default 1000 */
  readonly intervalMs?: number;
}

const pluginSocket = "tessera-kmsg.sock";
const kubeletSocket = "kubelet.sock";
const registerTimeoutMs = 5_000;

/**
 * Offers the kernel log of this node to pods as a device, so that the agent needs no privileged
 * container. Runs until the signal aborts. The kubelet forgets plugins when it restarts, and clears
 * the folder: then the plugin listens and registers anew.
 *
 * @throws E_HW_FAILED where it cannot listen in that folder
 */
export async function runKmsgDevice(options: KmsgDeviceOptions): Promise<void> {
  const { clock, signal, intervalMs = 1_000 } = options;
  const plugin = new KmsgPlugin(options);
  try {
    while (!signal.aborted) {
      await plugin.look();
      await sleep(clock, intervalMs, signal).catch(() => undefined);
    }
  } finally {
    await plugin.close();
  }
}

class KmsgPlugin {
  readonly #options: KmsgDeviceOptions;
  #server: PluginServer | undefined;
  /** Of our own socket and of the kubelet's, by what the file system calls them. */
  #ownSocket: string | undefined;
  #registeredWith: string | undefined;
  #wasHealthy: boolean | undefined;
  #lastProblem: string | undefined;

  constructor(options: KmsgDeviceOptions) {
    this.#options = options;
  }

  async look(): Promise<void> {
    const { folder, path, log } = this.#options;
    const isHealthy = await isDevice(path);
    if (isHealthy !== this.#wasHealthy) {
      if (isHealthy) log.info({ path }, "the device is there");
      else log.warn({ path }, "the device is gone, or no character device");
    }
    this.#wasHealthy = isHealthy;
    this.#server?.setHealth(isHealthy);
    const own = await identityOf(this.#socketPath);
    if (this.#server === undefined || own !== this.#ownSocket) await this.#listen(isHealthy);
    const kubelet = await identityOf(join(folder, kubeletSocket));
    if (kubelet !== undefined && kubelet !== this.#registeredWith) await this.#register(kubelet);
  }

  async close(): Promise<void> {
    await this.#server?.close();
    this.#server = undefined;
  }

  get #socketPath(): string {
    return join(this.#options.folder, pluginSocket);
  }

  async #listen(isHealthy: boolean): Promise<void> {
    const { devices, path } = this.#options;
    await this.close();
    this.#registeredWith = undefined;
    try {
      // What another life of this plugin left.
      await rm(this.#socketPath, { force: true });
      this.#server = await startPluginServer({
        socketPath: this.#socketPath,
        ids: Array.from({ length: devices }, (_, index) => `kmsg-${index}`),
        device: { containerPath: kmsgContainerPath, hostPath: path, permissions: "rw" },
        isHealthy,
      });
    } catch (error) {
      const details = { what: `Listening on ${this.#socketPath}`, problem: messageOf(error) };
      throw new TesseraError("E_HW_FAILED", details, { cause: error });
    }
    this.#ownSocket = await identityOf(this.#socketPath);
  }

  /** A kubelet that is starting refuses at first; the next look tries again. */
  async #register(kubelet: string): Promise<void> {
    const { folder, clock, signal, log } = this.#options;
    try {
      await callGrpc({
        socketPath: join(folder, kubeletSocket),
        method: methods.register,
        request: registrationRequest({ endpoint: pluginSocket, resource: kmsgResource }),
        clock,
        timeoutMs: registerTimeoutMs,
        signal,
      });
    } catch (error) {
      const problem = messageOf(error);
      if (!signal.aborted && problem !== this.#lastProblem) {
        log.warn({ problem }, "the kubelet did not take the plugin yet");
      }
      this.#lastProblem = problem;
      return;
    }
    this.#registeredWith = kubelet;
    this.#lastProblem = undefined;
    log.info({ resource: kmsgResource }, "registered with the kubelet");
  }
}

/** What tells a file from one made later under the same name. */
async function identityOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino, birthtimeMs } = await lstat(path);
    return `${dev}:${ino}:${birthtimeMs}`;
  } catch {
    return undefined;
  }
}

async function isDevice(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isCharacterDevice();
  } catch {
    return false;
  }
}
