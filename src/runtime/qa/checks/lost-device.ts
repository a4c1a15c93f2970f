import { isTesseraError } from "../../../platform/errors/index.ts";
import { breakDuring, type DistTensor, tensor } from "../../dist/index.ts";
import * as op from "../../op/index.ts";
import { counted, type QaCheck, type QaFinding } from "../check.ts";
import type { QaWorld } from "../world.ts";

const section = "lost devices and links";

/** Chapters 3.5 and 4.4: what is broken is noticed and named, and what is whole goes on. */
export const lossChecks: readonly QaCheck[] = [
  {
    name: "lost device",
    section,
    run: loseDevice,
  },
  {
    name: "partition",
    section,
    run: cutNetwork,
  },
];

function loseDevice({ parallel: { mesh }, devices }: QaWorld): QaFinding {
  const lost = Number(devices[5] ?? 0);
  const given = tensor([64], { mesh, fill: 1 });
  return breakDuring({ kind: "dead", device: lost }, () => {
    const code = codeOf(() => op.allReduce(given, { op: "sum" }));
    if (code !== "E_DEVICE_LOST") return unnoticed(`the loss of device ${lost}`, code);
    const whole = mesh.without([lost]);
    const sum = op.allReduce(tensor([64], { mesh: whole, fill: 1 }), { op: "sum" });
    return survived(sum, whole.size);
  });
}

function cutNetwork({ nodes: { mesh } }: QaWorld): QaFinding {
  const half = Math.floor(mesh.axisSize("node") / 2);
  const given = tensor([64], { mesh, fill: 1 });
  return breakDuring({ kind: "cut", sides: [{ nodes: [0, half] }] }, () => {
    const code = codeOf(() => op.allReduce(given, { op: "sum" }));
    if (code !== "E_PARTITION")
      return unnoticed(`a cut between node ${half - 1} and ${half}`, code);
    return survived(op.allReduce(given, { op: "sum", over: "gpu" }), mesh.axisSize("gpu"));
  });
}

function unnoticed(what: string, code: string | undefined): QaFinding {
  const came = code === undefined ? "a result came back" : `it ended with ${code}`;
  return { status: "fail", reason: `An all-reduce did not report ${what}: ${came}.` };
}

/** What is left must still count right, or "it went on" means nothing. */
function survived(sum: DistTensor, expected: number): QaFinding {
  const found = sum.local(0).at(0);
  const facts = [counted("ranks that went on", expected)];
  if (found === expected) {
    return {
      status: "pass",
      reason: `It was noticed and named; the ${expected} others added up.`,
      facts,
    };
  }
  return { status: "fail", reason: `The others added up to ${found}, not ${expected}.`, facts };
}

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (thrown) {
    if (isTesseraError(thrown)) return thrown.code;
    throw thrown;
  }
}
