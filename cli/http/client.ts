import type { z } from 'zod';
import type { JsonObject } from '../../schemas/base/json.ts';
import { CommandFailure, interruption } from '../failure.ts';
import { isSafe } from './base-url.ts';
import { fetchText, type Received, type RequestBody } from './fetch-text.ts';
import { type Help, refusedFailure } from './refusals.ts';
import { withRetries } from './retries.ts';

/** The time that one answer may take. The service ends its own waits earlier. */
const ANSWER_MS = 30_000;

interface ClientOptions {
  readonly baseUrl: string;
  /** The project credential, or null for requests that need none. */
  readonly credential: string | null;
  readonly version: string;
  readonly signal: AbortSignal;
  readonly help: Help;
}

interface Asked<Answer> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly answer: z.ZodType<Answer>;
  readonly body?: JsonObject;
  /** For a request whose body has no idempotency key. */
  readonly idempotencyKey?: string;
}

interface Sent<Answer> {
  /** A whole address, which the service has answered. */
  readonly url: string;
  readonly bearer: string;
  readonly contentType: string;
  /** Returns the body for each attempt. */
  readonly body: () => ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>;
  readonly bytes: number;
  readonly timeoutMs: number;
  readonly answer: z.ZodType<Answer>;
}

/** An answer, and when the service made it. */
export interface Dated<Answer> {
  readonly body: Answer;
  /** The `Date` header, or null. */
  readonly date: Date | null;
}

/**
 * Sends requests to one service. Every request can be repeated without harm, and is: after a lost connection and a 503.
 */
export class Client {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /**
   * Sends a request and returns the body of its answer.
   *
   * @throws {CommandFailure} if the service refuses, cannot be reached, or answers in an unknown form
   */
  async ask<Answer>(asked: Asked<Answer>): Promise<Answer> {
    return (await this.askDated(asked)).body;
  }

  /** Like {@link ask}, with the time of the answer. */
  async askDated<Answer>({
    method,
    path,
    answer,
    body,
    idempotencyKey,
  }: Asked<Answer>): Promise<Dated<Answer>> {
    const { baseUrl, credential } = this.#options;
    const headers: Record<string, string> = { accept: 'application/json' };
    if (credential !== null) headers['authorization'] = `Bearer ${credential}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    const text = body === undefined ? null : JSON.stringify(body);
    const received = await this.#receive(baseUrl + path, {
      method,
      headers,
      body: () => text,
      timeoutMs: ANSWER_MS,
    });
    return { body: this.#parse(answer, received), date: received.date };
  }

  /** Sends bytes to an address that the service has answered. */
  async put<Answer>({
    url,
    bearer,
    contentType,
    body,
    bytes,
    timeoutMs,
    answer,
  }: Sent<Answer>): Promise<Answer> {
    const target = URL.parse(url);
    if (target === null || !isSafe(target)) {
      throw new CommandFailure('The service returned an upload address without HTTPS. Nothing was sent.', {
        code: 'unsafe_address',
        exit: 'failed',
      });
    }
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${bearer}`,
      'content-type': contentType,
      'content-length': String(bytes),
    };
    return this.#parse(answer, await this.#receive(url, { method: 'PUT', headers, body, timeoutMs }));
  }

  async #receive(
    url: string,
    {
      method,
      headers,
      body,
      timeoutMs,
    }: {
      readonly method: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: () => RequestBody;
      readonly timeoutMs: number;
    },
  ): Promise<Received> {
    const { signal, version, help } = this.#options;
    const request = { method, headers: { ...headers, 'user-agent': `svc-cli/${version}` }, body, timeoutMs };
    const isChange = method !== 'GET';
    try {
      const received = await withRetries({ signal, isChange }, () => fetchText(url, request, signal));
      if (received.status >= 400) throw refusedFailure(received, help, isChange);
      return received;
    } catch (error) {
      throw signal.aborted ? interruption() : error;
    }
  }

  #parse<Answer>(schema: z.ZodType<Answer>, { text }: Received): Answer {
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      const message = `Version ${this.#options.version} of this tool cannot read the service's answer. Download the current version.`;
      throw new CommandFailure(message, {
        code: 'unexpected_answer',
        exit: 'failed',
        next: ['svc', 'doctor'],
      });
    }
  }
}
