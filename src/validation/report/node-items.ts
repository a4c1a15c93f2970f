import type { Fact, ReportItem, ReportSection } from "../../platform/reporters/index.ts";
import { medianOf } from "../classify/stats/robust.ts";
import { days, type NodeAssessment } from "./assess-nodes.ts";
import type { ClusterReportData } from "./data.ts";
import { factsOf } from "./facts.ts";

/** The order in which statuses need a person. */
const order = ["fail", "suspect", "unknown", "warn"] as const;

function hintOf({ status, answers }: NodeAssessment): string | undefined {
  if (status === "fail")
    return "Take it out of use and have it repaired; a complete fresh pass opens it again.";
  if (status === "suspect") return "Its retest decides; until then do not count on it.";
  if (status !== "unknown") return undefined;
  const run = answers.find(({ verdict }) => verdict === "unknown")?.run;
  if (run?.result?.outcome !== "completed")
    return "Nothing is known about it, which is not good; look at why the run did not complete.";
  return run.verdict?.findings.some(({ rule }) => rule === "no-reference")
    ? "It was measured, and nothing says how good that is: test eight of its kind, which are compared with each other."
    : "It was measured, and that decides nothing, which is not good; the reason says what is missing.";
}

/** Every node once: those that need a person first, then the good, then those not tested. */
export function nodeSections(
  data: ClusterReportData,
  assessments: readonly NodeAssessment[],
): readonly ReportSection[] {
  const bad = order.flatMap((status) =>
    assessments
      .filter((assessment) => assessment.status === status)
      .map((assessment) => itemOf(data, assessment, { hint: hintOf(assessment) })),
  );
  const passed = assessments.filter(({ status }) => status === "pass");
  const skipped = assessments.filter(({ status }) => status === "skipped");
  return [
    { title: "nodes that need attention", items: bad },
    { title: "nodes that passed", items: passed.map((one) => itemOf(data, one, {})) },
    {
      title: "nodes not tested in this time",
      items: skipped.map((one) => itemOf(data, one, { label: "not tested" })),
    },
  ].filter(({ items }) => items.length > 0);
}

function itemOf(
  { provenance }: ClusterReportData,
  assessment: NodeAssessment,
  more: { readonly hint?: string | undefined; readonly label?: string },
): ReportItem {
  const { node, status, ageDays } = assessment;
  const { hint, label } = more;
  const age = ageDays === undefined ? undefined : days(ageDays);
  return {
    name: node.name,
    status,
    reason: reasonOf(assessment),
    ...(hint === undefined ? {} : { hint }),
    ...(label === undefined ? {} : { label }),
    facts: [
      ...figureFacts(assessment, provenance),
      ...factsOf(provenance, [
        ["oldest evidence", age],
        ["rack", node.rack || undefined],
        ["GPUs", node.sku === "unknown" ? undefined : node.sku],
      ]),
    ],
  };
}

/** The worst answer; where all are good, that all are. */
function reasonOf({ status, reason, answers }: NodeAssessment): string {
  if (status !== "pass") return reason;
  return `${answers.map(({ check }) => check).join(", ")}: within bounds`;
}

/** The middle of each figure of each check, and the verdict on it. */
function figureFacts({ answers }: NodeAssessment, provenance: Fact["provenance"]): readonly Fact[] {
  return answers.flatMap(({ check, verdict, run }) => {
    const figures = Object.entries(run.result?.figures ?? {});
    return factsOf(provenance, [
      [check, verdict],
      ...figures.flatMap(([name, { samples, unit }]) => {
        const finite = samples.filter(Number.isFinite);
        return finite.length === 0
          ? []
          : [[`${check} ${name}`, medianOf(finite), unit ?? ""] as const];
      }),
    ]);
  });
}
