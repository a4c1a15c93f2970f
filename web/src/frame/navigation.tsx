import { zoneName } from "../format.ts";
import { path } from "../router.ts";
import { Link } from "../ui/link.tsx";
import { isCurrent, navigationGroups } from "./navigation-entries.ts";
import { ThemeSwitch } from "./theme-switch.tsx";
import { Who } from "./who.tsx";
import "./navigation.css";

/** The way around, at the side; on small screens a sheet that the menu button opens. */
export function Navigation(props: { readonly isOpen: boolean; readonly onGo: () => void }) {
  const here = path.value;
  return (
    <aside class={props.isOpen ? "nav nav-open" : "nav"} id="navigation" aria-label="Tessera">
      <Link href="/" class="nav-brand" onClick={props.onGo}>
        <Logo />
        Tessera
      </Link>
      <nav aria-label="Pages">
        {navigationGroups.map((group) => (
          <div class="nav-group" key={group.title}>
            {group.title === "" ? null : <p class="nav-title">{group.title}</p>}
            <ul>
              {group.entries.map((entry) => (
                <li key={entry.href}>
                  <Link
                    href={entry.href}
                    class="nav-link"
                    onClick={props.onGo}
                    {...(isCurrent(entry, here) ? { "aria-current": "page" as const } : {})}
                  >
                    {entry.title}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div class="nav-end">
        <ThemeSwitch />
        <p class="small muted">Times are {zoneName()}.</p>
        <Who />
      </div>
    </aside>
  );
}

function Logo() {
  return (
    <svg viewBox="0 0 24 24" class="nav-logo" aria-hidden="true">
      <rect x="2" y="2" width="9" height="9" rx="2" fill="var(--accent)" />
      <rect x="13" y="2" width="9" height="9" rx="2" fill="var(--accent)" opacity=".55" />
      <rect x="2" y="13" width="9" height="9" rx="2" fill="var(--accent)" opacity=".55" />
      <path
        d="M13.5 17.5l3 3 5-6"
        fill="none"
        stroke="var(--pass)"
        stroke-width="2.6"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
