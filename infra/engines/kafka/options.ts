import { FIRST_GENERATION, type TopicName } from '../../../topics/catalogue.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { TlsOptions } from '../shared/tls.ts';

export interface KafkaSasl {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: string;
}

/** How often a record is stored, and on how many brokers before it is acknowledged (design rule 14). */
export interface KafkaReplication {
  readonly factor: number;
  readonly minInSync: number;
}

export interface KafkaOptions {
  /** `host:port` of some brokers; the client learns of the others. */
  readonly brokers: readonly string[];
  /** Stands before every topic and group, so that several services can share a cluster. */
  readonly prefix: string;
  /** Of topics that are made from now on. Three and two unless given; one and one suit a single broker. */
  readonly replication?: KafkaReplication;
  readonly tls?: TlsOptions;
  readonly sasl?: KafkaSasl;
}

/** What the adapter tells operators: names, codes and counts, never a key or a value. */
export interface KafkaLogger {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const DEFAULT_REPLICATION: KafkaReplication = { factor: 3, minInSync: 2 };

/** What errors call this engine. */
export const ENGINE = 'Kafka log';

/** Every generation of a topic is a Kafka topic of its own, because the number of partitions is fixed (design rule 14). */
export function topicNameOf(prefix: string, topic: TopicName, generation: number): string {
  return `${prefix}${topic}.v${generation}`;
}

/**
 * Kafka knows groups by one name for all topics; ours are named by group and topic, and by the generation from the second
 * one on, because the members of one group of Kafka's have to read the same topics.
 */
export function groupIdOf(prefix: string, group: string, topic: TopicName, generation: number): string {
  const suffix = generation === FIRST_GENERATION ? '' : `.v${generation}`;
  return `${prefix}${group}.${topic}${suffix}`;
}

/** The error for brokers that do not answer in time. */
export function noAnswer(): EngineUnavailableError {
  return new EngineUnavailableError(ENGINE);
}
