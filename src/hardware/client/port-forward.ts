import { messageOf, TesseraError } from "../../platform/errors/index.ts";
import {
  ProcessStartError,
  type RunningProcess,
  startProcess,
} from "../../platform/process/index.ts";
import { type Clock, withDeadline } from "../../platform/time/index.ts";

export interface PortForwardOptions {
  readonly clock: Clock;
  /** The program. @default "kubectl" */
  readonly kubectl?: string;
  /** Of the installation. @default "tessera-hardware" */
  readonly namespace?: string;
  /** What to forward to. @default "deployment/tessera-fault-api" */
  readonly target?: string;
  /** The port in the pod. @default 8080 */
  readonly remotePort?: number;
  /** @default kubectl's own choice */
  readonly kubeconfig?: string;
  /** @default the current one */
  readonly context?: string;
  /** How long it may take to be ready. @default 15_000 */
  readonly timeoutMs?: number;
  /** Ends it. */
  readonly signal?: AbortSignal;
}

/** A port of this machine that leads to the fault API; gone when its scope ends. */
export interface PortForward extends AsyncDisposable {
  /** `http://127.0.0.1:40123` */
  readonly url: string;
  readonly port: number;
  /**
   * The same address while kubectl lives; for `createFaultClient`, so that a port which has been given
   * to another program gets no token.
   *
   * @throws TesseraError E_HW_API_UNREACHABLE once kubectl has ended
   */
  readonly address: () => string;
}

const defaults = {
  kubectl: "kubectl",
  namespace: "tessera-hardware",
  target: "deployment/tessera-fault-api",
  remotePort: 8080,
  timeoutMs: 15_000,
};

type Settings = PortForwardOptions & typeof defaults;

/**
 * Forwards a free port of the loopback address to the fault API, which listens to nobody else.
 *
 * @throws TesseraError E_HW_API_UNREACHABLE saying what is missing
 */
export async function openPortForward(options: PortForwardOptions): Promise<PortForward> {
  const settings: Settings = { ...defaults, ...options };
  const { clock, kubectl, timeoutMs, signal } = settings;
  const outer = signal === undefined ? {} : { signal };
  const lines: string[] = [];
  let found: (port: number) => void = () => {};
  const ready = new Promise<number>((resolve) => {
    found = resolve;
  });
  const onLine = (line: string) => {
    const port = forwardedPort(line);
    if (port !== undefined) found(port);
    lines.push(line);
    if (lines.length > 20) lines.shift();
  };
  let child: RunningProcess;
  try {
    child = await startProcess(kubectl, argumentsOf(settings), { clock, onLine, ...outer });
  } catch (error) {
    throw notStarted(error, settings);
  }
  let isAlive = true;
  const ended = child.exited.then(() => {
    isAlive = false;
    throw failed(settings, lines.at(-1) ?? "kubectl ended without a word");
  });
  ended.catch(() => undefined);
  try {
    const what = "The port-forward to the fault API";
    const port = await withDeadline({ clock, timeoutMs, what, ...outer }, () =>
      Promise.race([ready, ended]),
    );
    const url = `http://127.0.0.1:${port}`;
    return {
      port,
      url,
      address: () => {
        if (isAlive) return url;
        throw failed(settings, `kubectl has ended (${lines.at(-1) ?? ""})`, { ended: true });
      },
      [Symbol.asyncDispose]: async () => {
        isAlive = false;
        await child.stop();
      },
    };
  } catch (error) {
    await child.stop();
    signal?.throwIfAborted();
    if (error instanceof TesseraError && error.code === "E_HW_API_UNREACHABLE") throw error;
    throw failed(settings, messageOf(error), { cause: error });
  }
}

/** The port in `Forwarding from 127.0.0.1:40123 -> 8080`. */
export function forwardedPort(line: string): number | undefined {
  const port = Number(/^Forwarding from 127\.0\.0\.1:(\d{1,5}) -> \d+/.exec(line)?.[1]);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

function argumentsOf(settings: Settings): readonly string[] {
  const { kubeconfig, context, namespace, target, remotePort } = settings;
  return [
    ...(kubeconfig === undefined ? [] : [`--kubeconfig=${kubeconfig}`]),
    ...(context === undefined ? [] : [`--context=${context}`]),
    "port-forward",
    `--namespace=${namespace}`,
    "--address=127.0.0.1",
    target,
    `:${remotePort}`,
  ];
}

function notStarted(error: unknown, settings: Settings): unknown {
  if (!(error instanceof ProcessStartError)) return error;
  return failed(settings, `${settings.kubectl} could not be started (${error.message})`, {
    cause: error,
  });
}

function failed(
  { namespace, target }: typeof defaults,
  problem: string,
  { cause, ended }: { readonly cause?: unknown; readonly ended?: boolean } = {},
): TesseraError {
  return new TesseraError(
    "E_HW_API_UNREACHABLE",
    {
      where: `${target} in namespace ${namespace}`,
      problem: problem.replace(/\.$/, ""),
      // Nothing comes of trying again.
      ...(ended === true ? { ended } : {}),
    },
    {
      cause,
      hint: "Without --api-url the port is forwarded by kubectl, which must be installed and allowed to. `tessera fault-api` can also run on this machine.",
    },
  );
}
