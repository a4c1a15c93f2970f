import assert from "node:assert/strict";
import { type Bytes, section, text, unsigned, vector } from "./bytes.ts";
import { FunctionBuilder, type FunctionHandle, type Local, localAt } from "./function-builder.ts";
import { typeBytes, type Value, type ValueType } from "./value.ts";

type Params = Readonly<Record<string, ValueType>>;
type ParamLocals<P extends Params> = { readonly [K in keyof P]: Local<P[K]> };

interface FunctionParts {
  readonly handle: FunctionHandle;
  readonly body: Bytes;
}

const magicAndVersion: Bytes = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const sections = { custom: 0, type: 1, import: 2, function: 3, export: 7, code: 10 };
const kinds = { function: 0, memory: 2 };

/** Collects functions and gives the binary module that exports them all by name. */
export class ModuleBuilder {
  readonly name: string;
  readonly #functions: FunctionParts[] = [];

  constructor(name: string) {
    this.name = name;
  }

  /** A function without a result. Parameters are passed in the order they are named. */
  function<P extends Params>(
    name: string,
    params: P,
    body: (f: FunctionBuilder, params: ParamLocals<P>) => void,
  ): FunctionHandle<"none"> {
    const { builder, locals } = this.#begin(name, params);
    body(builder, locals);
    return this.#add({ name, params, result: "none" }, builder.finish(undefined));
  }

  /** A function that returns the value its body gives. */
  functionOf<R extends ValueType, P extends Params>(
    result: R,
    o: { readonly name: string; readonly params: P },
    body: (f: FunctionBuilder, params: ParamLocals<P>) => Value<R>,
  ): FunctionHandle<R> {
    const { builder, locals } = this.#begin(o.name, o.params);
    const value = body(builder, locals);
    return this.#add({ ...o, result }, builder.finish(value));
  }

  /** The module in the binary format. It imports one memory, `env.memory`. */
  encode(): Uint8Array<ArrayBuffer> {
    const functions = this.#functions;
    const handles = functions.map(({ handle }) => handle);
    return Uint8Array.from([
      ...magicAndVersion,
      ...section(sections.type, vector(handles.map(signatureOf))),
      ...section(sections.import, vector([memoryImport()])),
      ...section(sections.function, vector(handles.map(({ index }) => unsigned(index)))),
      ...section(sections.export, vector(handles.map(exportOf))),
      ...section(sections.code, vector(functions.map(({ body }) => body))),
      ...section(sections.custom, namesOf(this.name, handles)),
    ]);
  }

  #begin<P extends Params>(name: string, params: P) {
    assert(!this.#functions.some(({ handle }) => handle.name === name), `one ${name} in a module`);
    const types = Object.entries(params);
    const builder = new FunctionBuilder(
      `${this.name}.${name}`,
      types.map(([, type]) => type),
    );
    const entries = types.map(([key, type], index) => [key, localAt(builder, type, index)]);
    // Object.fromEntries forgets which key has which type.
    return { builder, locals: Object.fromEntries(entries) as ParamLocals<P> };
  }

  #add<R extends ValueType | "none">(
    o: { readonly name: string; readonly params: Params; readonly result: R },
    body: Bytes,
  ): FunctionHandle<R> {
    const handle = {
      name: o.name,
      index: this.#functions.length,
      params: Object.values(o.params),
      result: o.result,
    };
    this.#functions.push({ handle, body });
    return handle;
  }
}

function signatureOf({ params, result }: FunctionHandle): Bytes {
  const results = result === "none" ? [] : [[typeBytes[result]]];
  return [0x60, ...vector(params.map((type) => [typeBytes[type]])), ...vector(results)];
}

function memoryImport(): Bytes {
  return [...text("env"), ...text("memory"), kinds.memory, 0, ...unsigned(1)];
}

function exportOf({ name, index }: FunctionHandle): Bytes {
  return [...text(name), kinds.function, ...unsigned(index)];
}

/** The names that engines show in errors, stack traces and profiles. */
function namesOf(module: string, handles: readonly FunctionHandle[]): Bytes {
  const moduleName = section(0, text(module));
  const names = handles.map(({ name, index }) => [...unsigned(index), ...text(name)]);
  return [...text("name"), ...moduleName, ...section(1, vector(names))];
}
