import { chownSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../../../scripts/lib/repository.ts";
import { describeSlurm, type Slurm, startSlurm, tessera } from "../../../cluster/slurm/fixture.ts";
import { consoleCommands, prints } from "../../../docs/console-blocks.ts";
import { waitUntil } from "../../../support/wait-until.ts";

const timeoutMs = 200_000;
const recipes = join(root, "deploy", "slurm");
const guide = readFileSync(join(root, "docs", "slurm.md"), "utf8");

/** Tessera as its user installs it by the guide, with this repository in the place of the package. */
function install(slurm: Slurm): string {
  const folder = join(slurm.sharedDir, "tessera");
  for (const name of ["bin", "results", "node_modules"]) {
    mkdirSync(join(folder, name), { recursive: true });
    chownSync(join(folder, name), tessera.id, tessera.id);
  }
  symlinkSync(root, join(folder, "node_modules", "tessera-qa"));
  cpSync(join(recipes, "tessera"), join(folder, "bin", "tessera"));
  const config = readFileSync(join(recipes, "tessera.yaml"), "utf8")
    .replaceAll("/shared/tessera", folder)
    .replaceAll("/var/lib", stateDir(slurm));
  writeFileSync(join(folder, "tessera.yaml"), config);
  return folder;
}

/** What stands for /var/lib, where only root makes folders. */
function stateDir(slurm: Slurm): string {
  return join(slurm.sharedDir, "var-lib");
}

/** What the guide has root do for the store. */
async function makeStoreFolder(slurm: Slurm): Promise<void> {
  mkdirSync(stateDir(slurm));
  const [command = "false"] = /^install -d .*$/m.exec(guide) ?? [];
  const here = command.replaceAll("/var/lib", stateDir(slurm));
  expect(await slurm.cluster.exec(["/bin/sh", "-c", here])).toMatchObject({ exitCode: 0 });
}

describeSlurm("the guide for Slurm sites", () => {
  it("shows the configuration that it ships", () => {
    const shipped = readFileSync(join(recipes, "tessera.yaml"), "utf8");
    expect(guide).toContain(`\`\`\`yaml\n${shipped}\`\`\``);
  });

  it("shows what its commands print to the user it names, from an empty folder on", async () => {
    await using slurm = await startSlurm({ nodes: 4 });
    const folder = install(slurm);
    await makeStoreFolder(slurm);
    const commands = consoleCommands(guide);
    expect(commands.length).toBeGreaterThan(4);
    for (const { command, line, exitCode, expected } of commands) {
      const here = `cd '${folder}' && ${command.replaceAll("/shared/tessera", folder)}`;
      const result = await slurm.runAs(tessera, "/bin/sh", ["-c", here], { timeoutMs });
      const where = `line ${line}: ${command}\n${result.stderr}`;
      expect(result.exitCode, where).toBe(exitCode);
      expect(prints(expected, result.stdout), `${where}\nprinted:\n${result.stdout}`).toBe(true);
    }
  });
});

describeSlurm("the gate before jobs", () => {
  it("lets a job start on a good node, and drains a bad one with what it found", async () => {
    await using slurm = await startSlurm({ nodes: 2 });
    const folder = install(slurm);
    const gate = join(folder, "gate");
    mkdirSync(gate);
    for (const name of ["prolog.sh", "health-check.sh", "gate.sh"]) {
      cpSync(join(recipes, name), join(gate, name));
    }
    // Nobody here has GPUs, and g1 is held to have eight.
    const settings = [
      `tessera=${join(folder, "bin", "tessera")}`,
      "case $SLURMD_NODENAME in g1) gpus=8 ;; *) gpus=0 ;; esac",
      `SLURM_CONF=${slurm.conf}; export SLURM_CONF`,
      `PATH=$PATH:${join(process.execPath, "..")}`,
      "timeout=100s",
    ];
    writeFileSync(join(gate, "gate.env"), `${settings.join("\n")}\n`);
    const lines = readFileSync(join(recipes, "gate.conf"), "utf8")
      .replaceAll("/etc/slurm/tessera", gate)
      .split("\n")
      .filter((line) => !line.startsWith("HealthCheck"));
    // Merged, as the guide asks for, and not added.
    const merged = readFileSync(slurm.conf, "utf8").replace(
      /^SchedulerParameters=.*$/m,
      "$&,nohold_on_prolog_fail",
    );
    writeFileSync(slurm.conf, `${merged}\nPrologFlags=Alloc\n${lines.join("\n")}\n`);
    await slurm.run("scontrol", ["reconfigure"]);

    const good = await slurm.submitUserJob("hostname", ["--nodelist=g0"]);
    await slurm.waitForJob(good, /^COMPLETED/);
    const bad = await slurm.submitUserJob("hostname", ["--nodelist=g1"]);
    await slurm.node("g1").waitForState(/DRAIN/);
    const about = () => slurm.run("scontrol", ["-o", "show", "job", bad]);
    await waitUntil("the job is in the queue again", async () => {
      return /JobState=PENDING .*Restarts=1\b/.test(await about());
    });
    const node = await slurm.run("scontrol", ["-o", "show", "node", "g1"]);
    expect(node).toMatch(/Reason=tessera\/gate: tessera: g1 is bad .*8 GPUs must be here/);
    expect(await slurm.node("g0").state()).not.toMatch(/DRAIN/);
  });
});
