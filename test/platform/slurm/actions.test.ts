import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSlurmClient } from "../../../src/platform/slurm/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { captured } from "./captures.ts";
import { createFakeBin, type FakeBin } from "./fake-bin.ts";

let bin: FakeBin;
beforeEach(async () => {
  bin = await createFakeBin();
});
afterEach(() => bin.remove());

const create = () => {
  const own = { SECRET: "s", SQUEUE_FORMAT: "%i", LD_LIBRARY_PATH: "/opt/slurm/lib" };
  const env = { PATH: process.env.PATH, ...own };
  const clock = createRealClock();
  return createSlurmClient({ bin: bin.path, conf: "/etc/slurm.conf", env, clock });
};

/** A program that writes each of its arguments as a line, then does this. */
const noting = (then = "") => `for word in "$@"; do echo "$word" >> "$CALLS"; done\n${then}`;

describe("handing in a job", () => {
  const script = "#!/bin/sh\nexec /usr/bin/env\n";

  it("gives sbatch the script on its input, the job's environment, and what it needs to start itself", async () => {
    const body = '{ /bin/cat; /usr/bin/env; } >> "$CALLS"; echo "12;fixture"';
    await bin.program("sbatch", noting(body));
    const env = { TESSERA_A: "b c; rm -rf /" };
    const args = ["--job-name=x", "--nodelist=g0"];
    expect(await create().submit({ script, args, env })).toBe(12);
    const calls = await bin.calls();
    expect(calls).toContain("--parsable\n--export=ALL\n--job-name=x\n--nodelist=g0\n#!/bin/sh\n");
    expect(calls).toContain("\nexec /usr/bin/env\n");
    expect(calls).toContain("TESSERA_A=b c; rm -rf /\n");
    expect(calls).toContain("SLURM_CONF=/etc/slurm.conf\n");
    expect(calls).toContain("LD_LIBRARY_PATH=/opt/slurm/lib\n");
    expect(calls).toContain("LC_ALL=C\n");
    expect(calls).not.toMatch(/SECRET|SQUEUE_FORMAT|HOME=/);
  });

  it("leaves the job nothing of that: neither the login node's libraries nor its configuration", async () => {
    // What sbatch sees with --export=ALL is what the script begins with.
    await bin.program("sbatch", '/bin/sh -s >> "$CALLS"; echo 12');
    const seen = async (env: Readonly<Record<string, string>>) => {
      const before = (await bin.calls()).length;
      await create().submit({ script, args: [], env });
      return (await bin.calls()).slice(before);
    };
    const plain = await seen({ TESSERA_A: "b" });
    expect(plain).toContain("TESSERA_A=b\n");
    expect(plain).not.toMatch(/LC_ALL|LD_LIBRARY_PATH|SLURM_CONF/);
    expect(await seen({ LD_LIBRARY_PATH: "/opt/job" })).toContain("LD_LIBRARY_PATH=/opt/job\n");
  });

  it("fails where sbatch does not say the number", async () => {
    await bin.program("sbatch", "echo fine");
    const submission = { script, args: [], env: {} };
    await expect(create().submit(submission)).rejects.toThrow("did not say its number");
  });
});

describe("ending jobs", () => {
  const gone = "scancel: error: Kill job error on job id 9: Invalid job id specified";

  it("is no error for one that is gone, but is for one that is not ours", async () => {
    await bin.program("scancel", `echo '${gone}' >&2; exit 1`);
    await expect(create().cancel(["9"])).resolves.toBeUndefined();
    const denied = "scancel: error: Kill job error on job id 8: Access/permission denied";
    await bin.program("scancel", `echo '${gone}' >&2; echo '${denied}' >&2; exit 1`);
    await expect(create().cancel(["9", "8"])).rejects.toMatchObject({ code: "E_SLURM_DENIED" });
  });

  it("starts nothing for none, and hands many over in turns", async () => {
    await bin.program("scancel", 'echo "$#" >> "$CALLS"');
    await create().cancel([]);
    expect(await bin.calls()).toBe("");
    await create().cancel(Array.from({ length: 1001 }, (_, at) => String(at)));
    expect(await bin.calls()).toBe("500\n500\n1\n");
  });

  it("only sends a signal where it is told one", async () => {
    await bin.program("scancel", noting());
    await create().cancel(["5_1"], { kill: "USR1", batch: true });
    expect(await bin.calls()).toBe("--signal=USR1\n--batch\n5_1\n");
  });

  it("takes nothing for a number that could be an option", async () => {
    await bin.program("scancel", noting());
    await expect(create().cancel(["--user=alice"])).rejects.toThrow("is not a job's number");
    expect(await bin.calls()).toBe("");
  });

  it("shows the steps of a job that run, and none of one that is gone", async () => {
    await bin.program("squeue", "echo 5.batch; echo 5.0");
    expect(await create().steps("5")).toEqual(["5.batch", "5.0"]);
    await bin.program(
      "squeue",
      "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1",
    );
    expect(await create().steps("5")).toEqual([]);
  });
});

describe("changing a node", () => {
  it("hands over each field as one argument and keeps a reason on one line", async () => {
    await bin.program("scontrol", noting());
    await create().updateNode("g0", { state: "DRAIN", reason: "bad\n State=IDLE" });
    expect(await bin.calls()).toBe("update\nNodeName=g0\nState=DRAIN\nReason=bad State=IDLE\n");
  });

  it("takes no name that is more than a name", async () => {
    await bin.program("scontrol", noting());
    const change = { state: "RESUME" } as const;
    for (const name of ["g0 State=DOWN", "", "-g0", "ALL,x"]) {
      await expect(create().updateNode(name, change)).rejects.toThrow("is not a name");
    }
    expect(await bin.calls()).toBe("");
  });
});

describe("reservations", () => {
  const request = { name: "maint1", nodes: ["g2"], users: ["alice"], flags: ["MAINT"] };
  const reservations = captured("24.11.5", "reservations.txt");
  const refusing = (shown: string) =>
    `case "$*" in *show*) cat <<'END'\n${shown}\nEND\n;; *) echo 'Requested nodes are busy' >&2; exit 1 ;; esac`;

  it("one that is there already is left as it is, whatever Slurm says of the second", async () => {
    await bin.answers("sinfo", [["--version", "slurm 24.11.5\n"]]);
    await bin.program("scontrol", refusing(reservations));
    await expect(create().createReservation(request)).resolves.toBeUndefined();
  });

  it("may be for users of a realm, and for nobody whose name is more than a name", async () => {
    await bin.program("scontrol", noting());
    await create().createReservation({ ...request, users: ["tessera@corp.example"] });
    expect(await bin.calls()).toContain("\nUsers=tessera@corp.example\n");
    const users = ["alice,root"];
    await expect(create().createReservation({ ...request, users })).rejects.toThrow(
      "is not a name",
    );
  });

  it("one that cannot be made is an error", async () => {
    await bin.answers("sinfo", [["--version", "slurm 24.11.5\n"]]);
    await bin.program("scontrol", refusing("No reservations in the system"));
    await expect(create().createReservation(request)).rejects.toThrow("Requested nodes are busy");
  });

  it("taking away one that is not there is no error, but one that may not be taken away is", async () => {
    await bin.program("scontrol", "echo 'x: Requested reservation is invalid' >&2; exit 1");
    await expect(create().deleteReservation("zz")).resolves.toBeUndefined();
    await bin.program("scontrol", "echo 'x: Access/permission denied' >&2; exit 1");
    await expect(create().deleteReservation("zz")).rejects.toMatchObject({
      code: "E_SLURM_DENIED",
    });
  });
});
