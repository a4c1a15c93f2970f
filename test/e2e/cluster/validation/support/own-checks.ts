/** Where pods see the results volume. */
const volume = "/mnt/continuous_validation";

const figure = '{"figures":{"speed":{"samples":[1,2,3],"higherIsBetter":true}}';

/** The computing check of the catalogue, as short as it gets. */
export const hostCompute = { name: "host-compute", options: { profile: "quick" } };

/** Tells what a process may do inside its pod. */
export const inside = {
  name: "inside",
  minutes: 0.1,
  options: {
    command: [
      "node",
      "-e",
      `const { existsSync, readFileSync, writeFileSync } = require("node:fs");
      const refusal = (path) => {
        try { writeFileSync(path, ""); return "none"; } catch (error) { return error.code; }
      };
      const status = Object.fromEntries(readFileSync("/proc/self/status", "utf8")
        .trim().split("\\n").map((line) => line.split(/:\\s*/, 2)));
      const { CapEff, CapBnd, NoNewPrivs, Seccomp } = status;
      const facts = {
        uid: process.getuid(), gid: process.getgid(), CapEff, CapBnd, NoNewPrivs, Seccomp,
        root: refusal("/written"), app: refusal("/app/written"), tmp: refusal("/tmp/written"),
        serviceAccount: existsSync("/var/run/secrets/kubernetes.io"),
        secrets: ["TESSERA_RUN_TOKEN", "TESSERA_TOKEN"].filter((name) => name in process.env),
      };
      const figures = { speed: { samples: [1, 2, 3], higherIsBetter: true } };
      console.log(JSON.stringify({ figures, facts }));`,
    ],
  },
};

/** Waits on each node until the test opens that node's gate, a file on the results volume. */
export const gated = {
  name: "gated",
  minutes: 0.1,
  options: {
    command: [
      "sh",
      "-c",
      `echo "at the gate" >&2
      until [ -e ${volume}/gates/"$TESSERA_NODE" ]; do sleep 0.2; done
      echo '${figure}}'`,
    ],
  },
};
