import type { ComponentType } from "preact";
import type { Params } from "../route-match.ts";
import OverviewPage from "./overview/overview-page.tsx";

/** What every page is given: the parameters of its path. */
export interface PageProps {
  readonly params: Params;
}

export type PageComponent = ComponentType<PageProps>;

export interface PageRoute {
  readonly pattern: string;
  /** The page itself, or how it is brought when it is first wanted. */
  readonly page: PageComponent | (() => Promise<{ readonly default: PageComponent }>);
  readonly isLazy: boolean;
}

const lazy = (pattern: string, page: () => Promise<{ readonly default: PageComponent }>) => ({
  pattern,
  page,
  isLazy: true,
});

/** Every page, the first that matches wins. */
export const pageRoutes: readonly PageRoute[] = [
  { pattern: "/", page: OverviewPage, isLazy: false },
  lazy("/fleet", () => import("./fleet/fleet-page.tsx")),
  lazy("/fleet/:cluster", () => import("./fleet/fleet-page.tsx")),
  lazy("/nodes/:cluster/:node", () => import("./nodes/node-page.tsx")),
  lazy("/queue", () => import("./queue/queue-page.tsx")),
  lazy("/runs", () => import("./runs/runs-page.tsx")),
  lazy("/runs/:id", () => import("./runs/run-page.tsx")),
  lazy("/baselines", () => import("./baselines/baselines-page.tsx")),
  lazy("/reports", () => import("./reports/reports-page.tsx")),
  lazy("/experiments", () => import("./experiments/experiments-page.tsx")),
  lazy("/experiments/new", () => import("./experiments/new-experiment-page.tsx")),
  lazy("/experiments/:id", () => import("./experiments/experiment-page.tsx")),
  lazy("/collectives", () => import("./collectives/collectives-page.tsx")),
  lazy("/scaling", () => import("./scaling/scaling-page.tsx")),
  lazy("/faults", () => import("./faults/faults-page.tsx")),
  lazy("/machine", () => import("./machine/machine-page.tsx")),
  lazy("/audit", () => import("./audit/audit-page.tsx")),
  lazy("/tokens", () => import("./tokens/tokens-page.tsx")),
  lazy("/notifications", () => import("./notifications/notifications-page.tsx")),
];
