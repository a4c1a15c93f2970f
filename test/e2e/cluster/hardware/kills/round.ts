import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isLive } from "../../../../../src/hardware/objects/index.ts";
import { messageOf } from "../../../../../src/platform/errors/index.ts";
import { sleep } from "../../../../../src/platform/time/index.ts";
import { processesIn } from "../../../../support/processes-in.ts";
import { waitUntil } from "../../../../support/wait-until.ts";
import { clock } from "../../kube/support/connect.ts";
import { killProcesses } from "./fleet.ts";
import type { Ground } from "./ground.ts";
import { described, type Restored, roundMsMax, untilRestored, whatIsLeft } from "./restoration.ts";
import type { Moment, Part, RoundPlan } from "./round-plans.ts";
import { shimAnswers } from "./shim-answers.ts";
import { makeEdit, setClosed, withClosed, withEdit } from "./someone-else.ts";
import { faultsOf, readSurface, type Surface } from "./surface.ts";
import {
  linesIn,
  type Runner,
  startRunner,
  untilMoment,
  untilSettled,
  untilStage,
} from "./watch-runner.ts";

/** How a round went. */
export interface RoundResult extends Restored {
  /** What was in force when the kill came. */
  readonly inForce: readonly string[];
}

/** How long a kubelet takes to start a container again, about. */
const restartMs = 500;

/**
 * One test, the kill in the middle of it, and what becomes of the cluster.
 *
 * @throws Error naming what is left of the test, or gone of what somebody else did
 */
export async function playRound(
  ground: Ground,
  plan: RoundPlan,
  name: string,
): Promise<RoundResult> {
  const begun = await beginRound(ground, name);
  try {
    return await playBegun(ground, { ...begun, plan, name });
  } finally {
    // Whatever came of it, the next round begins with an open node and no other test.
    await killProcesses([begun.runner.cli]);
    if (plan.closedByPerson) await setClosed(ground.client, begun.runner.node, false);
  }
}

async function playBegun(
  ground: Ground,
  begun: Begun & { readonly plan: RoundPlan; readonly name: string },
): Promise<RoundResult> {
  const { client } = ground;
  const { runner, before, plan, name } = begun;
  const { closedByPerson, edited, moment, patienceMs } = plan;
  const { node } = runner;
  if (closedByPerson) {
    await untilStage(runner, "prepared");
    await setClosed(client, node, true);
  }
  begun.arm();
  if (moment === "reverting") begun.end();
  await untilMoment(runner, moment, { ...begun, client });
  await expectBroken(ground, moment, node);
  await sleep(clock, plan.delayMs);
  const edit = { node, name };
  if (edited === "before") await makeEdit(client, edit);
  const inForce = (await faultsOf(client, runner.run)).filter(isLive).map(described);
  await killParts(ground, runner, plan.killed);
  begun.end();
  const restarted = restartParts(ground, node, plan.restarted);
  if (edited === "after") await makeEdit(client, edit);
  const wanted = withEdit(closedByPerson ? withClosed(before, node) : before, edit);
  const [restored] = await Promise.all([
    untilRestored(ground, { runner, wanted, patienceMs }),
    restarted,
  ]);
  await expectWhole(ground, { ...begun, wanted });
  return { ...restored, inForce };
}

/** Everything dies at once; what is left must be noticed, and restored as soon as anybody is back. */
export async function playAbandoned(ground: Ground, name: string): Promise<string> {
  const begun = await beginRound(ground, name);
  const { runner, before: wanted } = begun;
  begun.arm();
  await untilMoment(runner, "drain", { ...begun, client: ground.client });
  await Promise.all([killProcesses([runner.cli]), ground.fleet.killAll()]);
  const noticed = await untilRestored(ground, { runner, wanted, patienceMs: 0 }).then(
    () => "nothing",
    (error: unknown) => messageOf(error),
  );
  await ground.fleet.startMissing();
  const isWhole = async () =>
    (await whatIsLeft(ground, wanted, await faultsOf(ground.client, runner.run))).length === 0;
  await waitUntil("all is restored", isWhole);
  await expectWhole(ground, { ...begun, wanted });
  return noticed;
}

/** A test that has begun. */
interface Begun {
  readonly runner: Runner;
  /** The cluster before it. */
  readonly before: Surface;
  /** Where it works. */
  readonly cwd: string;
  /** Lets it arm CUDA errors and go on. */
  arm(): void;
  /** Lets it take everything back when it comes to that. */
  end(): void;
  /** Whether its line is in the kernel log. */
  hasLine(): boolean;
}

async function beginRound(ground: Ground, name: string): Promise<Begun> {
  const { client, fleet, folder, installation, nodes } = ground;
  await fleet.startMissing();
  await untilSettled(client);
  const before = await readSurface(client, nodes);
  const lines = () => nodes.map((node) => linesIn(installation.kernelLogOf(node))).join();
  const linesBefore = lines();
  const cwd = join(folder, name);
  mkdirSync(cwd);
  const [armFile, endFile] = [`${cwd}.arm`, `${cwd}.end`];
  const runner = await startRunner({ installation, cwd, armFile, endFile, limitMs: roundMsMax });
  return {
    runner,
    before,
    cwd,
    arm: () => writeFileSync(armFile, ""),
    end: () => writeFileSync(endFile, ""),
    hasLine: () => lines() !== linesBefore,
  };
}

/** Nothing can be restored that was not broken. */
async function expectBroken(ground: Ground, moment: Moment, node: string): Promise<void> {
  if (moment !== "line" && moment !== "drain") return;
  const answer = await shimAnswers(ground.cluster, node);
  if (answer === "0") throw new Error(`at ${moment} no CUDA call fails on ${node}`);
}

/** Also when those that were killed are back, and for processes and CUDA calls. */
async function expectWhole(
  ground: Ground,
  about: { readonly runner: Runner; readonly wanted: Surface; readonly cwd: string },
): Promise<void> {
  const { runner, wanted, cwd } = about;
  const processes = processesIn(cwd);
  if (processes.length > 0) throw new Error(`the test has left processes: ${processes.join()}`);
  for (const node of ground.nodes) {
    const answer = await shimAnswers(ground.cluster, node);
    if (answer !== "0") throw new Error(`CUDA still answers ${answer} on ${node}`);
  }
  await ground.fleet.startMissing();
  const left = await whatIsLeft(ground, wanted, await faultsOf(ground.client, runner.run));
  if (left.length > 0) throw new Error(`once all were back this was left: ${left.join("; ")}`);
}

async function killParts(ground: Ground, runner: Runner, parts: readonly Part[]): Promise<void> {
  const isRunner = (part: Part) => part === "runner";
  const names = parts.filter((part) => part !== "runner").map((part) => named(part, runner.node));
  await Promise.all([
    killProcesses(parts.some(isRunner) ? [runner.cli] : []),
    ground.fleet.kill(...names),
  ]);
}

async function restartParts(
  { fleet }: Ground,
  node: string,
  parts: RoundPlan["restarted"],
): Promise<void> {
  await sleep(clock, restartMs);
  await Promise.all(parts.map((part) => fleet.start(named(part, node))));
}

function named(part: Exclude<Part, "runner">, node: string): string {
  return part === "api" ? "api" : `agent ${node}`;
}
