import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { idFrom } from '../../../schemas/base/ids.ts';
import { DATABASE_FILE } from '../../engines/embedded/database.ts';
import { cookieOf, exchange, OWNER, setUp } from '../../testing/e2e/customer.fixture.ts';
import { ServiceInProcess } from '../../testing/e2e/service-in-process.fixture.ts';
import { isOnCluster } from '../service-process/service-process.ts';
import { freeEngine, ops, returnEngine } from './ops.fixture.ts';

let service: ServiceInProcess;
beforeAll(async () => {
  service = await ServiceInProcess.start();
});
afterAll(() => service?.dispose());

const linkSchema = z.object({ userId: z.string(), url: z.string() });
const run = (...words: string[]) => ops(service.environment, ...words);

/** Gives the one member of the service a document with a member that only a newer release knows. */
function addMember(): void {
  const database = new DatabaseSync(join(service.environment['SVC_DATA_FOLDER'] ?? '', DATABASE_FILE));
  const change = `UPDATE aggregate_row SET document = json_set(document, '$.newer', 1) WHERE kind = 'member'`;
  expect(database.prepare(change).run().changes).toBe(1);
  database.close();
}

describe('npm run ops', () => {
  it('prints the set-up link until the service is set up', async () => {
    expect((await run('set-up-link')).data).toEqual({ url: service.setUpLink });
    expect((await setUp(service)).status).toBe(201);
    await expect(run('set-up-link')).rejects.toThrow('seen a service that is set up');
  });

  it('makes a reset link for the last owner', async () => {
    await freeEngine(service);
    if (!isOnCluster()) addMember();
    const nobody = idFrom('user', Buffer.alloc(15));
    const owner = linkSchema.parse((await run('reset-link')).data);
    await expect(run('reset-link', '--user', nobody)).rejects.toThrow(`one of the owners ${owner.userId}`);
    await expect(run('reset-link', '--organization', 'org_')).rejects.toThrow('organization: seen "org_"');
    const { url } = linkSchema.parse((await run('reset-link', '--user', owner.userId)).data);
    await returnEngine(service);
    const send = (path: string, json: object) =>
      exchange(`${service.url}/v1/console/${path}`, 'POST', { json, origin: service.url });
    const password = 'a password by link';
    const reset = (link: string) => send('password/reset', { code: new URL(link).hash.slice(1), password });
    expect((await reset(owner.url)).status).toBe(404);
    expect((await reset(url)).status).toBe(204);
    const session = await send('sign-in', { email: OWNER.email, password });
    expect(session.status).toBe(200);
    const cookie = cookieOf(session);
    const { body } = await exchange(`${service.url}/v1/console/audit`, 'GET', { cookie });
    expect(body.entries).toContainEqual(
      expect.objectContaining({ action: 'people.offer-reset', actor: { kind: 'operator', id: 'machine' } }),
    );
  });
});
