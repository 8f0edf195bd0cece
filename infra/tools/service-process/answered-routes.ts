import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder in which the test processes of one run note what their services have answered. Unset outside of a run. */
const FOLDER_VARIABLE = 'SVC_TEST_ANSWERED_ROUTES';

/** Statuses from here on are refusals. */
const REFUSED_FROM = 400;

/** Notes the routes that answered something else than an error, by the log of a service that a test has used. */
export function noteAnsweredRoutes(log: string): void {
  const folder = process.env[FOLDER_VARIABLE];
  const routes = answeredRoutes(log);
  if (folder === undefined || routes.length === 0) return;
  writeFileSync(join(folder, randomUUID()), routes.join('\n'));
}

/** Every route that was noted in this run, or null outside of one. */
export function notedRoutes(): ReadonlySet<string> | null {
  const folder = process.env[FOLDER_VARIABLE];
  if (folder === undefined) return null;
  return new Set(readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n')));
}

function answeredRoutes(log: string): string[] {
  const answered = new Set<string>();
  for (const line of log.split('\n')) {
    if (!line.includes('"RequestAnswered"')) continue;
    const { route, status } = JSON.parse(line) as { route: string | null; status: number | null };
    if (route !== null && status !== null && status < REFUSED_FROM) answered.add(route);
  }
  return [...answered];
}
