import { describe, expect, it } from 'vitest';
import { acknowledged } from './evidence.fixture.ts';
import type { Operation } from './history.ts';
import { markdown, table } from './report.ts';

const INJECTED = [
  { fault: 'kill Kafka', beganAt: 10, mendedAt: 1_010, recoveredAt: 3_010 },
  { fault: 'kill Redis', beganAt: 5_000, mendedAt: 6_000, recoveredAt: null },
] as const;

function answeredAt(endedAt: number): Operation {
  const [attempt] = acknowledged([]).attempts;
  if (attempt === undefined) throw new Error('answering an operation without an attempt');
  return { ...acknowledged([]), attempts: [{ ...attempt, endedAt }] };
}

/** The same, after an attempt that got no answer. */
function repeatedAt(endedAt: number): Operation {
  const { attempts, ...operation } = answeredAt(endedAt);
  return {
    ...operation,
    attempts: [{ endedAt: 1, answer: 'unknown', said: '503', promised: [] }, ...attempts],
  };
}

describe('the table of a run', () => {
  it('is the same in Markdown', () => {
    expect(markdown([answeredAt(1)], [], [])).toBe(
      `| fault                  | times injected | acknowledged | lost | doubled | recovered after |
| ---------------------- | -------------- | ------------ | ---- | ------- | --------------- |
| before the first fault |                | 1            | 0    | 0       |                 |
| total                  | 0              | 1            | 0    | 0       |                 |

0 requests were left without a definite answer; sent again with the same key, 0 got one.
`,
    );
  });

  it('counts each operation under the fault during which it was answered', () => {
    const operations = [answeredAt(1), answeredAt(20), repeatedAt(4_999), answeredAt(5_001)];
    const [, , kafka, redis] = operations;
    const findings = [
      { kind: 'lost', what: 'x', operation: kafka ?? null },
      { kind: 'contradiction', what: 'x', operation: redis ?? null },
      { kind: 'doubled', what: 'x', operation: null },
    ] as const;
    expect(table(operations, INJECTED, findings).map((line) => line.split(/ {2,}/))).toEqual([
      ['fault', 'times injected', 'acknowledged', 'lost', 'doubled', 'recovered after'],
      ['before the first fault', '1', '0', '0'],
      ['kill Kafka', '1', '2', '1', '0', '2.0 s'],
      ['kill Redis', '1', '1', '0', '1', 'never'],
      ['total', '2', '4', '1', '2'],
      ['1 requests were left without a definite answer; sent again with the same key, 1 got one.'],
      ['1 of them belong to no single request.'],
    ]);
  });
});
