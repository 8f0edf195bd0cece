import type { QueryClient } from '@tanstack/preact-query';
import { randomId } from '../../shared/random-id.ts';
import { keepBesideDrafts, keptBesideDrafts } from '../parts/form/draft.ts';

/** An input that was sent and not answered. */
export interface Sent<Input> {
  readonly input: Input;
  /** The idempotency key, which every try of the input has. */
  readonly key: string;
  /** True once an answer was lost, by a reload too. */
  readonly isLost: boolean;
}

/** The inputs of one change that were sent and not answered. With a name, they outlast a reload. */
export class Unanswered<Input> {
  readonly #queries: QueryClient;
  readonly #name: string | undefined;
  /** By the content of the input. */
  readonly #sent: Map<string, Sent<Input>>;

  constructor(queries: QueryClient, name: string | undefined) {
    this.#queries = queries;
    this.#name = name === undefined ? undefined : `sent/${name}`;
    const kept =
      this.#name === undefined ? null : keptBesideDrafts<Record<string, Sent<Input>>>(queries, this.#name);
    this.#sent = new Map(Object.entries(kept ?? {}).map(([at, sent]) => [at, { ...sent, isLost: true }]));
  }

  /** The request whose answer an earlier page waited for, or null. */
  first(): Sent<Input> | null {
    const [sent = null] = this.#sent.values();
    return sent;
  }

  /** Notes that an input is sent. Returns it as it was sent first. */
  send(input: Input): Sent<Input> {
    const sent = this.#sent.get(nameOf(input)) ?? { input, key: randomId(), isLost: false };
    this.#keep(input, sent);
    return sent;
  }

  /** Notes that the answer to an input was lost. */
  lose(input: Input): void {
    const sent = this.#sent.get(nameOf(input));
    if (sent !== undefined) this.#keep(input, { ...sent, isLost: true });
  }

  /** Notes that an input was answered. */
  end(input: Input): void {
    this.#sent.delete(nameOf(input));
    this.#write();
  }

  clear(): void {
    this.#sent.clear();
    this.#write();
  }

  #keep(input: Input, sent: Sent<Input>): void {
    this.#sent.set(nameOf(input), sent);
    this.#write();
  }

  #write(): void {
    if (this.#name === undefined) return;
    const all = this.#sent.size === 0 ? null : Object.fromEntries(this.#sent);
    keepBesideDrafts(this.#queries, this.#name, all);
  }
}

/** True if a change was sent under this name and not answered: its form has to be open to find out what it did. */
export function isUnanswered(queries: QueryClient, name: string): boolean {
  return keptBesideDrafts(queries, `sent/${name}`) !== null;
}

/** Names an input by its content. */
export function nameOf(input: unknown): string {
  return JSON.stringify(input) ?? '';
}
