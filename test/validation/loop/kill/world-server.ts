import { mkdir, rename, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { RngStream } from "../../../../src/platform/rng/index.ts";
import { createRealClock, sleep } from "../../../../src/platform/time/index.ts";
import type { JobRequest, JobView } from "../../../../src/validation/clusters/cluster.ts";
import { encodeResult, runPaths } from "../../../../src/validation/collect/index.ts";

const clock = createRealClock();
/** Longer than the pending timeout and than a loop may stand still on a busy disk, as jobs' time to live must be. */
const keptMs = 30_000;

/** A cluster that lives on while its loops are killed: nodes, jobs, pods that hand in. */
export class WorldServer {
  /** How often a job was created for each run. */
  readonly created = new Map<string, number>();
  /** Runs whose pods know that their result arrived, by POST or on the volume. */
  readonly handedIn = new Set<string>();
  activeMax = 0;
  perNodeMax = 0;
  /** While this is so, loops plan new runs. */
  plans = true;
  readonly #jobs = new Map<string, JobView>();
  readonly #rng: RngStream;
  readonly #root: string;
  readonly #nodes: number;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  constructor(options: { readonly rng: RngStream; readonly root: string; readonly nodes: number }) {
    this.#rng = options.rng;
    this.#root = options.root;
    this.#nodes = options.nodes;
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get active(): readonly JobView[] {
    return [...this.#jobs.values()].filter(isActive);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = decodeURIComponent((request.url ?? "").split("/").at(-1) ?? "");
    if (request.method === "POST") {
      this.#create(JSON.parse(await textOf(request)) as JobRequest);
    } else if (request.method === "DELETE") this.#jobs.delete(name);
    // Between the effect and its acknowledgement there is time to be killed.
    await sleep(clock, this.#rng.int(15));
    response.end(JSON.stringify(request.method === "GET" ? this.#view() : {}));
  }

  #view() {
    const held = new Set(this.active.map(({ node }) => node));
    const nodes = Array.from({ length: this.#nodes }, (_, index) => `node-${index}`);
    const jobs = [...this.#jobs.values()];
    return {
      plans: this.plans,
      jobs,
      nodes: nodes.map((name) => ({ name, held: held.has(name) })),
    };
  }

  #create(request: JobRequest): void {
    const { jobName: name, id: runId, node } = request.intent;
    if (this.#jobs.has(name)) return;
    this.created.set(runId, (this.created.get(runId) ?? 0) + 1);
    this.#jobs.set(name, { name, runId, node, phase: "pending", createdAtMs: clock.nowMs() });
    const onNode = this.active.filter((job) => job.node === node).length;
    this.activeMax = Math.max(this.activeMax, this.active.length);
    this.perNodeMax = Math.max(this.perNodeMax, onNode);
    void this.#live(request, this.#rng.int(4));
  }

  /** A job's life: one of four hands in by POST only, one as a file only, one by both, one dies. */
  async #live(request: JobRequest, fate: number): Promise<void> {
    const { jobName } = request.intent;
    await sleep(clock, 5 + this.#rng.int(60));
    this.#become(jobName, { phase: "running", startedAtMs: clock.nowMs() });
    await sleep(clock, 10 + this.#rng.int(150));
    if (!this.#jobs.has(jobName)) return;
    const document = this.#document(request);
    if (fate === 1 || fate === 2) await this.#write(request, document);
    if (fate === 0 || fate === 2) await this.#post(request, document);
    this.#become(jobName, { phase: fate === 3 ? "failed" : "succeeded" });
    await sleep(clock, keptMs);
    this.#jobs.delete(jobName);
  }

  #become(jobName: string, change: Partial<JobView>): void {
    const job = this.#jobs.get(jobName);
    if (job !== undefined) this.#jobs.set(jobName, { ...job, ...change });
  }

  #document({ intent, token }: JobRequest): string {
    const figures = { busbw: { samples: [48], higherIsBetter: true } };
    const result = {
      runId: intent.id,
      outcome: "completed",
      endedAtMs: clock.nowMs(),
      figures,
      hardFacts: [],
      facts: {},
    } as const;
    return encodeResult(result, { subject: intent, token });
  }

  async #write({ intent }: JobRequest, document: string): Promise<void> {
    const { folder, result } = runPaths(this.#root, intent);
    await mkdir(folder, { recursive: true });
    await writeFile(`${result}.part`, document);
    await rename(`${result}.part`, result);
    this.handedIn.add(intent.id);
  }

  async #post({ intent, token, resultUrl }: JobRequest, document: string): Promise<void> {
    if (resultUrl === undefined) return;
    try {
      const response = await fetch(resultUrl, {
        method: "POST",
        body: document,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        signal: AbortSignal.timeout(2_000),
      });
      if (response.ok) this.handedIn.add(intent.id);
    } catch {
      // The loop that listened there was killed: this result was never handed in.
    }
  }
}

function isActive({ phase }: JobView): boolean {
  return phase === "pending" || phase === "running";
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  return text;
}
