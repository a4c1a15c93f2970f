import { chooseTheme, type ThemeChoice, themeChoice } from "../theme.ts";

const choices: readonly { readonly key: ThemeChoice; readonly title: string }[] = [
  { key: "light", title: "Light" },
  { key: "system", title: "Auto" },
  { key: "dark", title: "Dark" },
];

export function ThemeSwitch() {
  return (
    <div class="theme-switch" role="radiogroup" aria-label="Theme">
      {choices.map(({ key, title }) => (
        <label key={key}>
          <input
            type="radio"
            name="theme"
            class="sr"
            checked={themeChoice.value === key}
            onChange={() => chooseTheme(key)}
          />
          {title}
        </label>
      ))}
    </div>
  );
}
