import { describe, expect, it } from 'vitest';
import { check, type Evidence } from './check.ts';
import {
  acknowledged,
  answered,
  BEGAN_AT,
  creation,
  INSTALLATION,
  promisedWorkspace,
  soundEvidence,
} from './evidence.fixture.ts';
import { type AggregateState, aggregateName } from './state.ts';

const OTHER = 'ins_bbbbbbbbbbbbbbbbbbbbbbbb';
const NAME = aggregateName('workspaces', INSTALLATION);

const kinds = (evidence: Evidence) => check(evidence).map(({ kind }) => kind);

function storedIn({ stored }: Evidence, name = NAME): AggregateState {
  const state = stored.get(name);
  if (state === undefined) throw new Error('looking for what a sound service stores');
  return state;
}

/** The same evidence with another state of an aggregate, or none. */
function withStored(evidence: Evidence, name: string, state: AggregateState | null): Evidence {
  const stored = new Map(evidence.stored);
  if (state === null) stored.delete(name);
  else stored.set(name, state);
  return { ...evidence, stored };
}

describe('what a sound service leaves behind', () => {
  it('gives nothing to find', () => {
    expect(check(soundEvidence([creation(), creation(OTHER)]))).toEqual([]);
  });

  it('gives nothing to find where a request was sent, recorded and acknowledged several times', () => {
    const evidence = soundEvidence([creation(), creation(), creation()]);
    const [first] = evidence.operations;
    const twice = {
      ...acknowledged([promisedWorkspace()]),
      attempts: [...(first?.attempts ?? []), ...(first?.attempts ?? [])],
    };
    expect(check({ ...evidence, operations: [twice] })).toEqual([]);
  });
});

describe('a loss', () => {
  it('is an acknowledged request that the state knows nothing of', () => {
    const evidence = soundEvidence();
    const operations = [...evidence.operations, acknowledged([promisedWorkspace(OTHER)])];
    expect(kinds({ ...evidence, operations })).toEqual(['lost']);
  });

  it('is a promise that the state does not keep', () => {
    const evidence = soundEvidence();
    const says = {
      what: 'attached',
      holds: ({ attachment }: Record<string, unknown>) => attachment !== null,
    };
    const operations = [acknowledged([{ ...promisedWorkspace(), says }])];
    expect(check({ ...evidence, operations })).toMatchObject([
      { kind: 'lost', what: expect.stringContaining('is not attached'), operation: operations[0] },
    ]);
  });

  it('is a record whose aggregate is not in the store', () => {
    expect(kinds(withStored(soundEvidence(), NAME, null))).toEqual(['lost', 'lost']);
  });

  it('is a command that a fold asked for and no processor appended', () => {
    const record = {
      ...creation(),
      value: creation().value.replace('"products":[]', '"products":["svcimport"]'),
    };
    const evidence = soundEvidence([record]);
    expect(check(evidence)).toEqual([]);
    const records = evidence.records.filter(({ topic }) => topic === 'workspaces');
    expect(new Set(kinds({ ...evidence, records }))).toEqual(new Set(['lost']));
  });
});

describe('a double', () => {
  it('is a row that a record made and no answer named', () => {
    const evidence = soundEvidence([creation(), creation(OTHER)]);
    const operations = evidence.operations.slice(0, 1);
    expect(kinds({ ...evidence, operations })).toEqual(['doubled']);
  });

  it('is a request that is told something else when it is repeated', () => {
    const evidence = soundEvidence([creation(), creation(OTHER)]);
    const [one, two] = evidence.operations.map(({ attempts }) => attempts);
    const operations = [{ ...acknowledged([]), attempts: [...(one ?? []), ...(two ?? [])] }];
    expect(kinds({ ...evidence, operations })).toEqual(['contradiction']);
  });

  it('is a request that is refused after it was acknowledged', () => {
    const evidence = soundEvidence();
    const [operation] = evidence.operations;
    const refused = answered(acknowledged([]), 'refused', '409 state_conflict').attempts;
    const operations = [{ ...acknowledged([]), attempts: [...(operation?.attempts ?? []), ...refused] }];
    expect(kinds({ ...evidence, operations })).toEqual(['contradiction']);
  });
});

describe('state that nothing explains', () => {
  it('is a phantom when no record made it', () => {
    const evidence = soundEvidence();
    const phantom = { ...storedIn(evidence), id: OTHER };
    const name = aggregateName('workspaces', OTHER);
    expect(new Set(kinds(withStored(evidence, name, phantom)))).toEqual(new Set(['phantom']));
  });

  it('is a disagreement when the topic makes something else of it', () => {
    const evidence = soundEvidence();
    const state = storedIn(evidence);
    const changes: Partial<AggregateState>[] = [
      { root: { ...state.root, sequence: 2 } },
      { applied: { generation: 1, offset: 7 } },
      { rows: new Map([...state.rows].slice(1)) },
      { rows: new Map([...state.rows, ['credential/another', {}]]) },
      { rows: new Map([...state.rows].map(([name, document]) => [name, { ...document, at: BEGAN_AT - 1 }])) },
    ];
    for (const change of changes) {
      expect(kinds(withStored(evidence, NAME, { ...state, ...change }))).toEqual(['disagreement']);
    }
  });
});

describe('an answer', () => {
  it('has to come in the end', () => {
    const evidence = soundEvidence();
    const operations = [...evidence.operations, answered(acknowledged([]), 'unknown', '503 unavailable')];
    expect(kinds({ ...evidence, operations })).toEqual(['unconverged']);
  });

  it('has to be one that the client had reason to expect', () => {
    const evidence = soundEvidence();
    const refused = answered(acknowledged([]), 'refused', '500 internal_error');
    expect(kinds({ ...evidence, operations: [...evidence.operations, refused] })).toEqual(['unexpected']);
    const expected = { ...refused, refusals: ['internal_error'] };
    expect(kinds({ ...evidence, operations: [...evidence.operations, expected] })).toEqual([]);
  });

  it('is none from the dead letters', () => {
    const evidence = soundEvidence();
    const dead = { ...creation(), topic: 'dead-letters' } as const;
    expect(kinds({ ...evidence, records: [...evidence.records, dead] })).toEqual(['unexpected']);
  });
});

describe('a quota', () => {
  const quota = { name: 'workspaces', limit: 2 };
  const third = 'ins_cccccccccccccccccccccccc';
  const records = [creation(), creation(OTHER), creation(third)];

  it('is exceeded by one grant too many', () => {
    const evidence = soundEvidence(records);
    const operations = evidence.operations.map((operation) => ({ ...operation, quota }));
    expect(kinds({ ...evidence, operations })).toEqual(['quota']);
  });

  it('is not kept by a refusal before it is used up', () => {
    const evidence = soundEvidence(records.slice(0, 1));
    const refused = answered(acknowledged([]), 'refused', '409 limit_reached');
    const operations = [...evidence.operations, refused].map((operation) => ({ ...operation, quota }));
    expect(kinds({ ...evidence, operations })).toEqual(['quota']);
  });

  it('is exact when the refusals begin where it ends', () => {
    const evidence = soundEvidence(records.slice(0, 2));
    const refused = answered(acknowledged([]), 'refused', '409 limit_reached');
    const operations = [...evidence.operations, refused].map((operation) => ({ ...operation, quota }));
    expect(kinds({ ...evidence, operations })).toEqual([]);
  });
});
