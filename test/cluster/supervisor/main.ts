// The program inside a cluster's namespaces: it starts the components, watches them and takes
// requests. It dies when its starter does, unless it was told to stay; the namespaces die with it.
import { Socket } from "node:net";
import { createRealClock } from "../../../src/platform/time/real-clock.ts";
import { lastLines } from "../machine/last-lines.ts";
import { logFile, pathsOf } from "../registry/paths.ts";
import { sweepFolder } from "../registry/sweep.ts";
import { assemble } from "./assemble.ts";
import { serveControl } from "./control-server.ts";
import { Fleet } from "./fleet.ts";
import { receiveLines, sendLine } from "./lifeline.ts";
import {
  type FromSupervisor,
  lifelineFd,
  type SupervisorConfig,
  type ToSupervisor,
} from "./protocol.ts";

const clock = createRealClock();
const [mode, folder] = process.argv.slice(2);
if (mode === "sweep" && folder !== undefined) await afterTheEnd(folder);
else supervise();

/** The keeper's last act: tells a starter that still listens what happened, and sweeps. */
async function afterTheEnd(ended: string): Promise<void> {
  const lifeline = new Socket({ fd: lifelineFd, readable: false, writable: true });
  lifeline.on("error", () => {});
  const message = `the supervisor ended: ${lastLines(logFile(pathsOf(ended), "supervisor"))}`;
  sendLine(lifeline, { type: "failed", message } satisfies FromSupervisor);
  await sweepFolder(clock, ended);
  lifeline.destroy();
}

function supervise(): void {
  const lifeline = new Socket({ fd: lifelineFd, readable: true, writable: true });
  const tell = (message: FromSupervisor) => sendLine(lifeline, message);
  let detached = false;
  receiveLines(lifeline, {
    onMessage(received) {
      const message = received as ToSupervisor;
      if (message.type === "detach") detached = true;
      else void startUp(message.config, tell);
    },
    onEnd() {
      if (!detached) process.exit(0);
    },
  });
  tell({ type: "hello" });
}

async function startUp(
  config: SupervisorConfig,
  tell: (message: FromSupervisor) => void,
): Promise<void> {
  try {
    const fleet = new Fleet(clock, config);
    await serveControl(pathsOf(config.folder).controlSocket, {
      answer: (request) => fleet.answer(request),
      onOrphaned: () => process.exit(0),
    });
    const progress = (text: string) => tell({ type: "progress", text });
    await assemble({ clock, config, fleet, progress });
    tell({ type: "ready" });
  } catch (problem) {
    tell({ type: "failed", message: problem instanceof Error ? problem.message : String(problem) });
  }
}
