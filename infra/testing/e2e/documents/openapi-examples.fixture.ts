import { createHmac } from 'node:crypto';
import type { Route } from '../../../../gateway/http/routing/route.ts';
import { EXAMPLES } from '../../../../schemas/base/examples.ts';
import { exampleSecret } from '../../../../schemas/base/secrets.ts';
import { exampleLimiterKey } from '../../../../schemas/limiter/keys.ts';
import type { SecretKind } from '../../../../schemas/products.ts';

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example?: string | number;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example: Json }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Record<string, { readonly example?: Json }> }>
  >;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

/** Ids, digests, secrets and confirm codes: values that stand for others in every service. */
const STANDS_FOR_OTHERS =
  /^(?:svc_\w+|[a-z]{3}_[a-z2-7]{24}|[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Z2-9]{4})$/;

const BEARERS: Readonly<Record<string, SecretKind>> = {
  project: 'project',
  upload: 'upload',
  capability: 'capability',
  session: 'import',
  progress: 'progress',
};

/**
 * A client that sends the examples of an OpenAPI document, as they are but for values that the service has made: the examples
 * of answers say which of them stands for which.
 */
export class ExampleClient {
  readonly #url: string;
  readonly #document: Document;
  readonly #billingSecret: string;
  readonly #operations: readonly Operation[];
  readonly #real = new Map<string, string>();
  #cookie = '';

  constructor(url: string, document: Document, billingSecret: string) {
    this.#url = url;
    this.#document = document;
    this.#operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    this.#billingSecret = billingSecret;
  }

  /** Takes a value of the service in place of one of the examples. */
  replace(example: string, real: string): void {
    this.#real.set(example, real);
  }

  /**
   * Sends the example of an operation.
   *
   * @param key for a route that takes the header `Idempotency-Key`
   * @param isLearned false: the answer replaces no value of an example
   */
  async send(
    route: Route,
    key?: string,
    isLearned = true,
  ): Promise<{ status: number; body: Json; text: string }> {
    const path = route.path.replace(/:([A-Za-z]+)/g, '{$1}');
    const method = route.method.toLowerCase();
    const operation = this.#document.paths[path]?.[method];
    if (operation === undefined) throw new Error(`finding ${route.method} ${path}`);
    const [contentType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
    const body = content === undefined ? undefined : this.#bodyOf(content.example);
    const response = await fetch(this.#url + this.#addressOf(path, operation), {
      method: route.method,
      redirect: 'manual',
      headers: {
        ...this.#credentials(route),
        ...(key !== undefined && route.idempotencyHeader === true ? { 'idempotency-key': key } : {}),
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
        ...(route.signed === true ? { 'svc-signature': this.signature(body ?? '') } : {}),
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    if (isLearned) this.take(route, response.status, text, response.headers.getSetCookie()[0] ?? '');
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, body: isJson ? JSON.parse(text) : text, text };
  }

  /** Learns from an answer which value of the service stands for which of the examples. */
  take({ name, principal }: Route, status: number, text: string, setCookie: string): void {
    const operation = this.#operations.find(({ operationId }) => operationId === name);
    const example = operation?.responses[status]?.content?.['application/json']?.example;
    if (status >= 400) return;
    if (example !== undefined) this.#learn(example, JSON.parse(text));
    // The first session is that of the owner, and the console replaces it.
    const [cookie = ''] = setCookie.split(';');
    if (this.#cookie === '' || (principal === 'console' && cookie !== '')) this.#cookie = cookie;
  }

  /** True once a page has a session for an import. */
  get hasPage(): boolean {
    return this.#real.has(exampleSecret('import'));
  }

  /** The cookie of the session; empty before there is one. */
  get cookie(): string {
    return this.#cookie;
  }

  /** Puts the values of the service in the place of those of the examples. */
  substituted(text: string): string {
    let replaced = text;
    for (const [example, real] of this.#real) replaced = replaced.replaceAll(example, real);
    return replaced;
  }

  /** The header by which a billing provider signs a body. */
  signature(body: string): string {
    const seconds = Math.floor(Date.now() / 1_000);
    const digest = createHmac('sha256', this.#billingSecret).update(`${seconds}.${body}`).digest('hex');
    return `t=${seconds},v1=${digest}`;
  }

  #addressOf(path: string, { parameters }: Operation): string {
    const query = new URLSearchParams();
    let address = path;
    for (const parameter of parameters) {
      const { name, in: where, example } = this.#resolved(parameter);
      if (example === undefined || name === 'cursor') continue;
      const value = this.substituted(String(example));
      if (where === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value));
      if (where === 'query') query.set(name, value);
    }
    return query.size === 0 ? address : `${address}?${query}`;
  }

  #resolved(parameter: Operation['parameters'][number]): Parameter {
    if (!('$ref' in parameter)) return parameter;
    const found =
      this.#document.components.parameters[parameter.$ref.replace('#/components/parameters/', '')];
    if (found === undefined) throw new Error(`resolving ${parameter.$ref}`);
    return found;
  }

  #bodyOf(example: Json): string {
    return this.substituted(typeof example === 'string' ? example : JSON.stringify(example));
  }

  #credentials({ principal, cors }: Route): Record<string, string> {
    // The first upload is an agent's, which comes from no page.
    const isOfPage = principal !== 'upload' || this.hasPage;
    const page = cors !== undefined && isOfPage ? { origin: EXAMPLES.origin } : {};
    if (principal === 'limiter') return { authorization: `Bearer ${this.substituted(exampleLimiterKey())}` };
    if (principal === 'widget') return page;
    const kind = BEARERS[principal];
    return kind === undefined
      ? { cookie: this.#cookie, origin: this.#url }
      : { authorization: `Bearer ${this.substituted(exampleSecret(kind))}`, ...page };
  }

  #learn(example: Json | undefined, real: Json | undefined): void {
    if (typeof example === 'string' && typeof real === 'string') {
      // The code of a link is in its fragment.
      const [from, to] = [example.split('#').at(-1) ?? '', real.split('#').at(-1) ?? ''];
      if (STANDS_FOR_OTHERS.test(from) && STANDS_FOR_OTHERS.test(to)) this.#real.set(from, to);
    } else if (Array.isArray(example) && Array.isArray(real)) {
      for (const [index, item] of example.entries()) this.#learn(item, real[index]);
    } else if (isObject(example) && isObject(real)) {
      for (const [name, member] of Object.entries(example)) this.#learn(member, real[name]);
    }
  }
}

function isObject(value: Json | undefined): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
