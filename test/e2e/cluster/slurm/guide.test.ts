import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../../../../scripts/lib/repository.ts";
import { runChecked } from "../../../cluster/machine/run.ts";
import { describeSlurm, type Slurm, startSlurm, tessera } from "../../../cluster/slurm/fixture.ts";
import { consoleCommands, prints, shellBlocks } from "../../../docs/console-blocks.ts";
import { waitUntil } from "../../../support/wait-until.ts";

const timeoutMs = 200_000;
/** A job behind the gate, which may take the gate's own limit. */
const gatedMs = 180_000;
const recipes = join(root, "deploy", "slurm");
const guide = readFileSync(join(root, "docs", "slurm.md"), "utf8");

/** npm's own means: its store of packages, and the Node that this test runs on. */
const env = { PATH: process.env["PATH"], HOME: process.env["HOME"] };

/** The package as `npm pack` makes it, once for all installations of this file. */
let packed = "";
beforeAll(async () => {
  packed = mkdtempSync(join(tmpdir(), "tessera-packed-"));
  const args = ["pack", "--ignore-scripts", "--pack-destination", packed];
  await runChecked("npm", args, { cwd: root, timeoutMs, env });
}, timeoutMs);
afterAll(() => rmSync(packed, { recursive: true, force: true }));

/** Where the guide has Tessera installed: unlike the folder that all may write to, root's alone. */
function folderOf(slurm: Slurm): string {
  return join(slurm.sharedDir, "..", "tessera");
}

/** Does what the guide has root do, with this repository's package and folders of the cluster. */
async function install(slurm: Slurm): Promise<string> {
  const folder = folderOf(slurm);
  mkdirSync(stateDir(slurm));
  const [archive = ""] = readdirSync(packed);
  const here = (text: string) =>
    text
      .replaceAll("/shared/tessera", folder)
      .replaceAll("/var/lib", stateDir(slurm))
      .replaceAll(
        / tessera-qa\b(?= )/g,
        ` --no-audit --no-fund --prefer-offline ${join(packed, archive)}`,
      );
  const [program = "false", folders = "false"] = shellBlocks(
    guide.slice(guide.indexOf("## Install")),
  );
  expect(program).toContain("npm install");
  expect(folders).toContain("/shared/tessera/results");
  // Packages come from outside, and names of users are those inside.
  await runChecked("/bin/sh", ["-e", "-c", here(program)], { timeoutMs, env });
  const made = await slurm.cluster.exec(["/bin/sh", "-e", "-c", here(folders)]);
  expect(made).toMatchObject({ exitCode: 0 });
  const config = join(folder, "tessera.yaml");
  writeFileSync(config, here(readFileSync(config, "utf8")));
  return folder;
}

/** Merges the partition that the guide ships: its lines take the place of those with the same keys. */
async function mergePartition(slurm: Slurm): Promise<void> {
  const shipped = readFileSync(join(recipes, "partition.conf"), "utf8").split("\n");
  const lines = shipped.filter((line) => line !== "" && !line.startsWith("#"));
  const keys = lines.map((line) => /^(?:PartitionName=)?\w+/.exec(line)?.[0] ?? line);
  const kept = readFileSync(slurm.conf, "utf8")
    .split("\n")
    .filter((line) => !keys.some((key) => new RegExp(`^${key}\\b`).test(line)));
  writeFileSync(slurm.conf, [...kept, ...lines, ""].join("\n"));
  await slurm.run("scontrol", ["reconfigure"]);
  const shown = await slurm.run("scontrol", ["-o", "show", "partition", "tessera"]);
  expect(shown).toMatch(/MaxTime=03:00:00 .*Nodes=g\[0-3\]/);
}

/** What stands for /var/lib, where only root makes folders. */
function stateDir(slurm: Slurm): string {
  return join(slurm.sharedDir, "var-lib");
}

describeSlurm("the guide for Slurm sites", () => {
  it("shows the configuration that it ships", () => {
    const shipped = readFileSync(join(recipes, "tessera.yaml"), "utf8");
    expect(guide).toContain(`\`\`\`yaml\n${shipped}\`\`\``);
  });

  let slurm: Slurm;
  let folder = "";
  beforeAll(async () => {
    slurm = await startSlurm({ nodes: 4 });
    folder = await install(slurm);
    await mergePartition(slurm);
  }, 2 * timeoutMs);
  afterAll(() => slurm?.stop());

  it("leaves nothing of the program to anybody but root, who runs it on every node", async () => {
    const others = ["(", "!", "-uid", "0", "-o", "!", "-type", "l", "-perm", "/022", ")"];
    const args = [folder, "-path", join(folder, "results"), "-prune", "-o", ...others, "-print"];
    expect(await runChecked("find", args)).toBe("");
    const program = join(folder, "bin", "tessera");
    expect(await runChecked("/bin/sh", [join(recipes, "root-only.sh"), program])).toBe("");
    expect(statSync(join(folder, "results"))).toMatchObject({ uid: tessera.id });
  });

  it("shows what its commands print to the user it names, from an empty folder on", async () => {
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
    const folder = await install(slurm);
    const gate = join(folder, "gate");
    const [copies = "false"] = shellBlocks(guide.slice(guide.indexOf("## A gate before jobs")));
    expect(copies).toContain("root-only.sh");
    const here = copies
      .replaceAll("/etc/slurm/tessera", gate)
      .replaceAll("/shared/tessera", folder);
    await runChecked("/bin/sh", ["-e", "-c", here], { timeoutMs });
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
      // As the guide has it: the gate's own limit is 30 s below Slurm's.
      .replace("PrologEpilogTimeout=60", "PrologEpilogTimeout=140")
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
    await slurm.waitForJob(good, /^COMPLETED/, gatedMs);
    // Root runs nothing that `tessera` could have changed: what it says counts for nothing.
    const program = join(folder, "bin", "tessera");
    chownSync(program, tessera.id, tessera.id);
    const ungated = await slurm.submitUserJob("hostname", ["--nodelist=g1"]);
    await slurm.waitForJob(ungated, /^COMPLETED/, gatedMs);
    expect(await slurm.node("g1").state()).not.toMatch(/DRAIN/);
    chownSync(program, 0, 0);

    const bad = await slurm.submitUserJob("hostname", ["--nodelist=g1"]);
    await slurm.node("g1").waitForState(/DRAIN/, gatedMs);
    const about = () => slurm.run("scontrol", ["-o", "show", "job", bad]);
    await waitUntil("the job is in the queue again", async () => {
      return /JobState=PENDING .*Restarts=1\b/.test(await about());
    });
    const node = await slurm.run("scontrol", ["-o", "show", "node", "g1"]);
    expect(node).toMatch(/Reason=tessera\/gate: tessera: g1 is bad .*8 GPUs must be here/);
    expect(await slurm.node("g0").state()).not.toMatch(/DRAIN/);
  });
});
