import type { z } from "zod";

/** What a computed default may look at. */
export interface DefaultContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home directory. */
  readonly home: string;
  /** The resolved value of a setting declared before this one. */
  value(key: string): unknown;
}

/**
 * One key of the configuration: how it is read, what it is when nobody sets it, and what the
 * documentation says about it. The file, the environment, flags, `docs/configuration.md` and the
 * JSON Schema all come from this.
 */
export interface Setting<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  readonly description: string;
  /** The value when nothing sets it, as a user would write it. Absent: the key stays unset. */
  readonly default?: Written<Schema> | ((context: DefaultContext) => Written<Schema>);
  /** What the documentation says when the default is computed. */
  readonly defaultText?: string;
  readonly examples?: readonly Written<Schema>[];
  /** Its name in the resolved object, where that carries a unit: `bodyLimit` is `bodyLimitBytes`. */
  readonly as?: string;
  /**
   * Makes the paths in the value absolute: `~/` is the home directory, and a relative path counts
   * from the folder of the file that says it, or from the working directory.
   */
  path?(value: z.output<Schema>, absolute: (path: string) => string): z.output<Schema>;
  /** Only the file may say it; no variable does. */
  readonly fileOnly?: true;
  /** Values that carry a secret: refused in the file, masked when printed. */
  readonly secret?: (value: unknown) => boolean;
}

/** What a user may write for a schema, as a constant. */
type Written<Schema extends z.ZodType> = Frozen<z.input<Schema>>;
type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T;

/** A group of settings: one heading of the file. */
export interface Section<Items extends SectionItems = SectionItems> {
  readonly description: string;
  readonly items: Items;
}

export interface SectionItems {
  readonly [key: string]: Setting | Section;
}

/** Declares a setting, keeping its exact type. */
export function setting<const S extends z.ZodType, const Rest extends Omit<Setting<S>, "schema">>(
  schema: S,
  rest: Rest,
): { readonly schema: S } & Rest {
  return { schema, ...rest };
}

/** For `path`: the whole value is a path. */
export function wholePath(value: string, absolute: (path: string) => string): string {
  return absolute(value);
}

/** Declares a section, keeping its exact type. */
export function section<const Items extends SectionItems>(
  description: string,
  items: Items,
): Section<Items> {
  return { description, items };
}

export function isSection(item: Setting | Section): item is Section {
  return "items" in item;
}

/** The resolved object's type, as the declarations make it. */
export type ConfigOf<Items extends SectionItems> = Flat<
  {
    readonly [Key in keyof Items as Always<Items[Key]> extends true
      ? ResolvedName<Key, Items[Key]>
      : never]: ResolvedValue<Items[Key]>;
  } & {
    readonly [Key in keyof Items as Always<Items[Key]> extends true
      ? never
      : ResolvedName<Key, Items[Key]>]?: ResolvedValue<Items[Key]>;
  }
>;

type Flat<T> = { [Key in keyof T]: T[Key] };
type Always<Item> = Item extends { readonly items: unknown } | { readonly default: unknown }
  ? true
  : false;
type ResolvedName<Key, Item> = Item extends { readonly as: infer Name extends string } ? Name : Key;
type ResolvedValue<Item> = Item extends { readonly items: infer Items extends SectionItems }
  ? ConfigOf<Items>
  : Item extends { readonly schema: infer Schema extends z.ZodType }
    ? z.output<Schema>
    : never;
