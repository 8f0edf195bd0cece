import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { secretDigest } from '../../../schemas/base/secrets.ts';
import { SECRETS } from '../gateway.fixture.ts';
import { bearerSecret, bearerTarget, unauthorized } from './bearer.ts';

const { project, capability } = SECRETS;
const withHeaders = (...values: string[]) =>
  ({ headersDistinct: values.length === 0 ? {} : { authorization: values } }) as unknown as IncomingMessage;

describe('bearerSecret', () => {
  it.each([`Bearer ${project}`, `bearer ${project}`, `BEARER  ${project}`])('reads %s', (header) => {
    expect(bearerSecret(withHeaders(header), 'project')).toBe(project);
  });

  it.each([
    ['no header', []],
    ['an empty header', ['']],
    ['the bare secret', [project]],
    ['another scheme', [`Basic ${project}`]],
    ['two headers', [`Bearer ${project}`, `Bearer ${project}`]],
    ['two secrets in one header', [`Bearer ${project}, Bearer ${project}`]],
    ['a secret of another kind', [`Bearer ${capability}`]],
    ['a cut secret', [`Bearer ${project.slice(0, -1)}`]],
    ['a mistyped secret', [`Bearer ${project.slice(0, -1)}${project.endsWith('0') ? '1' : '0'}`]],
    ['more after the secret', [`Bearer ${project} x`]],
  ])('refuses %s', (_name, headers) => {
    expect(bearerSecret(withHeaders(...headers), 'project')).toBeNull();
  });
});

describe('bearerTarget', () => {
  const target = z.strictObject({ installationId: z.string() });
  const pointed = { secret: 'project', indexKind: 'credential', target } as const;

  it('reads an entry that a newer release has written', async () => {
    const digestIndex = { get: async () => ({ installationId: 'ins_a', added: { by: 'a newer release' } }) };
    const request = { headers: {}, headersDistinct: { authorization: [`Bearer ${SECRETS.project}`] } };
    expect(await bearerTarget(request, { digestIndex }, pointed)).toEqual({
      digest: secretDigest(SECRETS.project),
      target: { installationId: 'ins_a' },
    });
  });
});

describe('unauthorized', () => {
  const refused = (...headers: string[]) => unauthorized('project', withHeaders(...headers)).refusal.message;

  it.each([
    ['nothing', []],
    ['more than one', [`Bearer ${project}`, `Bearer ${project}`]],
    ['another form or a typing error', [`Bearer ${project.slice(0, -1)}`]],
    ['another form or a typing error', [`Bearer ${capability}`]],
  ])('says that %s was seen, and what is expected', (seen, headers) => {
    expect(refused(...headers)).toBe(
      `header.Authorization: seen ${seen}, expected Bearer and a credential that begins with svc_project_.`,
    );
  });

  it('does not tell an unknown credential from one that works no longer', () => {
    const message = refused(`Bearer ${project}`);
    expect(message).toContain('unknown or works no longer');
    expect(message).not.toContain(project);
  });
});
