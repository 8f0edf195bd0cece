import { PRODUCTS } from '../../../schemas/products.ts';
import type { ProductWork } from '../../../schemas/workspaces/product.ts';
import {
  FIRST_GENERATION,
  foldGroupOf,
  TOPIC_NAMES,
  TOPICS,
  type Topic,
  type TopicName,
  workGroupOf,
} from '../../../topics/catalogue.ts';
import { groupIdOf } from '../../engines/kafka/options.ts';

/** The topics whose lag an autoscaler follows, and the lag that calls for one process. */
interface Scaled {
  readonly kind: Topic['kind'];
  /** The role that handles the topics; absent: those that no product gives to another role. */
  readonly role?: 'runner';
  readonly lag: number;
  groupOf(topic: TopicName): string;
}

/** The autoscalers by the names of their manifests. */
export const AUTOSCALERS: Readonly<Record<string, Scaled>> = {
  'processors-scaling.yaml': { kind: 'commands', groupOf: foldGroupOf, lag: 5_000 },
  'workers-scaling.yaml': { kind: 'work', groupOf: workGroupOf, lag: 50 },
  'runner-scaling.yaml': { kind: 'work', role: 'runner', groupOf: workGroupOf, lag: 4 },
};

/** The topics that a role handles. */
export function topicsOf({ kind, role }: Pick<Scaled, 'kind' | 'role'>): TopicName[] {
  const works: Readonly<Record<string, ProductWork>> = Object.fromEntries(
    PRODUCTS.flatMap((product) => Object.entries<ProductWork>(product.works)),
  );
  return TOPIC_NAMES.filter((topic) => TOPICS[topic].kind === kind && works[topic]?.role === role);
}

/** `SVC_NAMESPACE` of the manifests, as Kafka has it in names. */
const PREFIX = 'svc.';

const HEAD = '  triggers: # From topics/catalogue.ts, by `npm run interface`.\n';
const TRIGGERS = new RegExp(`^${HEAD}.*?(?=^---$)`, 'ms');

/**
 * Returns a manifest with one trigger for each group that handles a topic, in its first generation. Sweeps have none: they
 * stay behind on purpose.
 *
 * @throws {Error} if the manifest has no place for triggers
 */
export function withTriggers(manifest: string, { groupOf, lag, ...scaled }: Scaled): string {
  if (!TRIGGERS.test(manifest)) throw new Error('finding the place of the triggers');
  const triggers = topicsOf(scaled).map(
    (topic) => `    - type: kafka
      metadata:
        consumerGroup: ${groupIdOf(PREFIX, groupOf(topic), topic, FIRST_GENERATION)}
        bootstrapServersFromEnv: KAFKA_BROKERS
        lagThreshold: "${lag}"
        offsetResetPolicy: earliest
        sasl: scram_sha512
        tls: enable
      authenticationRef: { name: svc-kafka }
`,
  );
  return manifest.replace(TRIGGERS, [HEAD, ...triggers].join(''));
}
