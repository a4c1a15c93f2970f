import { useRef, useState } from "preact/hooks";
import type { ApiProblem } from "../api/client.ts";
import { toProblem } from "../api/problem.ts";
import { isSigningIn, may, type Role, session } from "../api/session.ts";
import { token } from "../api/token.ts";

export interface Action<Args extends readonly unknown[], T> {
  /** Does it, once at a time. Gives what it gave; undefined when it failed. */
  run(...args: Args): Promise<T | undefined>;
  readonly busy: boolean;
  readonly problem: ApiProblem | undefined;
  /** Why the caller may not, in words; undefined: they may. */
  readonly refusal: string | undefined;
  readonly result: T | undefined;
  /** Forgets what came of it, and what is still to come. */
  clear(): void;
}

/**
 * Something that changes the world, for a button. With a role it says beforehand when the caller may
 * not do it; the server is who decides, and its refusal becomes the problem.
 */
export function useAction<Args extends readonly unknown[], T>(
  act: (...args: Args) => Promise<T>,
  options: { readonly role?: Role } = {},
): Action<Args, T> {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | undefined>(undefined);
  const [result, setResult] = useState<T | undefined>(undefined);
  const isBusy = useRef(false);
  const edition = useRef(0);
  return {
    busy,
    problem,
    result,
    refusal: options.role === undefined ? undefined : refusalOf(options.role),
    clear: () => {
      edition.current++;
      setProblem(undefined);
      setResult(undefined);
    },
    run: async (...args) => {
      if (isBusy.current) return undefined;
      isBusy.current = true;
      setBusy(true);
      setProblem(undefined);
      const own = edition.current;
      try {
        const given = await act(...args);
        if (own !== edition.current) return undefined;
        setResult(() => given);
        return given;
      } catch (error) {
        if (own !== edition.current) return undefined;
        const found = toProblem(error);
        if (found.status === 401) isSigningIn.value = true;
        setProblem(found);
        return undefined;
      } finally {
        isBusy.current = false;
        setBusy(false);
      }
    },
  };
}

/** Why the caller may not do what needs this role. */
export function refusalOf(role: Role): string | undefined {
  if (may(role)) return undefined;
  const held = session.value?.role;
  if (held === null || held === undefined || token.value === undefined)
    return `Sign in with a token of role ${role} to do this.`;
  return `This needs a token of role ${role}; yours may ${held}.`;
}
