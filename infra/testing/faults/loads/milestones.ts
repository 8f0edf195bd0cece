import { createHash, randomUUID } from 'node:crypto';
import { DEFAULT_LIMITS } from '../../../../schemas/limits.ts';
import type { Customer, Told } from '../customer.ts';
import type { Promised } from '../history.ts';
import { bodyOf, createWorkspace, granted, type Load, WORKSPACE_ROOTS, type Workspace } from './load.ts';

const { checklists: CHECKLISTS_MAX, checklistEnrollments: ENROLLMENTS_MAX } = DEFAULT_LIMITS.plans.preview;

const SCHEMA_VERSION = '2026-09-07';
const STEPS = ['invite', 'connect', 'ship'] as const;
const ORIGIN = 'https://app.example';
const CONFIGURATION = {
  name: 'Getting started',
  allowedOrigins: [ORIGIN],
  steps: STEPS.map((key) => ({ key, label: key, description: `How to ${key}.`, actionPath: `/${key}` })),
};

/** Users of the customer's, two more than may be enrolled. */
const USERS = Array.from({ length: ENROLLMENTS_MAX + 2 }, (_, user) => `user ${user}`);

/** A page polls its progress. */
const PROGRESS_READS = 10;

interface Checklist {
  readonly checklistId: string;
}

interface Progress {
  readonly complete: boolean;
}

interface Summary {
  readonly enrollments: number;
  readonly complete: number;
  readonly acceptedEvents: number;
}

/** Backends: events of many users of one checklist at the same time, up to the limit of a preview; and a page's progress. */
export const milestonesLoad: Load = {
  name: 'milestones',
  counted: [WORKSPACE_ROOTS, { table: 'activate', kind: 'checklist' }],
  async tell(customer) {
    const backend = new ReportingBackend(customer, await createWorkspace(customer, ['svcactivate']));
    const made = await Promise.all(Array.from({ length: CHECKLISTS_MAX + 1 }, () => backend.create()));
    const checklist = made.find((told) => told.kind === 'acknowledged');
    if (checklist === undefined) return;
    const first = await Promise.all(USERS.map((user) => backend.report(checklist.body, user, STEPS[0])));
    const enrolled = USERS.filter((_, index) => first[index]?.kind === 'acknowledged');
    await Promise.all(enrolled.map((user) => backend.report(checklist.body, user, STEPS[1])));
    const [user] = enrolled;
    if (user === undefined) return;
    const accepted = 2 * enrolled.length + 1;
    const last = await backend.report(checklist.body, user, STEPS[2], accepted);
    bodyOf('report milestone', last);
    await backend.compare(checklist.body, user, {
      enrollments: enrolled.length,
      complete: 1,
      acceptedEvents: accepted,
    });
  },
};

class ReportingBackend {
  readonly #customer: Customer;
  readonly #workspace: Workspace;
  readonly #base: string;

  constructor(customer: Customer, workspace: Workspace) {
    this.#customer = customer;
    this.#workspace = workspace;
    this.#base = `/v1/installations/${workspace.installationId}/svcactivate/checklists`;
  }

  create(): Promise<Told<Checklist>> {
    const { installationId, credential: bearer } = this.#workspace;
    const json = {
      schemaVersion: SCHEMA_VERSION,
      idempotencyKey: randomUUID(),
      configuration: CONFIGURATION,
    };
    return this.#customer.intent<Checklist>({
      name: 'create checklist',
      quota: { name: `checklists of ${installationId}`, limit: CHECKLISTS_MAX },
      request: { method: 'POST', path: this.#base, bearer, json },
      status: 201,
      promises: ({ checklistId }) => [
        { row: { table: 'activate', aggregate: installationId, kind: 'checklist', id: checklistId } },
      ],
    });
  }

  /** Compares the counts, and the progress that the page of a user reads, with what was accepted. */
  async compare({ checklistId }: Checklist, user: string, expected: Summary): Promise<void> {
    const { credential: bearer } = this.#workspace;
    const path = `${this.#base}/${checklistId}`;
    const summary = await this.#customer.read<Summary>({
      method: 'GET',
      path: `${path}/summary?revision=1&cohort=test`,
      bearer,
    });
    for (const [name, count] of Object.entries(expected)) {
      const seen = summary[name as keyof Summary];
      const kind = seen < count ? 'lost' : 'doubled';
      if (seen !== count) this.#customer.observe(kind, `${checklistId}: ${seen} ${name} of ${count}`);
    }
    const { token } = await granted<{ readonly token: string }>(this.#customer, {
      name: 'create progress session',
      request: {
        method: 'POST',
        path: `${path}/sessions`,
        bearer,
        key: randomUUID(),
        json: {
          schemaVersion: SCHEMA_VERSION,
          subjectDigest: digestOf(user),
          cohort: 'test',
          origin: ORIGIN,
        },
      },
      status: 201,
      promises: () => [],
    });
    const progress = { method: 'GET', path: '/v1/activate/progress', bearer: token, origin: ORIGIN } as const;
    for (let look = 1; look <= PROGRESS_READS; look += 1) {
      const { complete } = await this.#customer.read<Progress>(progress);
      if (!complete) this.#customer.observe('lost', `${checklistId}: a page does not see the last step`);
    }
  }

  /** @param accepted with the last event of a story: how many have been accepted with it, each exactly once */
  report(
    { checklistId }: Checklist,
    user: string,
    eventKey: string,
    accepted?: number,
  ): Promise<Told<unknown>> {
    const { installationId, credential: bearer } = this.#workspace;
    const row = { table: 'activate', aggregate: installationId, kind: '', id: '' } as const;
    const counted: Promised = {
      row,
      says: {
        what: `at ${ENROLLMENTS_MAX} enrollments and ${accepted} events`,
        holds: ({ enrollmentsMade, eventsAccepted }) =>
          enrollmentsMade === ENROLLMENTS_MAX && eventsAccepted === accepted,
      },
    };
    return this.#customer.intent({
      name: 'report milestone',
      // The last users find the checklist full.
      refusals: ['limit_reached'],
      request: {
        method: 'POST',
        path: `${this.#base}/${checklistId}/events`,
        bearer,
        json: {
          schemaVersion: SCHEMA_VERSION,
          idempotencyKey: randomUUID(),
          subjectDigest: digestOf(user),
          cohort: 'test',
          eventKey,
        },
      },
      status: 200,
      promises: () => [accepted === undefined ? { row } : counted],
    });
  }
}

function digestOf(user: string): string {
  return createHash('sha256').update(user).digest('hex');
}
