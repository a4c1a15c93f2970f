import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { play, recipes } from "./play-recipe.ts";

const scripts = ["prolog.sh", "health-check.sh"] as const;
const shellcheck = spawnSync("shellcheck", ["--version"]).error === undefined;

const bad = "tessera: g1 is bad (0.1 s): gpu 3 is lost";
/** Of a program whose files are half there. */
const nodesWords =
  "node:internal/modules/esm/resolve:275\n\nError: Cannot find module 'x' is bad (y)";

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
    "State=IDLE Comment=in rack\n12 Reason=a fan is loud",
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

  test.each(["State=IDLE", "State=IDLE+PLANNED", "State=IDLE+POWERING_DOWN Comment=State=DRAIN"])(
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

describe("a node with jobs of users", () => {
  const busy = [
    "State=ALLOCATED",
    "State=MIXED",
    "State=ALLOCATED* ThreadsPerCore=2",
    "State=MIXED+PLANNED",
    "State=MIXED-",
    "State=IDLE+COMPLETING",
    "State=MIXED+CLOUD+COMPLETING",
  ];

  // slurmd also runs its HealthCheckProgram at its start, whatever is on the node.
  test.each(busy)("is not asked by the health check, which says so: %j", async (state) => {
    const { status, asked, drained, log } = await play("health-check.sh", {
      ...{ code: 1, says: bad, state },
    });
    expect({ status, asked, drained }).toEqual({ status: 0, asked: "", drained: "" });
    expect(log).toContain("the node has jobs, and is asked when it is idle");
  });

  test.each(busy)("is drained by the prolog when it is proved bad: %j", async (state) => {
    const { status, drained } = await play("prolog.sh", { code: 1, says: bad, state });
    expect(status).toBe(1);
    expect(drained).toContain("State=DRAIN");
  });

  test.each(["State=IDLE Comment=State=ALLOCATED", "State=IDLE+PLANNED", "State=UNKNOWN"])(
    "is not one without any: %j",
    async (state) => {
      const { asked } = await play("health-check.sh", { code: 0, says: "good", state });
      expect(asked).not.toBe("");
    },
  );

  test("is drained by a health check that had begun before they came", async () => {
    const later = { state: "State=MIXED", since: "after" } as const;
    const { drained } = await play("health-check.sh", { code: 1, says: bad, ...later });
    expect(drained).toContain("State=DRAIN");
  });
});

describe("a node that is to be drained", () => {
  const notDrained = "the node was found bad and could not be drained: ";
  const stage = { code: 1, says: bad };

  test.each(scripts)("by %s is logged as not drained without scontrol", async (script) => {
    const { status, drained, log } = await play(script, { ...stage, slurm: "none" });
    expect({ status, drained }).toEqual({ status: script === "prolog.sh" ? 1 : 0, drained: "" });
    expect(log).toContain(notDrained);
    expect(log).toMatch(/could not be drained: .*scontrol.*No such file/);
    const undecided = { code: 3, settings: "undecided=drain", slurm: "none" } as const;
    expect((await play(script, undecided)).log).toContain("was not proved good and could not be");
  });

  test.each(scripts)("by %s is by the scontrol in slurm_bin", async (script) => {
    const settings = 'slurm_bin="$here/opt"';
    const opt = { ...stage, slurm: "opt" } as const;
    const { drained, log } = await play(script, { ...opt, settings });
    expect(drained).toContain("<update><NodeName=g1><State=DRAIN>");
    expect(log).not.toContain("could not be drained");
    expect(await play(script, opt)).toMatchObject({ drained: "" });
  });

  test.each(scripts)("by %s is not by one that others can change", async (script) => {
    const settings = 'slurm_bin="$here/opt"';
    for (const scontrol of ["20003 -rwxr-xr-x", "0 -rwxrwxr-x"]) {
      const opt = { ...stage, slurm: "opt", settings, scontrol } as const;
      const { drained, log } = await play(script, opt);
      expect(drained).toBe("");
      expect(log).toMatch(/could not be drained: .*opt\/scontrol (does not belong|can be written)/);
    }
    const relative = { ...stage, slurm: "opt", settings: "slurm_bin=opt" } as const;
    expect((await play(script, relative)).log).toContain("opt/scontrol is no full path");
  });

  test.each(scripts)("by %s is logged where Slurm refuses it", async (script) => {
    const update = "echo 'slurm_update error: Invalid user id' >&2; exit 1";
    const { drained, log } = await play(script, { ...stage, update });
    expect(drained).toContain("State=DRAIN");
    expect(log).toContain(`${notDrained}slurm_update error: Invalid user id`);
  });

  test.each(scripts)("by %s, where somebody came first, is no failure", async (script) => {
    const theirs = { ...stage, state: "State=IDLE+DRAIN", since: "after" } as const;
    expect((await play(script, theirs)).log).not.toContain("could not be drained");
  });

  test.each(scripts)("by %s is, whatever else Slurm says", async (script) => {
    const warns = "scontrol: error: no Reason= State=DOWN here";
    expect((await play(script, { ...stage, warns })).drained).toContain("State=DRAIN");
  });
});
