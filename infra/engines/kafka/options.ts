import { FIRST_GENERATION, type TopicName } from '../../../topics/catalogue.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { TlsOptions } from '../shared/tls.ts';

export interface KafkaSasl {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: string;
}

/**
 * The number of replicas of a record, and how many of them acknowledge it
 * (infra/docs/decisions/0003-partitions-and-generations.md).
 */
export interface KafkaReplication {
  readonly factor: number;
  readonly minInSync: number;
}

export interface KafkaOptions {
  /** `host:port` of some brokers; the client discovers the others. */
  readonly brokers: readonly string[];
  /** Prefix of every topic and group, so that several services can share a cluster. */
  readonly prefix: string;
  /** Replication of topics created from now on. Three and two by default; use one and one with a single broker. */
  readonly replication?: KafkaReplication;
  readonly tls?: TlsOptions;
  readonly sasl?: KafkaSasl;
}

/** The log for operators: names, codes and counts, never a key or a value. */
export interface KafkaLogger {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const DEFAULT_REPLICATION: KafkaReplication = { factor: 3, minInSync: 2 };

/** The engine's name in errors. */
export const ENGINE = 'Kafka log';

/**
 * Returns the Kafka topic of one generation. Each generation is a separate one, because the number of partitions is
 * fixed (infra/docs/decisions/0003-partitions-and-generations.md).
 */
export function topicNameOf(prefix: string, topic: TopicName, generation: number): string {
  return `${prefix}${topic}.v${generation}`;
}

/**
 * Returns the name of a group in Kafka. Kafka groups span all topics and their members have to read the same ones. So
 * the name has the group and the topic, and the generation from the second one.
 */
export function groupIdOf(prefix: string, group: string, topic: TopicName, generation: number): string {
  const suffix = generation === FIRST_GENERATION ? '' : `.v${generation}`;
  return `${prefix}${group}.${topic}${suffix}`;
}

/** Returns the error for brokers that do not answer in time. */
export function noAnswer(): EngineUnavailableError {
  return new EngineUnavailableError(ENGINE);
}
