import { type ChildProcess, spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import {
  createLeaderElection,
  type KubeClient,
  type KubeObject,
  resourceTypes,
} from "../../../../src/platform/kube/index.ts";
import { describeCluster, sharedCluster } from "../../../cluster/shared.ts";
import { bundleProgram } from "../../../support/bundle-program.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { clock, connect, newNamespace, random } from "./support/connect.ts";

/** A leader may be kept waiting by a busy machine for as long as it has to renew, and must not lose by that. */
const timing = { leaseDurationMs: 6_000, renewDeadlineMs: 5_000, retryPeriodMs: 500 };
/** Two clocks of one machine, one of which is corrected now and then. */
const clockErrorMs = 100;

/** A candidate in a process of its own; prints when it begins and stops to lead. */
const candidateProgram = `
  import { readFileSync } from "node:fs";
  import { createKubeClient } from "./src/platform/kube/client.ts";
  import { createLeaderElection } from "./src/platform/kube/lease/leader-election.ts";
  import { createRng } from "./src/platform/rng/index.ts";
  import { createRealClock } from "./src/platform/time/index.ts";
  const [path, namespace, identity] = process.argv.slice(2);
  const { server, credential, tls } = JSON.parse(readFileSync(path, "utf8"));
  const clock = createRealClock();
  const random = createRng(identity).stream("candidate");
  const credentials = { kind: "test", get: async () => credential, refresh: () => false };
  const config = { source: "test", context: "test", server: new URL(server), tls, credentials, headers: {}, compression: false, namespace };
  const client = createKubeClient({ config, clock, random });
  const election = createLeaderElection({
    client, clock, random, namespace, identity, name: "lock", ...${JSON.stringify(timing)},
  });
  let believed = false;
  const say = () => {
    if (election.isLeader() === believed) return;
    believed = !believed;
    console.log(believed ? "leads" : "follows");
  };
  election.start();
  // What a worker does: it asks right before it acts.
  clock.setTimer(0, function act() { say(); clock.setTimer(5, act); });
`;

interface Candidate {
  readonly child: ChildProcess;
  leads: boolean;
  readonly said: string[];
}

function startCandidate({ program, connection, namespace }: Setup, identity: string): Candidate {
  const child = spawn(process.execPath, [program, connection, namespace, identity], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const candidate: Candidate = { child, leads: false, said: [] };
  createInterface({ input: child.stdout }).on("line", (line) => {
    candidate.said.push(line);
    candidate.leads = line === "leads";
  });
  return candidate;
}

interface Lease extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly acquireTime?: string;
    readonly renewTime?: string;
  };
}

interface Setup {
  readonly client: KubeClient;
  readonly program: string;
  /** A file with the server's address and how to log in. */
  readonly connection: string;
  readonly namespace: string;
}

describeCluster("leader election on a real API server", () => {
  async function setUp() {
    const client = await connect(sharedCluster().kubeconfigPath);
    const namespace = await newNamespace(client);
    const folder = await tempDir();
    const program = await bundleProgram(folder, "candidate", candidateProgram);
    const connection = join(folder, "connection.json");
    const { server, tls, credentials } = client.config;
    const credential = await credentials.get();
    await writeFile(connection, JSON.stringify({ server, tls, credential }), { mode: 0o600 });
    return { client, namespace, program, connection };
  }

  it("moves on when the leader is killed, and not while it lives", async () => {
    const setup = await setUp();
    const first = startCandidate(setup, "first");
    await waitUntil("the first leads", () => first.leads);
    const second = startCandidate(setup, "second");
    const lease = { namespace: setup.namespace, name: "lock" };
    const held = async () => {
      const { spec = {} } = await setup.client.get<Lease>(resourceTypes.leases, lease);
      const { holderIdentity, renewTime = "", acquireTime = "" } = spec;
      return {
        by: holderIdentity,
        fromMs: Date.parse(acquireTime),
        untilMs: Date.parse(renewTime),
      };
    };
    await waitUntil("the first has renewed for longer than a lease", async () => {
      const { fromMs, untilMs } = await held();
      return untilMs - fromMs > 1.5 * timing.leaseDurationMs;
    });
    expect(second.said).toEqual([]);
    expect(first.said).toEqual(["leads"]);
    first.child.kill("SIGKILL");
    let last = await held();
    await waitUntil(
      "the second leads",
      async () => {
        const seen = await held();
        if (seen.by === "first") last = seen;
        return second.leads;
      },
      { timeoutMs: 60_000 },
    );
    const next = await held();
    expect([last.by, next.by]).toEqual(["first", "second"]);
    expect(next.fromMs - last.untilMs).toBeGreaterThan(timing.leaseDurationMs - clockErrorMs);
  });

  it("is lost by a leader that is paused, as soon as it wakes", async () => {
    const setup = await setUp();
    const first = startCandidate(setup, "first");
    await waitUntil("the first leads", () => first.leads);
    const second = startCandidate(setup, "second");
    first.child.kill("SIGSTOP");
    await waitUntil("the second leads", () => second.leads, { timeoutMs: 60_000 });
    first.child.kill("SIGCONT");
    await waitUntil("the first knows", () => !first.leads);
    expect(first.said).toEqual(["leads", "follows"]);
    expect(second.said).toEqual(["leads"]);
  });

  it("is handed over at once by a leader that stops", async () => {
    const { client, namespace } = await setUp();
    const candidate = (identity: string) =>
      createLeaderElection({ client, clock, random, namespace, identity, name: "lock", ...timing });
    const first = candidate("first").start();
    await waitUntil("the first leads", () => first.isLeader());
    const second = candidate("second").start();
    onTestFinished(() => second.stop());
    await waitUntil("the second has seen it", () => second.leader === "first");
    await first.stop();
    const { spec } = await client.get<Lease>(resourceTypes.leases, { namespace, name: "lock" });
    expect(spec?.holderIdentity).not.toBe("first");
    await waitUntil("the second leads", () => second.isLeader());
  });
});
