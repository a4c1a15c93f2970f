import { useEffect, useRef, useState } from "preact/hooks";
import { type ApiProblem, apiGet } from "../api/client.ts";
import { connection } from "../api/live.ts";
import { noAnswer, toProblem } from "../api/problem.ts";
import { type PageComponent, type PageRoute, pageRoutes } from "../pages/index.ts";
import { matchRoute, type Params } from "../route-match.ts";
import { path } from "../router.ts";
import { Loading, ProblemNote } from "../ui/notes.tsx";
import { CrashGuard } from "./crash-guard.tsx";
import { NotFound } from "./not-found.tsx";

const loaded = new Map<string, PageComponent>();
/** A part of the dashboard could not be brought. Browsers may not ask for it twice: only a new document does. */
let isPartMissing = false;

/** The page of the path. One that crashes takes only itself down. */
export function CurrentPage() {
  const here = path.value;
  const found = find(here);
  if (found === undefined) return <NotFound path={here} />;
  return (
    <CrashGuard key={here} path={here}>
      <RoutedPage route={found.route} params={found.params} />
    </CrashGuard>
  );
}

function RoutedPage(props: { readonly route: PageRoute; readonly params: Params }) {
  const { route, params } = props;
  const [problem, setProblem] = useState<ApiProblem | undefined>(undefined);
  const [, setEdition] = useState(0);
  const Known = route.isLazy ? loaded.get(route.pattern) : (route.page as PageComponent);
  useEffect(() => {
    if (Known !== undefined) return;
    if (isPartMissing && connection.peek().state === "live") {
      window.location.reload();
      return;
    }
    const bring = route.page as () => Promise<{ readonly default: PageComponent }>;
    bring().then(
      (module) => {
        loaded.set(route.pattern, module.default);
        setEdition((edition) => edition + 1);
      },
      async (error: unknown) => {
        isPartMissing = true;
        // Whether the server is away or has no such part is told by the line to it.
        await apiGet("session").catch(() => undefined);
        setProblem(toProblem(error));
      },
    );
  }, [Known, route]);
  if (problem !== undefined) return <Missing problem={problem} />;
  if (Known === undefined) return <Loading what="the page" lines={6} />;
  return <Known params={params} />;
}

/** A page that could not be brought: it comes when the server is back. */
function Missing({ problem }: { readonly problem: ApiProblem }) {
  const isLost = connection.value.state !== "live";
  const wasLost = useRef(false);
  useEffect(() => {
    if (!isLost && wasLost.current) window.location.reload();
    wasLost.current = isLost;
  }, [isLost]);
  if (isLost) return <ProblemNote problem={noAnswer()} />;
  return <ProblemNote problem={problem} retry={() => window.location.reload()} />;
}

function find(here: string): { route: PageRoute; params: Params } | undefined {
  for (const route of pageRoutes) {
    const params = matchRoute(route.pattern, here);
    if (params !== undefined) return { route, params };
  }
  return undefined;
}
