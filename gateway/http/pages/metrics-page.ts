import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { digestsEqual, sha256Hex } from '../../../schemas/base/digest.ts';
import { singleHeader } from '../headers.ts';
import { type Exchange, sendAnswer } from '../routing/exchange.ts';

/** The metrics of this process, for Prometheus. */
export interface Metrics {
  /** `METRICS_TOKEN`; null: only this machine reads the metrics. */
  readonly token: string | null;
  /** Reads all metrics in the text format of Prometheus, version 0.0.4. */
  read(): Promise<string>;
}

export const METRICS_PATH = '/metrics';
const CONTENT_TYPE = 'text/plain; version=0.0.4';
const BEARER = /^bearer +([^ ]+)$/i;

/** Headers with which a proxy says that it forwards a request of another machine. */
const FORWARDED = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/**
 * True for a scrape: of a caller with the token, or without a token in the settings of this machine. A request that is none is
 * answered like every unknown path, so that nothing tells if there are metrics.
 */
export function isScrape(request: IncomingMessage, { token }: Metrics): boolean {
  if (request.url !== METRICS_PATH || request.method !== 'GET') return false;
  return token === null ? isFromThisMachine(request) : bearsToken(request, token);
}

export async function answerScrape(exchange: Exchange, metrics: Metrics): Promise<void> {
  const text = await metrics.read();
  sendAnswer(exchange, {
    status: 200,
    headers: { 'Cache-Control': 'no-store' },
    attachment: { contentType: CONTENT_TYPE, fileName: null, text },
  });
}

function bearsToken(request: IncomingMessage, token: string): boolean {
  const sent = BEARER.exec(singleHeader(request, 'authorization') ?? '')?.[1];
  // Digests, because they have one length.
  return sent !== undefined && digestsEqual(sha256Hex(sent), sha256Hex(token));
}

/** Also looks at `Host`: a page of another site that has itself resolved to this machine names its own. */
function isFromThisMachine(request: IncomingMessage): boolean {
  if (FORWARDED.some((name) => request.headers[name] !== undefined)) return false;
  const host = URL.parse(`http://${singleHeader(request, 'host') ?? ''}`)?.hostname ?? '';
  return isLoopback(request.socket.remoteAddress ?? '') && (host === 'localhost' || isLoopback(host));
}

function isLoopback(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback';
}
