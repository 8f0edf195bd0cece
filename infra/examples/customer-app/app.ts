import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import express, { type Express, type Request, type Response } from 'express';
import { createProgressSession, createSession, SvcError, subjectDigest } from 'svc-client';
import { z } from 'zod';
import type { Outbox } from './outbox.ts';
import type { People, User } from './people.ts';
import { requireSameOrigin } from './same-origin.ts';
import type { Settings } from './settings.ts';
import { inTransaction } from './transaction.ts';

const COOKIE = 'session';
/** The longest time that a page waits for a session of the service. */
const SESSION_MS_MAX = 5_000;
const PAGE = readFileSync(join(import.meta.dirname, 'page.html'), 'utf8');
const SCRIPT = readFileSync(join(import.meta.dirname, 'page.js'), 'utf8');
const STYLE = readFileSync(join(import.meta.dirname, 'page.css'), 'utf8');

export interface AppParts {
  readonly settings: Settings;
  readonly database: DatabaseSync;
  readonly people: People;
  readonly outbox: Outbox;
  /** Called after the commit that wrote an intent. */
  readonly onIntent: () => void;
}

/** The application over HTTP: signing in, two business actions, and the two sessions that its pages ask for. */
export function createApp(parts: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.get('/', (_request, response) => void page(parts.settings, response));
  app.get('/page.css', (_request, response) => void response.type('css').send(STYLE));
  app.get('/page.js', (_request, response) => void response.type('text/javascript').send(SCRIPT));
  app.get('/livez', (_request, response) => void response.json({ status: 'ok' }));
  const { APP_WELL_KNOWN_FOLDER: wellKnown } = parts.settings;
  if (wellKnown !== undefined) app.use('/.well-known', express.static(wellKnown, { index: false }));
  const api = express.Router();
  api.use(express.json({ limit: '16kb' }));
  api.get(
    '/state',
    asSignedIn(parts, (_request, response, user) => void response.json(stateOf(parts, user))),
  );
  api.use(requireSameOrigin(parts.settings.APP_ORIGIN));
  api.post('/sign-in', (request, response) => signIn(parts, request, response));
  api.post(
    '/projects',
    asSignedIn(parts, (request, response, user) => createProject(parts, request, response, user)),
  );
  api.post(
    '/invitations',
    asSignedIn(parts, (_request, response, user) => reach(parts, response, user, 'invite')),
  );
  api.post(
    '/outbox/send-again',
    asSignedIn(parts, (_request, response) => sendAgain(parts, response)),
  );
  api.post(
    '/onboarding/session',
    asSignedIn(parts, (_request, response, user) => openProgress(parts, response, user)),
  );
  api.post(
    '/import-session',
    asSignedIn(parts, (_request, response, user) => openImport(parts, response, user)),
  );
  app.use('/api', api);
  return app;
}

/** The page with its policy: the widgets need the ingest host for their scripts and their requests, and nothing more. */
function page({ SVC_URL, SVC_WIDGET_ID }: Settings, response: Response): void {
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${SVC_URL}`,
    "style-src 'self'",
    `connect-src 'self' ${SVC_URL}`,
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
  ];
  response.set('Content-Security-Policy', policy.join('; ')).type('html');
  response.send(PAGE.replaceAll('{ingest}', SVC_URL).replaceAll('{widgetId}', SVC_WIDGET_ID));
}

const signInSchema = z.strictObject({ email: z.string().max(200), password: z.string().max(200) });

async function signIn({ people, settings }: AppParts, request: Request, response: Response): Promise<void> {
  const body = signInSchema.safeParse(request.body);
  const secret = body.success ? await people.signIn(body.data.email, body.data.password) : null;
  if (secret === null) {
    response.status(401).json({ error: 'The address or the password is another one.' });
    return;
  }
  const secure = settings.APP_ORIGIN.startsWith('https:');
  response.cookie(COOKIE, secret, { httpOnly: true, sameSite: 'lax', secure }).status(204).end();
}

const projectSchema = z.strictObject({ name: z.string().min(1).max(80) });

/** A business action: its milestone is written in the same transaction, and told after the commit. */
function createProject(
  { database, outbox, onIntent }: AppParts,
  request: Request,
  response: Response,
  user: User,
): void {
  const body = projectSchema.safeParse(request.body);
  if (!body.success) {
    response.status(400).json({ error: 'A project has a name of at most 80 characters.' });
    return;
  }
  inTransaction(database, () => {
    database.prepare('INSERT INTO project (user_id, name) VALUES (?, ?)').run(user.id, body.data.name);
    outbox.add(user.id, 'project', Date.now());
  });
  onIntent();
  response.status(201).json({ name: body.data.name });
}

function reach({ outbox, onIntent }: AppParts, response: Response, user: User, eventKey: string): void {
  outbox.add(user.id, eventKey, Date.now());
  onIntent();
  response.status(204).end();
}

function sendAgain({ outbox, onIntent }: AppParts, response: Response): void {
  const intents = outbox.sendAgain(Date.now());
  onIntent();
  response.json({ intents });
}

/**
 * A read-only token for the page of the user that our own cookie names. The page's own words about a user are ignored, no
 * cache keeps the answer, and no part of it is logged.
 */
async function openProgress({ settings }: AppParts, response: Response, user: User): Promise<void> {
  const session = createProgressSession({
    baseUrl: settings.SVC_URL,
    credential: settings.SVC_PROJECT_CREDENTIAL,
    installationId: settings.SVC_INSTALLATION_ID,
    checklistId: settings.SVC_CHECKLIST_ID,
    cohort: settings.SVC_COHORT,
    subjectDigest: await subjectDigest(settings.APP_SUBJECT_SECRET, user.id),
    origin: settings.APP_ORIGIN,
    deadlineMs: SESSION_MS_MAX,
  });
  await pass(response, session);
}

/** A session that imports one file, for users who may. Approval is the capability's matter, never the page's. */
async function openImport({ settings }: AppParts, response: Response, user: User): Promise<void> {
  if (!user.mayImport) {
    response.status(403).json({ error: 'Your role imports nothing.' });
    return;
  }
  const session = createSession({
    baseUrl: settings.SVC_URL,
    capability: settings.SVC_CAPABILITY,
    workspaceId: settings.SVC_WORKSPACE_ID,
    schemaId: settings.SVC_SCHEMA_ID,
    deadlineMs: SESSION_MS_MAX,
  });
  await pass(response, session);
}

/** Hands the service's answer to the signed-in user, and only to it. */
async function pass(response: Response, session: Promise<object>): Promise<void> {
  response.set('Cache-Control', 'no-store');
  try {
    response.status(201).json(await session);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    response.status(503).json({ error: 'This is not available right now.' });
  }
}

function stateOf({ database, outbox }: AppParts, user: User) {
  const projects = database.prepare('SELECT name FROM project WHERE user_id = ? ORDER BY id').all(user.id);
  const imported = database.prepare('SELECT count(*) AS rows FROM imported_row').get();
  const { email, mayImport } = user;
  return { user: { email, mayImport }, projects, imported: imported?.['rows'], outbox: outbox.counts() };
}

type Handler = (request: Request, response: Response, user: User) => void | Promise<void>;

function asSignedIn({ people }: AppParts, handle: Handler) {
  return async (request: Request, response: Response): Promise<void> => {
    const [, secret] = /(?:^|; )session=([A-Za-z0-9_-]+)/.exec(request.get('cookie') ?? '') ?? [];
    const user = secret === undefined ? null : people.signedIn(secret);
    if (user === null) response.status(401).json({ error: 'Sign in first.' });
    else await handle(request, response, user);
  };
}
