import { usageFailure } from './failure.ts';

/** A whole number that an option can hold. */
const NUMBER = /^[0-9]{1,9}$/;

/** The option values of one command line, by name. */
export class Options {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  /** Returns the value of an option that the table requires. */
  text(name: string): string {
    const value = this.optionalText(name);
    if (value === null) throw usageFailure(`--${name} is missing.`);
    return value;
  }

  optionalText(name: string): string | null {
    const value = this.#values[camelCase(name)];
    return typeof value === 'string' ? value : null;
  }

  /** Returns a whole number from 1. */
  number(name: string): number {
    const text = this.text(name);
    const value = NUMBER.test(text) ? Number(text) : 0;
    if (value < 1) throw usageFailure(`--${name}: expected a whole number from 1.`);
    return value;
  }

  flag(name: string): boolean {
    return this.#values[camelCase(name)] === true;
  }

  /** Returns the values of a list option, or null if it was not given. */
  list(name: string): readonly string[] | null {
    const value = this.#values[camelCase(name)];
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : null;
  }
}

/** Returns the name under which the parser keeps the value of an option. */
function camelCase(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
