import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { HeatMapView } from "../../src/control/api/nodes.ts";
import type { SessionView } from "../../src/control/api/session.ts";
import type { RngStream } from "../../src/platform/rng/index.ts";

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** A made-up fleet: 32 nodes a rack, most of them well. */
export function madeUpFleet(nodes: number, random: RngStream): HeatMapView {
  const checks = ["host-compute", "dl-unit", "nccl-loopback", "storage-io"];
  const perRack = 32;
  const racks = Math.ceil(nodes / perRack);
  const all = Array.from({ length: nodes }, (_, node) => node);
  // A letter twenty times in this text comes twenty times as often.
  const letters = `${"p".repeat(60)}PPPwwsfuU-`;
  const cells = checks.map(() =>
    all.map(() => letters.charAt(random.int(letters.length))).join(""),
  );
  return {
    cluster: "bench",
    provenance: "simulated",
    at: "2026-03-01T09:30:00.000Z",
    checks,
    names: all.map((node) => `gpu-${String(node).padStart(5, "0")}`),
    racks: Array.from({ length: racks }, (_, rack) => `rack-${String(rack).padStart(3, "0")}`),
    rackOf: all.map((node) => Math.floor(node / perRack)),
    skus: ["h100-sxm"],
    skuOf: all.map(() => 0),
    uses: "f".repeat(nodes),
    closed: "-".repeat(nodes),
    standings: cells[0] ?? "",
    cells,
  };
}

export interface CannedPlane extends AsyncDisposable {
  readonly url: string;
  /** Other results come in for every twentieth node, and whoever listens is told. */
  change(): void;
}

/** The fleet after some nodes were tested again. */
function changed(fleet: HeatMapView, round: number): HeatMapView {
  const letters = "pwsf";
  const letter = letters.charAt(round % letters.length);
  const cells = fleet.cells.map((text) =>
    text.replace(/./g, (one, node: number) => (node % 20 === round % 20 ? letter : one)),
  );
  return { ...fleet, cells, standings: cells[0] ?? "" };
}

/** Serves the built dashboard and one fleet: what is measured is the browser, not the server. */
export async function startCannedPlane(webDir: string, fleet: HeatMapView): Promise<CannedPlane> {
  const session: SessionView = {
    caller: null,
    role: null,
    readsNeedToken: false,
    tokenProblem: null,
    tokenInShell: null,
    version: "bench",
    acceptsClusterTokens: false,
  };
  const heatMapPath = "/api/v1/clusters/bench/heatmap";
  const answers: Record<string, string> = {
    "/api/v1/session": JSON.stringify(session),
    [heatMapPath]: JSON.stringify(fleet),
  };
  const listeners = new Set<ServerResponse>();
  let shown = fleet;
  let round = 0;
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    const canned = answers[path];
    if (path === "/api/v1/events") {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": here\n\n");
      listeners.add(response);
      response.on("close", () => listeners.delete(response));
    } else if (canned !== undefined) {
      response.writeHead(200, { "content-type": "application/json" }).end(canned);
    } else if (path.startsWith("/api/")) {
      response.writeHead(404, { "content-type": "application/json" }).end("{}");
    } else {
      const name = extname(path) === "" ? "index.html" : path.slice(1);
      void readFile(join(webDir, name)).then(
        (body) =>
          response.writeHead(200, { "content-type": contentTypes[extname(name)] }).end(body),
        () => response.writeHead(404).end(),
      );
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    change: () => {
      shown = changed(shown, round++);
      answers[heatMapPath] = JSON.stringify(shown);
      const event = `id: ${round}\nevent: validation.changed\ndata: {"cluster":"bench"}\n\n`;
      for (const listener of listeners) listener.write(event);
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
