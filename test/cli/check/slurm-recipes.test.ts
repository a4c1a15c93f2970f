import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../../scripts/lib/repository.ts";
import { tempDir } from "../../support/temp-dir.ts";

const recipes = join(root, "deploy", "slurm");
const scripts = ["prolog.sh", "health-check.sh"] as const;
const shellcheck = spawnSync("shellcheck", ["--version"]).error === undefined;

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
}

const bad = "tessera: g1 is bad (0.1 s): gpu 3 is lost";
/** Of a program whose files are half there. */
const nodesWords =
  "node:internal/modules/esm/resolve:275\n\nError: Cannot find module 'x' is bad (y)";

/** Runs a recipe among programs that only write down how they were called. */
async function play(script: string, stage: Stage) {
  const { code, says = "", first = ":", settings = "", state = "State=IDLE" } = stage;
  const folder = await tempDir();
  const program = (name: string, body: string) => {
    const path = join(folder, name);
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
  program("scontrol", `[ "$1" != -o ] || exec cat '${folder}/node'; ${note("scontrol")}`);
  program("logger", note("logger"));
  const owned = stage.program ?? "0 -rwxr-xr-x";
  program("stat", `case $4 in '${tessera}') echo '${owned}' ;; *) echo 0 drwxr-xr-x ;; esac`);
  for (const name of ["gate.sh", "root-only.sh", script]) {
    copyFileSync(join(recipes, name), join(folder, name));
  }
  const env = `tessera='${tessera}'\nPATH='${folder}':$PATH\n${settings}\n`;
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

describe("the recipes for Slurm", () => {
  test.skipIf(!shellcheck)("are clean for shellcheck", () => {
    const files = [...scripts, "gate.sh", "root-only.sh"].map((name) => join(recipes, name));
    expect(execFileSync("shellcheck", files, { encoding: "utf8" })).toBe("");
  });

  test.each(scripts)("%s leaves a good node alone", async (script) => {
    const { status, drained, asked } = await play(script, { code: 0, says: "good" });
    expect({ status, drained }).toEqual({ status: 0, drained: "" });
    expect(asked).toBe("<check><run><--profile><prolog><--timeout><20s>");
  });

  test.each(scripts)("%s drains a node that is proved bad, with the reason", async (script) => {
    const says = `(node:1) Warning: old\n${bad}`;
    const { status, drained, log } = await play(script, { code: 1, says });
    expect(status).toBe(script === "prolog.sh" ? 1 : 0);
    expect(drained).toBe(`<update><NodeName=g1><State=DRAIN><Reason=tessera/gate: ${bad}>`);
    expect(log).toContain("gpu 3 is lost");
  });

  test.each(scripts)("%s lets work go on when nothing was proved, and logs it", async (script) => {
    // 3 not decided, 2 wrong settings, 127 no such program.
    for (const code of [3, 2, 127]) {
      const { status, drained, log } = await play(script, { code, says: "no answer" });
      expect({ status, drained }).toEqual({ status: 0, drained: "" });
      expect(log).toContain("no answer");
    }
  });

  test.each(scripts)("%s takes a program that is broken for no proof", async (script) => {
    for (const says of [nodesWords, "", "tessera: E_INTERNAL", ` x ${bad}`]) {
      const { status, drained } = await play(script, { code: 1, says });
      expect({ status, drained }).toEqual({ status: 0, drained: "" });
    }
    // Nor what was said by one that did not end as those do who have proof.
    expect(await play(script, { code: 3, says: bad })).toMatchObject({ status: 0, drained: "" });
  });

  test.each(scripts)("%s takes a recipe that is broken for no proof, too", async (script) => {
    for (const settings of ["(", "exit 1", "timeout=$nothing", "timeout=1h30m"]) {
      const { status, drained, log } = await play(script, { code: 0, settings });
      expect({ status, drained }).toEqual({ status: 0, drained: "" });
      expect(log).not.toBe("");
    }
  });

  test.each(scripts)("%s ends a program that does not start", async (script) => {
    const first = "trap '' TERM; while :; do sleep 0.1; done";
    const stage = { code: 1, first, says: bad, settings: "timeout=1s spare=0" };
    const { status, drained, log } = await play(script, stage);
    expect({ status, drained }).toEqual({ status: 0, drained: "" });
    expect(log).toContain("no answer within 1 s");
  });

  test.each(scripts)("%s drains then, too, where the settings say so", async (script) => {
    const settings = `undecided=drain gpus=8 reason=tessera:accept options='{"compute":false}'`;
    const { drained, asked } = await play(script, { code: 3, settings });
    expect(drained).toContain("<Reason=tessera:accept: it could not be asked (3)>");
    const broken = await play(script, { code: 1, says: nodesWords, settings });
    expect(broken.drained).toContain("<Reason=tessera:accept: node:internal/modules");
    expect(asked).toContain('<--gpus><8><--options><{"compute":false}>');
  });

  test.each(scripts)("%s runs no program that others than root can change", async (script) => {
    for (const [program, why] of [
      ["20003 -rwxr-xr-x", "does not belong to root"],
      ["0 -rwxrwxr-x", "can be written by others than root"],
      ["0 -rwxr-xrwx", "can be written by others than root"],
    ] as const) {
      const { status, drained, asked, log } = await play(script, { code: 1, says: bad, program });
      expect({ status, drained, asked }).toEqual({ status: 0, drained: "", asked: "" });
      expect(log).toContain("was not run as root: ");
      expect(log).toContain(why);
    }
  });

  test.each(scripts)("%s runs none without its means to tell", async (script) => {
    const settings = 'rm -f "$here/root-only.sh"';
    const { status, drained, asked, log } = await play(script, { code: 1, says: bad, settings });
    expect({ status, drained, asked }).toEqual({ status: 0, drained: "", asked: "" });
    expect(log).toContain("was not run as root: ");
  });

  test.each(scripts)("%s takes what was said for text, never for shell", async (script) => {
    const words = `"$(touch owned)" \`touch owned\` \\; 'x'\u0007`;
    const { drained } = await play(script, { code: 1, says: `${bad} ${words}\nsecond line` });
    expect(drained).toContain(`<Reason=tessera/gate: ${bad} $(touch owned) \`touch owned\` ; x>`);
    expect(existsSync("owned")).toBe(false);
  });
});

describe("a node that somebody else has stopped already", () => {
  const states = [
    "State=IDLE+DRAIN",
    "State=MIXED+DRAIN",
    "State=DOWN*+DRAIN",
    "State=DOWN",
    "State=FAIL",
    "State=ALLOCATED+FAIL",
    "State=IDLE Reason=a fan is loud",
    // No answer that is understood: it may be theirs.
    "",
  ];

  test.each(states)("keeps what they said: %j", async (state) => {
    for (const script of scripts) {
      const stage = { code: 1, says: bad, state, since: "after" } as const;
      const { status, drained, log } = await play(script, stage);
      expect(drained).toBe("");
      expect(status).toBe(script === "prolog.sh" ? 1 : 0);
      expect(log).toContain("gpu 3 is lost");
    }
  });

  test.each(states.slice(0, -1))("is not asked by the health check: %j", async (state) => {
    const { asked } = await play("health-check.sh", { code: 1, says: bad, state });
    expect(asked).toBe("");
  });

  test.each(["State=IDLE", "State=MIXED+PLANNED", "State=IDLE+POWERING_DOWN Comment=State=DRAIN"])(
    "is not one in another state: %j",
    async (state) => {
      for (const script of scripts) {
        expect((await play(script, { code: 1, says: bad, state })).drained).toContain(
          "State=DRAIN",
        );
      }
    },
  );
});
