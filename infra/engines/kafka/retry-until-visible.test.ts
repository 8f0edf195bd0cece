import kafkajs, { type KafkaJSProtocolError } from 'kafkajs';
import { expect, it } from 'vitest';
import { retryUntilVisible } from './retry-until-visible.ts';

const refusal = (type: string): KafkaJSProtocolError =>
  Object.assign(new kafkajs.KafkaJSError(type, { retriable: true }), { code: 3, type });

/** As the client says it after its own retries. */
const afterRetries = (cause: Error) => Object.assign(new kafkajs.KafkaJSNonRetriableError(cause), { cause });

it.each([
  ['told by the broker', refusal('UNKNOWN_TOPIC_OR_PARTITION')],
  ['after the retries of the client', afterRetries(refusal('UNKNOWN_TOPIC_OR_PARTITION'))],
])('asks again while the topic is unknown, %s', async (_, error) => {
  let asked = 0;
  const answer = retryUntilVisible(async () => {
    asked += 1;
    if (asked < 3) throw error;
    return asked;
  });
  expect(await answer).toBe(3);
});

it('gives every other error to its caller', async () => {
  const error = afterRetries(refusal('TOPIC_AUTHORIZATION_FAILED'));
  await expect(retryUntilVisible(() => Promise.reject(error))).rejects.toBe(error);
});
