import { z } from 'zod';
import type { PrincipalKind } from '../../../gateway/principals.ts';
import { askOf, type Headers } from '../e2e/borders/world.fixture.ts';
import type { Scene } from './scene.ts';

/** Drawn requests of each operation. `SCHEMATHESIS_EXAMPLES=50` draws more. */
const EXAMPLES = Number(process.env['SCHEMATHESIS_EXAMPLES'] ?? 4);

/** Sequences for each example of a single request. */
const SEQUENCES = 8;

/** One run of schemathesis: its caller, its operations, and how thoroughly it calls them. */
export interface Run {
  readonly name: string;
  /** The credential of each security scheme of the document; none for a scheme whose operations are called without. */
  readonly credentials: Readonly<Record<string, string>>;
  /** By `operationId`; null: every one. */
  readonly operations: readonly string[] | null;
  readonly options: readonly string[];
  /** True if the caller may call each operation: each has to answer at least once with neither 401 nor 403. */
  readonly isLetIn: boolean;
  /** True if the run has to call each operation. A sequence of requests may leave some out. */
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

/** Returns one run for each caller: each credential, the owner of another organization, a member, and no credential. */
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
      name: 'no credential',
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
