import { z } from 'zod';
import type { PrincipalKind } from '../../../gateway/principals.ts';
import { exampleOf } from '../../../schemas/base/examples.ts';
import { changePasswordRequestSchema, erasePersonRequestSchema } from '../../../schemas/people/http.ts';
import type { Headers } from '../e2e/borders/world.fixture.ts';
import { addMember, credentialsOf, signUp } from './people.ts';
import type { Scene } from './scene.ts';

/** Drawn requests of each operation. `SCHEMATHESIS_EXAMPLES=50` draws more. */
const EXAMPLES = Number(process.env['SCHEMATHESIS_EXAMPLES'] ?? 4);

/** Sequences for each example of a single request. */
const SEQUENCES = 8;

const DEEP = ['--phases', 'coverage,fuzzing', '--max-examples', String(EXAMPLES)];
const SHALLOW = ['--phases', 'coverage', '--mode', 'positive'];

/**
 * Operations that take the password of their caller. The first request has the values of the OpenAPI document, so it succeeds
 * for a person who has them, and each operation has such a person as its caller. The ones that end the session of this person
 * are called by the owner too, who is refused, so that all other requests of them meet more than the missing session.
 */
const ERASED = exampleOf(erasePersonRequestSchema);
const PASSWORD = exampleOf(changePasswordRequestSchema).current;

const CHANGES_OF_CALLER = [
  { operation: 'changePassword', email: 'password@example.com', isSessionEnded: false },
  { operation: 'changeEmail', email: 'moves@example.com', isSessionEnded: true },
  { operation: 'erasePerson', email: ERASED.confirm, isSessionEnded: true },
];
const NOT_OF_OWNER = CHANGES_OF_CALLER.flatMap(({ operation, isSessionEnded }) =>
  isSessionEnded ? [] : ['--exclude-operation-id', operation],
);

/** They stop parts of the service: the other runs leave them out, because what they send next would be refused. */
const SWITCHING = ['setSwitches', 'changeSwitches'];
const NOT_SWITCHING = SWITCHING.flatMap((operation) => ['--exclude-operation-id', operation]);

/** One run of schemathesis: its caller, its operations, and how thoroughly it calls them. */
export interface Run {
  readonly name: string;
  /** The credential of each security scheme of the document; none for a scheme whose operations are called without. */
  readonly credentials: Readonly<Record<string, string>>;
  /** The session of the caller in the console; null if the run has none. */
  readonly session: Headers | null;
  /** True if the run has to end the session; otherwise it has to leave the session and its rights as they are. */
  readonly isSessionEnded: boolean;
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
  const as = (session: Headers) => ({
    credentials: { ...credentials, console: secretOf(session) ?? '' },
    session,
    isSessionEnded: false,
  });
  const ofConsole = await operationsOf(service.url, 'console');
  const ofPeople = await Promise.all(
    CHANGES_OF_CALLER.map(async ({ operation, email, isSessionEnded }) => ({
      ...as(await addMember(service.url, callers.console, { email, password: PASSWORD })),
      name: `a person of the examples: ${operation}`,
      operations: [operation],
      options: isSessionEnded ? SHALLOW : DEEP,
      isLetIn: !isSessionEnded,
      isComplete: true,
      isSessionEnded,
    })),
  );
  const strangers = Object.entries(await strangersOf(scene)).map(([name, session]) => ({
    ...as(session),
    name,
    operations: ofConsole,
    options: SHALLOW,
    isLetIn: false,
    isComplete: true,
  }));
  return [
    {
      name: 'each with its own credential, the owner being the operator',
      ...as(callers.console),
      operations: null,
      options: [...DEEP, ...NOT_OF_OWNER, ...NOT_SWITCHING],
      isLetIn: true,
      isComplete: true,
    },
    ...strangers,
    {
      name: 'no credential',
      credentials: {},
      session: null,
      isSessionEnded: false,
      operations: await operationsOf(service.url, null),
      options: SHALLOW,
      isLetIn: false,
      isComplete: true,
    },
    ...ofPeople,
    {
      // It revokes what it finds, so nothing but the switches comes later.
      name: 'sequences of requests',
      ...as(callers.console),
      operations: null,
      options: ['--phases', 'stateful', '--max-examples', String(EXAMPLES * SEQUENCES), ...NOT_SWITCHING],
      isLetIn: false,
      isComplete: false,
    },
    {
      name: 'the operator at the switches',
      ...as(callers.console),
      operations: SWITCHING,
      options: DEEP,
      isLetIn: true,
      isComplete: true,
    },
  ];
}

/** People who reach nothing of the scene's, signed in. */
async function strangersOf({ world: { callers, service } }: Scene): Promise<Record<string, Headers>> {
  return {
    'the owner of another organization': await signUp(service.url, 'stranger'),
    'a member without a part in the workspace': await addMember(
      service.url,
      callers.console,
      credentialsOf('member'),
    ),
  };
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

/** The secret in a bearer header or a cookie, or null where there is none. */
function secretOf({ authorization, cookie }: Headers): string | null {
  return authorization?.replace('Bearer ', '') ?? cookie?.replace(/^[^=]*=/, '') ?? null;
}
