// A stand-in for a test runner: starts or adopts a cluster, prints its folder, waits to be killed.
import { openCluster, startCluster } from "../fixture.ts";

const [mode, name = "held"] = process.argv.slice(2);
const shape = mode === "slurm" ? { kubernetes: false, slurm: 2 } : {};
const cluster = mode === "adopt" ? openCluster(name) : await startCluster({ name, ...shape });
if (mode === "adopt") await cluster.adopt();
process.stdout.write(`${cluster.dataDir}\n`);
process.stdin.resume();
