import { messageOf } from "../../platform/errors/index.ts";
import type { Report, Reporter, ReportItem } from "../../platform/reporters/index.ts";
import { type Clock, sleep } from "../../platform/time/index.ts";
import type { QaCheck, QaFinding } from "./check.ts";
import { allReducePlot } from "./plots.ts";
import type { QaWorld } from "./world.ts";

export interface RunSuiteOptions {
  readonly world: QaWorld;
  readonly checks: readonly QaCheck[];
  readonly clock: Clock;
  readonly reporter: Required<Reporter>;
  /** Between two checks, the run stops here. */
  readonly signal: AbortSignal;
  /** What was broken on purpose, for the report. */
  readonly notes?: readonly string[];
}

/** Runs the checks one after another, and reports each as it ends. */
export async function runSuite(options: RunSuiteOptions): Promise<Report> {
  const { world, checks, clock, reporter, signal } = options;
  const title = `tessera qa ${world.name}`;
  const subject = `${world.devices.length} simulated devices, ${world.topology}`;
  const startedAtMs = clock.nowMs();
  const startedMs = clock.monotonicMs();
  reporter.onBegin({ title, subject, itemsTotal: checks.length });
  const items: { section: string; item: ReportItem }[] = [];
  for (const check of checks) {
    // Checks compute without a pause; this is where Ctrl-C and the progress bar get their turn.
    await sleep(clock, 0, signal);
    const id = `${check.section}/${check.name}`;
    reporter.onItemStart({ id, name: check.name });
    const beganMs = clock.monotonicMs();
    const finding = await look(check, world);
    const durationMs = clock.monotonicMs() - beganMs;
    const { status, reason, hint, facts = [] } = finding;
    const told = hint === undefined ? {} : { hint };
    const item: ReportItem = { name: check.name, status, reason, facts, durationMs, ...told };
    items.push({ section: check.section, item });
    reporter.onItemEnd({ id, item });
  }
  const sections = [...new Set(items.map(({ section }) => section))].map((section) => ({
    title: section,
    items: items.filter((one) => one.section === section).map(({ item }) => item),
  }));
  const durationMs = clock.monotonicMs() - startedMs;
  const notes = [
    `seed ${world.seed}`,
    "values are computed from every device's own bytes; times are modelled",
    ...(options.notes ?? []),
  ];
  return {
    title,
    subject,
    startedAtMs,
    durationMs,
    notes,
    sections,
    plots: [allReducePlot(world)],
  };
}

async function look(check: QaCheck, world: QaWorld): Promise<QaFinding> {
  try {
    return await check.run(world);
  } catch (thrown) {
    // What could not be looked at is not healthy.
    return { status: "unknown", reason: `The check itself broke: ${messageOf(thrown)}` };
  }
}
