import kafkajs, {
  type Kafka,
  type KafkaConfig,
  type LogEntry,
  type RetryOptions,
  type SASLOptions,
} from 'kafkajs';
import { nodeTlsOptions } from '../shared/tls.ts';
import { repairClient } from './client-repairs.ts';
import { registerCodecs } from './codecs.ts';
import type { KafkaLogger, KafkaOptions } from './options.ts';
import { isCoordinatorPending } from './pending-coordinator.ts';

/** Timeout for connecting to a broker and for authenticating. */
const CONNECT_TIMEOUT_MS = 3_000;
const AUTHENTICATION_TIMEOUT_MS = 5_000;

/** Timeout of one request to a broker. */
export const REQUEST_TIMEOUT_MS = 5_000;

/** Retries of the client within one call. Each caller has a timeout around them. */
const CLIENT_RETRIES: RetryOptions = {
  retries: 3,
  initialRetryTime: 100,
  multiplier: 2,
  maxRetryTime: 1_000,
};

const CLIENT_ID = 'svc';

/**
 * Creates a separate client for one producer, consumer or administrator: consumers of one client would share the
 * committed offsets of a group.
 */
export function createClient(options: KafkaOptions, logger: KafkaLogger): Kafka {
  repairClient();
  registerCodecs();
  const { brokers, tls, sasl } = options;
  const config: KafkaConfig = {
    brokers: [...brokers],
    clientId: CLIENT_ID,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    authenticationTimeout: AUTHENTICATION_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    retry: CLIENT_RETRIES,
    logLevel: kafkajs.logLevel.ERROR,
    logCreator: () => (entry) => reportClient(logger, entry),
    ...(tls === undefined ? {} : { ssl: nodeTlsOptions(tls) }),
    ...(sasl === undefined ? {} : { sasl: { ...sasl } as SASLOptions }),
  };
  return new kafkajs.Kafka(config);
}

/**
 * Logs a message of the client as a warning and without its stack: the client retries, or the caller gets the error. Leaves out
 * that a group has no coordinator yet, which is normal for a new log; the consumer logs it if it lasts.
 */
export function reportClient(logger: KafkaLogger, { namespace, log }: LogEntry): void {
  const { message, error: answer, broker, groupId, topic, partition } = log;
  if (isCoordinatorPending(`${message} ${answer}`)) return;
  logger.warn(
    { client: namespace, said: message, answer, broker, groupId, topic, partition },
    'KafkaClientWarned',
  );
}
