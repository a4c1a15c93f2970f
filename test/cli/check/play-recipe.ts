import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/lib/repository.ts";
import { tempDir } from "../../support/temp-dir.ts";

export const recipes = join(root, "deploy", "slurm");

interface Stage {
  /** How `tessera` ends and what it says. */
  readonly code: number;
  readonly says?: string;
  /** What `tessera` does first. */
  readonly first?: string;
  /** Lines to add to gate.env. */
  readonly settings?: string;
  /** What Slurm says of the node, and from when on it does: before the look or only after it. */
  readonly state?: string;
  readonly since?: "before" | "after";
  /** What `stat` says of the program, and not that it is root's alone. */
  readonly program?: string;
  /** Where Slurm's own program lies. @default "path"; "none" also hides one of this machine */
  readonly slurm?: "path" | "opt" | "none";
  /** What `stat` says of Slurm's program. */
  readonly scontrol?: string;
  /** What `scontrol show` says beside its answer. */
  readonly warns?: string;
  /** What `scontrol update` does. @default it is done */
  readonly update?: string;
}

/** What the recipes need of a machine. */
const systemTools =
  "cat cut dirname grep head hostname mv readlink rm sed sh sleep timeout tr touch";

/** Runs a recipe among programs that only write down how they were called. */
export async function play(script: string, stage: Stage) {
  const { code, says = "", first = ":", settings = "", state = "State=IDLE" } = stage;
  const folder = await tempDir();
  mkdirSync(join(folder, "opt"));
  const program = (name: string, body: string, at = ".") => {
    const path = join(folder, at, name);
    writeFileSync(path, `#!/bin/sh\n${body}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const noted = (name: string) => join(folder, `${name}.calls`);
  const note = (name: string) => `printf '<%s>' "$@" >> '${noted(name)}'`;
  writeFileSync(join(folder, "said"), says);
  const nodeIs = (file: string, text: string) =>
    writeFileSync(join(folder, file), `NodeName=g1 OS=Linux 6 #1 @0  Boards=1 ${text} Weight=1\n`);
  nodeIs("node", stage.since === "after" ? "State=IDLE" : state);
  nodeIs("node-later", state);
  const asked = `${note("tessera")}; mv '${folder}/node-later' '${folder}/node'; ${first}`;
  const tessera = program("tessera", `${asked}; cat '${folder}/said'; exit ${code}`);
  const { slurm = "path", update = ":", warns = "" } = stage;
  const show = `{ echo '${warns}' >&2; exec cat '${folder}/node'; }`;
  const control = `[ "$1" != -o ] || ${show}; ${note("scontrol")}; ${update}`;
  if (slurm !== "none") program("scontrol", control, slurm === "opt" ? "opt" : ".");
  program("logger", note("logger"));
  const owned = stage.program ?? "0 -rwxr-xr-x";
  const slurms = `*/scontrol) echo '${stage.scontrol ?? "0 -rwxr-xr-x"}' ;;`;
  const others = "*) echo 0 drwxr-xr-x ;;";
  program("stat", `case $4 in '${tessera}') echo '${owned}' ;; ${slurms} ${others} esac`);
  for (const name of ["gate.sh", "root-only.sh", script]) {
    copyFileSync(join(recipes, name), join(folder, name));
  }
  const isHidden = slurm !== "path";
  if (isHidden) linkTools(folder);
  const path = isHidden ? `'${folder}'` : `'${folder}':$PATH`;
  const env = `tessera='${tessera}'\nPATH=${path}\n${settings}\n`;
  writeFileSync(join(folder, "gate.env"), env);
  const { status, stderr } = spawnSync("/bin/sh", [join(folder, script)], {
    env: { SLURMD_NODENAME: "g1", SLURM_JOB_ID: "7", PATH: `${folder}:/usr/bin:/bin` },
    encoding: "utf8",
  });
  const calls = (name: string) =>
    existsSync(noted(name)) ? readFileSync(noted(name), "utf8") : "";
  return {
    status,
    stderr,
    asked: calls("tessera"),
    drained: calls("scontrol"),
    log: calls("logger"),
  };
}

/** So that a folder alone can be where programs are looked for. */
function linkTools(folder: string): void {
  for (const tool of systemTools.split(" ")) {
    const path = execFileSync("/bin/sh", ["-c", `command -v ${tool}`], { encoding: "utf8" }).trim();
    symlinkSync(path, join(folder, tool));
  }
}
