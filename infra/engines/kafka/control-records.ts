import type { KafkaMessage, Message } from 'kafkajs';

/** The header that tells records of the log itself from those of its writers, who set none. */
const HEADER = 'svc';
const CLOSING = 'closing';
const PROBE = 'probe';

/** A command has a key, so this has one: that of nothing. */
const KEY = '-';

type Headers = Pick<KafkaMessage, 'headers'>;

/** The last record of a partition that is closed: whatever comes behind it belongs to the next generation. */
export function closingMarker(partition: number): Message {
  return { key: KEY, value: '', partition, headers: { [HEADER]: CLOSING } };
}

/** A record of at least so many bytes, which asks whether a partition still takes what is longer than a marker. */
export function probe(partition: number, bytes: number): Message {
  return { key: KEY, value: '-'.repeat(bytes), partition, headers: { [HEADER]: PROBE } };
}

/** Whether a record is the log's own and nobody's to handle. */
export function isControl({ headers }: Headers): boolean {
  return headers?.[HEADER] !== undefined;
}

export function isClosingMarker({ headers }: Headers): boolean {
  return String(headers?.[HEADER]) === CLOSING;
}
