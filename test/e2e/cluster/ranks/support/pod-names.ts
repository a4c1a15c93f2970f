import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { Cluster } from "../../../../cluster/fixture.ts";

const headerBytes = 12;
const typeA = 1;
const typeAaaa = 28;
const noSuchName = 3;

/** Answers for the names of pods, which the test cluster itself has no DNS for. */
export interface PodNames {
  /** What makes a pod of a namespace ask here, for its specification. */
  podDns(namespace: string): object;
  close(): void;
}

interface EndpointSlices {
  readonly items: readonly {
    readonly endpoints?: readonly {
      readonly hostname?: string;
      readonly addresses: readonly string[];
    }[];
  }[];
}

/**
 * A name server for `<hostname>.<service>.<namespace>.svc.cluster.local`, on the address at which pods
 * reach this machine. It knows what any cluster's DNS goes by: the endpoints of headless Services.
 */
export async function servePodNames(cluster: Cluster): Promise<PodNames> {
  const socket = createSocket("udp4");
  socket.on("message", (query, { address, port }) => {
    void answerTo(cluster, query).then((answer) => {
      // A query that came just before the end needs no answer any more.
      if (answer !== undefined) socket.send(answer, port, address, () => {});
    });
  });
  socket.bind(53, cluster.hostAddress);
  await once(socket, "listening");
  return {
    podDns: (namespace) => ({
      dnsPolicy: "None",
      dnsConfig: {
        nameservers: [cluster.hostAddress],
        searches: [`${namespace}.svc.cluster.local`],
        options: [{ name: "ndots", value: "5" }],
      },
    }),
    close: () => socket.close(),
  };
}

async function answerTo(cluster: Cluster, query: Buffer): Promise<Buffer | undefined> {
  const { name, type, end } = questionOf(query);
  const addresses = await lookUp(cluster, name).catch(() => undefined);
  // Whoever gets no answer asks again.
  if (addresses === undefined) return undefined;
  const records = type === typeA ? addresses.map(recordOf) : [];
  const header = Buffer.alloc(headerBytes);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8580 + (addresses.length === 0 ? noSuchName : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, query.subarray(headerBytes, end), ...records]);
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1);
  if (type !== typeA && type !== typeAaaa) return { name: "", type, end: at + 5 };
  return { name: labels.join(".").toLowerCase(), type, end: at + 5 };
}

/** An address that may be asked for again at once. */
function recordOf(address: string): Buffer {
  const start = [0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4];
  return Buffer.from([...start, ...address.split(".").map(Number)]);
}

async function lookUp(cluster: Cluster, name: string): Promise<readonly string[]> {
  const [, hostname, service, namespace] =
    /^([^.]+)\.([^.]+)\.([^.]+)\.svc\.cluster\.local$/.exec(name) ?? [];
  if (service === undefined || namespace === undefined) return [];
  const selector = `kubernetes.io/service-name=${service}`;
  const text = await cluster.kubectl([
    "get",
    "endpointslices",
    "-n",
    namespace,
    "-l",
    selector,
    "-o",
    "json",
  ]);
  const { items } = JSON.parse(text) as EndpointSlices;
  return items
    .flatMap(({ endpoints = [] }) => endpoints)
    .filter((endpoint) => endpoint.hostname === hostname)
    .flatMap(({ addresses }) => addresses);
}
