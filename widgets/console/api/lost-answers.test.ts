import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { productRoutes } from '../../../infra/service/gateway.ts';

/**
 * The way in which the console finds out what a change did whose answer was lost.
 *
 * - `key`: the request is repeated with its key, after a reload too.
 * - `repeat`: the request is repeated, because a repeat changes nothing, or with its key if it holds a password.
 * - `gone`: so is a deletion, whose refusal with 404 or 410 means that it took effect.
 * - `read`: the page reads what is there now.
 * - `unknown`: the page says that it is not known, and how a person sees it.
 * - `steps`: the steps of an import repeat the request with its key.
 * - `reads`: the request changes nothing.
 * - `unused`: the console does not send it.
 */
type Way = 'key' | 'repeat' | 'gone' | 'read' | 'unknown' | 'steps' | 'reads' | 'unused';

/** The names of the routes. */
const ROUTES: Readonly<Record<Way, readonly string[]>> = {
  key: [
    'createCapability',
    'createCredential',
    'createInvitation',
    'createKey',
    'createWorkspaceCheckOrigin',
    'createWorkspaceCheckSuite',
    'offerReset',
    'rotateCredential',
    'rotateKey',
  ],
  repeat: [
    'acceptInvitation',
    'approveImport',
    'attachClaim',
    'cancelSubscription',
    'cancelWorkspaceImport',
    'changeKey',
    'changePassword',
    'claimWorkspace',
    'confirmWorkspaceCheckOrigin',
    'createWorkspaceCheckRun',
    'discardDeadLetter',
    'disconnectWorkspace',
    'eraseSubject',
    'mapWorkspaceImport',
    'moveSubmission',
    'pauseWorkspace',
    'removeSubmission',
    'replayDeadLetter',
    'resetKeyWindow',
    'resetPassword',
    'resumeWorkspace',
    'revokeCredential',
    'revokeKey',
    'signOut',
    'subscribe',
    'switchSession',
    'validateWorkspaceImport',
  ],
  gone: [
    'endSession',
    'eraseImport',
    'eraseWorkspace',
    'leaveOrganization',
    'revokeCapability',
    'revokeInvitation',
  ],
  read: ['changeEmail', 'changeSwitches', 'removeMember', 'setMemberRole'],
  unknown: ['erasePerson', 'forgotPassword', 'setUp', 'signIn', 'signUp'],
  steps: ['reserveWorkspaceImport'],
  reads: ['inspectClaim', 'inspectInvitation', 'readClaimDetails', 'readKeyWindow', 'searchImportRows'],
  unused: ['offerOperatorReset', 'setSwitches'],
};

/** The sources of the console. */
const sources = globSync('**/*.{ts,tsx}', { cwd: join(import.meta.dirname, '..') })
  .filter((name) => !/\.(test|fixture)\.ts$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(import.meta.dirname, '..', name), 'utf8') }));

/** The files with a change that finds nothing out by itself: its page says so, or it reads. */
const WITHOUT: readonly string[] = [
  'pages/audit/export.tsx',
  'pages/checklists/queries.ts',
  'pages/imports/correction.tsx',
  'pages/keys/window-section.tsx',
  'pages/operations/letter-closing.ts',
  'pages/people/credentials.tsx',
  'pages/people/forgot-password.tsx',
  'pages/people/set-up.tsx',
  'pages/people/sign-up.tsx',
  'pages/settings/erase-myself.tsx',
];

const changes = productRoutes().filter(
  ({ method, principal, path }) =>
    method !== 'GET' && (principal === 'console' || path.startsWith('/v1/console/')),
);

describe('a change of the console whose answer was lost', () => {
  it('is found out in a way that is known for each route', () => {
    expect(Object.values(ROUTES).flat().sort()).toEqual(changes.map(({ name }) => name).sort());
  });

  it('finds out what it did by itself, or its file is named', () => {
    const found = sources
      .filter(({ text }) => {
        const changing = text.match(/useChange\(\{/g)?.length ?? 0;
        return changing > (text.match(/^ {4}(keyed|afterLoss|\.\.\.\(keyed)\b/gm)?.length ?? 0);
      })
      .map(({ name }) => name);
    expect(found.sort()).toEqual([...WITHOUT].sort());
  });

  it('has no title that says that nothing was done', () => {
    const found = sources.filter(({ text }) => /(title|failed)=[^>]*\bwas not\b/.test(text));
    expect(found.map(({ name }) => name)).toEqual([]);
  });

  it('is told from a refusal where a title says that something stays as it was', () => {
    const stays = /title=[^>]*\b(Nothing was|No account was|You are still)\b|>\s*Nothing was erased\b/;
    const found = sources.filter(({ text }) => stays.test(text) && !text.includes('isInDoubt'));
    expect(found.map(({ name }) => name)).toEqual([]);
  });
});
