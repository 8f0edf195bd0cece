import { isoTime } from '../../schemas/base/time.ts';
import { historyQuerySchema, historySchema } from '../../schemas/operations/history.ts';
import { operationsSummarySchema, topicListSchema } from '../../schemas/operations/summary.ts';
import { activitySchema } from '../../schemas/operations/tallies.ts';
import { operator } from '../audiences.ts';
import type { Route } from '../http/routing/route.ts';
import { summaryOf } from './summary.ts';
import { topicsOf } from './topics.ts';

const readSummaryRoute = operator.get('/summary', {
  name: 'readOperationsSummary',
  summary: 'Read the health of processes and engines, and the lag of topics',
  description:
    'Returns what all processes have told about themselves in the latest seconds. It waits for no engine that is down: numbers that are old then say since when.',
  // No counter is asked: these numbers are needed while its engine is down.
  rate: 'none',
  success: { status: 200, schema: operationsSummarySchema, description: 'The numbers of all processes' },
  async handle({ services: { board, clock } }) {
    return { body: summaryOf(await board.read(), board.history, clock.now()) };
  },
});

const listTopicsRoute = operator.get('/topics', {
  name: 'listTopics',
  summary: 'List the topics with the partitions that are behind or halted',
  description: 'Returns the topics of the summary with the partitions that are behind or halted.',
  rate: 'none',
  success: { status: 200, schema: topicListSchema, description: 'The topics by group' },
  async handle({ services: { board, clock } }) {
    const [reading, now] = [await board.read(), clock.now()];
    const topics = topicsOf(reading, board.history, now);
    return { body: { at: isoTime(now), isCurrent: reading.isCurrent, topics } };
  },
});

const readHistoryRoute = operator.get('/history', {
  name: 'readOperationsHistory',
  summary: 'Read requests, lag and age over time',
  description:
    'Returns the numbers of the summary over time. A gateway keeps them for the one that starts after it; at most the last minute is lost.',
  rate: 'none',
  query: historyQuerySchema,
  success: { status: 200, schema: historySchema, description: 'One value for each step of the range' },
  async handle({ query: { range }, services: { board, clock } }) {
    return { body: board.history.read(range, clock.now()) };
  },
});

const readActivityRoute = operator.get('/activity', {
  name: 'readActivity',
  summary: 'Read what happens to workspaces by the hour',
  description:
    'Counts workspaces, feedback and runs by the hour, and lists quotas that are nearly used up. It waits for no engine that is down.',
  rate: 'none',
  success: { status: 200, schema: activitySchema, description: 'The latest 24 hours' },
  async handle({ services: { board, clock, limits } }) {
    const { isCurrent } = await board.read();
    return { body: { ...board.activity.read(clock.now(), limits.workspace.previewMs), isCurrent } };
  },
});

/** The routes for the numbers of all processes. */
export const summaryRoutes: readonly Route[] = [
  readSummaryRoute,
  listTopicsRoute,
  readHistoryRoute,
  readActivityRoute,
];
