import type { TopicName } from '../../../topics/catalogue.ts';

/** The progress of one group in one partition, as the log has stored it. */
export interface PartitionLag {
  readonly topic: TopicName;
  readonly generation: number;
  readonly partition: number;
  /** Records that were ever appended. */
  readonly records: number;
  /** Records that the group has not committed. */
  readonly lag: number;
}
