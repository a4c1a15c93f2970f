// `npm run cluster -- up|down|status|build`: a real cluster on this machine, for tests.
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { build } from "./cli/build.ts";
import { down } from "./cli/down.ts";
import { createIo } from "./cli/io.ts";
import { type CommandLine, parseCommandLine, usage } from "./cli/options.ts";
import { status } from "./cli/status.ts";
import { up } from "./cli/up.ts";
import { ClusterError } from "./errors.ts";
import { destroyCluster } from "./lifecycle/destroy.ts";

const clock = createRealClock();

try {
  await runCommand(parseCommandLine(process.argv.slice(2)));
} catch (problem) {
  const message = problem instanceof Error ? problem.message : String(problem);
  process.stderr.write(`cluster: ${message}\n`);
  process.exitCode = problem instanceof ClusterError ? problem.exitCode : 3;
}

async function runCommand(line: CommandLine): Promise<void> {
  const io = createIo(clock, line.json);
  switch (line.command) {
    case "up":
      return await interruptible(line.name, () => up(line, io));
    case "down":
      return await down(line, io);
    case "status":
      return await status(io);
    case "build":
      return await build(line, io);
    case "help":
      process.stdout.write(usage);
  }
}

/** On Ctrl-C a half-started cluster goes; one that was there before under this name stays. */
async function interruptible(name: string, start: () => Promise<void>): Promise<void> {
  const onSignal = () => {
    process.stderr.write("cluster: interrupted, cleaning up\n");
    const end = () => process.exit(130);
    destroyCluster(clock, name, { onlyIfStartedBy: process.pid }).then(end, end);
  };
  process.once("SIGINT", onSignal);
  process.once("SIGTERM", onSignal);
  await start();
  process.off("SIGINT", onSignal);
  process.off("SIGTERM", onSignal);
}
