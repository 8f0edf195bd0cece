import { z } from 'zod';
import type { PrincipalKind } from '../../../gateway/principals.ts';
import { askOf, type Headers } from '../e2e/borders/world.fixture.ts';
import type { Scene } from './scene.ts';

/** Whether to draw few or many requests of each operation; `SCHEMATHESIS_EXAMPLES=50` looks further by hand. */
const EXAMPLES = Number(process.env['SCHEMATHESIS_EXAMPLES'] ?? 4);

/** Sequences for each example of a single request. */
const SEQUENCES = 8;

/** One run of schemathesis: who calls, what is called, and how thoroughly. */
export interface Run {
  readonly name: string;
  /** The credential of each security scheme of the document; none for a scheme whose operations are called without. */
  readonly credentials: Readonly<Record<string, string>>;
  /** By `operationId`; null: every one. */
  readonly operations: readonly string[] | null;
  readonly options: readonly string[];
  /** Whether each operation has to answer once with something else than 401 and 403; the caller has a right to all of them. */
  readonly isLetIn: boolean;
  /** Whether each operation has to be called; a sequence calls what it comes to. */
  readonly isComplete: boolean;
}

const openapiSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({ operationId: z.string(), security: z.array(z.record(z.string(), z.array(z.string()))) }),
    ),
  ),
});

/** Everybody who calls: those who may, an owner who is a stranger to the workspace, a member of its organization, nobody. */
export async function runsOn(scene: Scene): Promise<Run[]> {
  const { callers, service } = scene.world;
  const credentials = Object.fromEntries(
    Object.entries(callers).flatMap(([scheme, headers]) => {
      const secret = secretOf(headers);
      return secret === null ? [] : [[scheme, secret]];
    }),
  );
  const asConsole = async (headers: Headers) => ({ ...credentials, console: secretOf(headers) ?? '' });
  const ofConsole = await operationsOf(service.url, 'console');
  const shallow = ['--phases', 'coverage', '--mode', 'positive'];
  return [
    {
      name: 'each with its own credential, the owner being the operator',
      credentials,
      operations: null,
      options: ['--phases', 'coverage,fuzzing', '--max-examples', String(EXAMPLES)],
      isLetIn: true,
      isComplete: true,
    },
    {
      name: 'the owner of another organization',
      credentials: await asConsole(await signUpStranger(scene)),
      operations: ofConsole,
      options: shallow,
      isLetIn: false,
      isComplete: true,
    },
    {
      name: 'a member without a part in the workspace',
      credentials: await asConsole(await inviteMember(scene)),
      operations: ofConsole,
      options: shallow,
      isLetIn: false,
      isComplete: true,
    },
    {
      name: 'nobody',
      credentials: {},
      operations: await operationsOf(service.url, null),
      options: shallow,
      isLetIn: false,
      isComplete: true,
    },
    {
      // The last one: it signs out, and revokes what it finds.
      name: 'sequences of requests',
      credentials,
      operations: null,
      options: ['--phases', 'stateful', '--max-examples', String(EXAMPLES * SEQUENCES)],
      isLetIn: false,
      isComplete: false,
    },
  ];
}

/** The operations of one security scheme; null: of any. */
async function operationsOf(url: string, scheme: PrincipalKind | null): Promise<string[]> {
  const { paths } = openapiSchema.parse(await (await fetch(`${url}/openapi.json`)).json());
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId, security }) => {
      const schemes = security.flatMap((each) => Object.keys(each));
      return schemes.length > 0 && (scheme === null || schemes.includes(scheme)) ? [operationId] : [];
    }),
  );
}

async function signUpStranger({ world: { service } }: Scene): Promise<Headers> {
  return await signedIn(service.url, '/v1/console/sign-up', {
    organization: 'Strangers',
    email: 'stranger@example.com',
    password: 'correct horse battery',
  });
}

async function inviteMember({ world: { service, callers } }: Scene): Promise<Headers> {
  const { url } = await askOf(service.url)('/v1/console/invitations', callers.console, { role: 'member' });
  return await signedIn(service.url, '/v1/console/invitations/accept', {
    code: new URL(url).hash.slice(1),
    email: 'member@example.com',
    password: 'correct horse battery',
  });
}

async function signedIn(url: string, path: string, json: object): Promise<Headers> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(json),
  });
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0];
  if (cookie === undefined) throw new Error(`POST ${path}: ${await response.text()}`);
  return { cookie, origin: url };
}

/** The secret in a bearer header or a cookie, or null where there is none. */
function secretOf({ authorization, cookie }: Headers): string | null {
  return authorization?.replace('Bearer ', '') ?? cookie?.replace(/^[^=]*=/, '') ?? null;
}
