import type { KafkaMessage, Message } from 'kafkajs';

/** The header of control records. Other records have no header. */
const HEADER = 'svc';
const CLOSING = 'closing';
const PROBE = 'probe';

/** A placeholder, because every record needs a key. */
const KEY = '-';

type Headers = Pick<KafkaMessage, 'headers'>;

/** Returns the last record of a closed partition. Every record behind it belongs to the next generation. */
export function closingMarker(partition: number): Message {
  return { key: KEY, value: '', partition, headers: { [HEADER]: CLOSING } };
}

/**
 * Returns a record of at least `bytes` bytes. Appending it tells if a partition still takes records longer than a
 * marker.
 */
export function probe(partition: number, bytes: number): Message {
  return { key: KEY, value: '-'.repeat(bytes), partition, headers: { [HEADER]: PROBE } };
}

/** True if a record is a marker or probe of the log. Handlers never receive it. */
export function isControl({ headers }: Headers): boolean {
  return headers?.[HEADER] !== undefined;
}

export function isClosingMarker({ headers }: Headers): boolean {
  return String(headers?.[HEADER]) === CLOSING;
}
