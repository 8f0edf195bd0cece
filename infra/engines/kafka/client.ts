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

/** How long a broker may take to accept a connection, and to let us in. */
const CONNECT_TIMEOUT_MS = 3_000;
const AUTHENTICATION_TIMEOUT_MS = 5_000;

/** How long a broker may take for one answer. */
export const REQUEST_TIMEOUT_MS = 5_000;

/** Attempts of the client itself within one call; the callers have bounds of their own around them. */
export const CLIENT_RETRIES: RetryOptions = {
  retries: 3,
  initialRetryTime: 100,
  multiplier: 2,
  maxRetryTime: 1_000,
};

const CLIENT_ID = 'svc';

/**
 * A client of its own for one producer, consumer or administrator: kafkajs shares the committed offsets of a group among
 * everything that one client makes.
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
    logCreator: () => (entry) => report(logger, entry),
    ...(tls === undefined ? {} : { ssl: nodeTlsOptions(tls) }),
    ...(sasl === undefined ? {} : { sasl: { ...sasl } as SASLOptions }),
  };
  return new kafkajs.Kafka(config);
}

/** Passes on what the client has to say without its stacks. They are warnings: it tries again, or our caller is told. */
function report(logger: KafkaLogger, { namespace, log }: LogEntry): void {
  const { message, broker, groupId, topic, partition } = log;
  logger.warn({ client: namespace, said: message, broker, groupId, topic, partition }, 'KafkaClientWarned');
}
