import { existsSync, mkdirSync } from "node:fs";
import { runChecked } from "../machine/run.ts";
import type { ComponentSpec } from "../supervisor/component.ts";
import type { Fleet } from "../supervisor/fleet.ts";
import { slurmClusterName } from "./conf.ts";
import type { SlurmContext } from "./context.ts";
import { onTheHead } from "./controller.ts";
import { alice, bob, tessera } from "./users.ts";

// Where the database's library looks for it; /run is the cluster's own.
const databaseSocket = "/run/mysqld/mysqld.sock";

// Seconds on an idle machine; it writes many small files.
const databaseTimeoutMs = 180_000;

/** The account that every user is in, and the class of jobs that may be ended for others. */
const slurmAccount = "research";
const scavengerQos = "scavenger";

/** Starts database and slurmdbd, and says who may do what. Before the controller, which asks. */
export async function startAccounting(context: SlurmContext, fleet: Fleet): Promise<void> {
  const { paths, program } = context;
  mkdirSync("/run/mysqld", { recursive: true });
  const args = [
    "--no-defaults",
    `--datadir=${paths.database}`,
    "--user=root",
    "--auth-root-authentication-method=socket",
    "--skip-test-db",
  ];
  await runChecked(program("mariadb-install-db"), args, { timeoutMs: databaseTimeoutMs });
  await fleet.start(databaseComponent(context));
  await fleet.start(slurmdbdComponent(context));
  await registerUsers(context);
}

function databaseComponent({ paths, program }: SlurmContext): ComponentSpec {
  return {
    name: "mariadbd",
    program: program("mariadbd"),
    args: [
      "--no-defaults",
      `--datadir=${paths.database}`,
      `--socket=${databaseSocket}`,
      `--pid-file=${paths.folder}/mariadbd.pid`,
      "--skip-networking",
      "--user=root",
      // What is written need not outlive this machine's power.
      "--innodb-flush-log-at-trx-commit=0",
      "--innodb-buffer-pool-size=64M",
    ],
    healthy: async () => existsSync(databaseSocket),
  };
}

function slurmdbdComponent(context: SlurmContext): ComponentSpec {
  const { env, tool } = context;
  return {
    name: "slurmdbd",
    ...onTheHead([context.program("slurmdbd"), "-D"]),
    env,
    startTimeoutMs: databaseTimeoutMs,
    healthy: async () => (await tool("sacctmgr", ["-n", "-P", "show", "qos"])).includes("normal"),
  };
}

/** One account for all; jobs of QOS `scavenger` yield to those of `normal`. */
async function registerUsers({ config, tool }: SlurmContext): Promise<void> {
  // The first of them makes the tables of a new cluster.
  const change = (...args: string[]) => tool("sacctmgr", ["-i", ...args], 120_000);
  const cluster = slurmClusterName(config.name);
  await change("add", "cluster", cluster);
  await change("add", "qos", scavengerQos, "Priority=0", "PreemptMode=cancel");
  await change("modify", "qos", "normal", "set", "Priority=100", `Preempt=${scavengerQos}`);
  await change("add", "account", slurmAccount, `Cluster=${cluster}`, "Description=tests");
  const names = ["root", alice.name, bob.name, tessera.name].join(",");
  await change("add", "user", names, `Account=${slurmAccount}`, `Cluster=${cluster}`);
  // Slurm gives root an account of its own, where there is no scavenging.
  await change("modify", "user", "root", "set", `DefaultAccount=${slurmAccount}`);
  const allowed = `QOS=normal,${scavengerQos}`;
  await change("modify", "account", slurmAccount, "set", allowed, "DefaultQOS=normal");
  // An operator may make reservations; nodes are changed by administrators alone.
  await change("modify", "user", tessera.name, "set", "AdminLevel=Admin");
}
