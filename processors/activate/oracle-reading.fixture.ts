import {
  type ActivateRoot,
  enrollmentDocumentSchema,
  RECORD_EVENT_OPERATION,
  SUBJECT_COHORTS,
  sessionsDocumentSchema,
  summaryDocumentSchema,
  summaryRowId,
} from '../../schemas/activate/documents.ts';
import { activateProduct } from '../../schemas/activate/product.ts';
import { activeSessions, emptySummary } from '../../schemas/activate/progress.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { Limits } from '../../schemas/limits.ts';
import { checklistIdOf, configuration, enrollmentOf } from './activate-world.fixture.ts';
import type { Oracle, Subject } from './oracle.fixture.ts';

/** All subjects and checklists that can occur. */
export interface Universe {
  readonly checklists: readonly string[];
  readonly users: readonly string[];
}

/** The stored checklists of an installation, at a time. */
export interface StoredChecklists {
  readonly root: ActivateRoot;
  readonly now: number;
  readonly rows: readonly { readonly kind: string; readonly id: string; readonly document: JsonObject }[];
}

/** Everything that can be read, by what it is about. */
type Reading = Readonly<Record<string, unknown>>;

/** Describes the stored documents in the oracle's words. */
export function readingOf(stored: StoredChecklists, limits: Limits, universe: Universe): Reading {
  const { root, now, rows } = stored;
  const documents = new Map(rows.map(({ kind, id, document }) => [`${kind}/${id}`, document]));
  const plan = root.lifecycle?.plan ?? 'preview';
  const reading: Record<string, unknown> = {
    used: {
      checklists: root.checklistsMade,
      enrollments: root.enrollmentsMade,
      events: activateProduct.quotaOf('checklistEvents', { root, limits, context: { now } }, plan).used,
    },
    remembered: rows.filter(
      ({ kind, id }) => kind === 'outcome' && id.startsWith(`${RECORD_EVENT_OPERATION}:`),
    ).length,
  };
  for (const { kind, id, document } of rows) {
    if (kind === 'summary') reading[`summary ${id}`] = summaryDocumentSchema.parse(document);
  }
  for (const subject of subjectsOf(universe)) {
    const id = enrollmentOf(subject.user, subject.cohort, subject.checklist);
    const enrollment = documents.get(`enrollment/${id}`);
    const sessions = documents.get(`sessions/${id}`);
    const open = sessions === undefined ? null : sessionsDocumentSchema.parse(sessions);
    const { revision, milestones } =
      enrollment === undefined
        ? { revision: null, milestones: [] }
        : enrollmentDocumentSchema.parse(enrollment);
    reading[nameOf(subject)] = {
      revision,
      completed: milestones.map(([step]) => step),
      sessions: activeSessions(open, now).map(({ digest }) => digest),
    };
  }
  return withoutEmpty(reading);
}

/** The description that the oracle expects. */
export function expectedReading(oracle: Oracle, universe: Universe): Reading {
  const reading: Record<string, unknown> = { used: oracle.used, remembered: oracle.remembered };
  for (const name of universe.checklists) {
    for (let revision = 1; revision <= oracle.revisions(name).length; revision += 1) {
      for (const cohort of SUBJECT_COHORTS) {
        const id = summaryRowId(checklistIdOf(name), revision, cohort);
        reading[`summary ${id}`] = oracle.summary(name, revision, cohort);
      }
    }
  }
  for (const subject of subjectsOf(universe)) {
    reading[nameOf(subject)] = {
      revision: oracle.revisionOf(subject),
      completed: oracle.completedBy(subject),
      sessions: oracle.sessionsOf(subject).map(({ digest }) => digest),
    };
  }
  return withoutEmpty(reading);
}

function subjectsOf({ checklists, users }: Universe): Subject[] {
  return checklists.flatMap((checklist) =>
    SUBJECT_COHORTS.flatMap((cohort) => users.map((user) => ({ checklist, cohort, user }))),
  );
}

function nameOf({ checklist, cohort, user }: Subject): string {
  return `subject ${checklist} ${cohort} ${user}`;
}

/** A summary without subjects need not be stored. */
function withoutEmpty(reading: Record<string, unknown>): Reading {
  const kept = Object.entries(reading).filter(([name, value]) => {
    if (!name.startsWith('summary ')) return true;
    const { completed } = summaryDocumentSchema.parse(value);
    const keys = completed.map((_, index) => `step_${index}`);
    return JSON.stringify(value) !== JSON.stringify(emptySummary(configuration(keys)));
  });
  return Object.fromEntries(kept);
}
