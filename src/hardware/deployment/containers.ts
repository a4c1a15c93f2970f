/** Of each container: the file system cannot be written, nothing can be gained, no capability is left. */
export const lockedDown = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ["ALL"] },
} as const;

export const seccomp = { seccompProfile: { type: "RuntimeDefault" } } as const;

/** Where the image has Node and Tessera. */
export const program = ["/usr/local/bin/node", "/app/tessera.mjs"] as const;

/** Something must be writable for a program that wants a temporary file. */
export const temporary = {
  volume: { name: "tmp", emptyDir: { sizeLimit: "64Mi" } },
  mount: { name: "tmp", mountPath: "/tmp" },
} as const;

/** A file or folder of the node in a container, at the same path. */
export function hostPath(name: string, path: string, type: string) {
  return {
    volume: { name, hostPath: { path, type } },
    mount: { name, mountPath: path },
  };
}

/** What a container may use; a request is what it usually does. */
export function resourcesOf(options: {
  readonly cpu: string;
  readonly memory: string;
  readonly cpuMax: string;
  readonly memoryMax: string;
  readonly devices?: Readonly<Record<string, string>>;
}) {
  const { cpu, memory, cpuMax, memoryMax, devices = {} } = options;
  return {
    requests: { cpu, memory, ...devices },
    limits: { cpu: cpuMax, memory: memoryMax, ...devices },
  };
}

/** Asks a program about its health from inside its container: it listens on loopback alone. */
export function healthProbe(port: number, periodSeconds: number) {
  const url = `http://127.0.0.1:${port}/healthz`;
  const script = `fetch("${url}").then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))`;
  return {
    exec: { command: [program[0], "-e", script] },
    periodSeconds,
    timeoutSeconds: 10,
    failureThreshold: 3,
  };
}
