import type { Page } from 'playwright-core';
import { ServiceInProcess } from '../../../infra/testing/e2e/service-in-process.fixture.ts';
import { PASSWORD } from '../seeds.ts';
import { confirm, type Ground, type Prepare, press } from './lost-act.ts';

const NEXT_PASSWORD = 'the next password of this person';
const UNKNOWN = /It is not known whether/;

const hashOf = (link: string) => new URL(link).hash;

/** Returns 1 if the person can sign in with a password, else 0. */
const signsIn = ({ seeds: { client } }: Ground, email: string, password: string) =>
  client.exchange('POST', '/v1/console/sign-in', 200, { json: { email, password } }).then(
    () => 1,
    () => 0,
  );

/** The session of a browser. */
async function cookieOf(page: Page): Promise<string> {
  const cookies = await page.context().cookies();
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}

const fill = async (page: Page, fields: Readonly<Record<string, string>>) => {
  for (const [label, value] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(value);
};

const members = '/v1/console/members';

/** A person who is a member of the organization, and an act of the owner on this person. */
const onMember =
  (item: string | RegExp, verb: string | null, text: string, wanted: object, times: number): Prepare =>
  async ({ seeds, email, count }) => {
    await seeds.join('member', email);
    return {
      at: '/members',
      press: async (page) => {
        await press(page, `Actions for ${email}`);
        await page.getByRole('menuitem', { name: item }).click();
        if (verb !== null) await confirm(null, verb)(page);
      },
      text: `${email} ${text}`,
      shown: 'Members',
      counted: async () => ((await count(members, 'members', { email, ...wanted })) === times ? 1 : 0),
    };
  };

/** The acts on people, sessions and memberships, by route. */
export const PEOPLE_ACTS: Readonly<Record<string, Prepare>> = {
  setUp: async ({ name, email }) => {
    const service = await ServiceInProcess.start();
    return {
      at: `/set-up${hashOf(service.setUpLink)}`,
      cookie: null,
      service,
      press: async (page) => {
        await fill(page, { Organization: name, 'E-mail': email, Password: PASSWORD });
        await press(page, 'Set up');
      },
      text: /This link was used/,
      counted: async () => {
        const json = { email, password: PASSWORD };
        const init = { method: 'POST', body: JSON.stringify(json) };
        const headers = { 'content-type': 'application/json', origin: service.url };
        return (await fetch(`${service.url}/v1/console/sign-in`, { ...init, headers })).ok ? 1 : 0;
      },
    };
  },
  signUp: async (ground) => ({
    at: '/sign-up',
    cookie: null,
    press: async (page) => {
      await fill(page, { Organization: ground.name, 'E-mail': ground.email, Password: PASSWORD });
      await press(page, 'Create account');
    },
    text: UNKNOWN,
    shown: 'Create an account',
    counted: () => signsIn(ground, ground.email, PASSWORD),
  }),
  signIn: async (ground) => {
    const { seeds, email, count } = ground;
    const cookie = await seeds.join('member', email);
    return {
      at: '/sign-in',
      cookie: null,
      press: async (page) => {
        await fill(page, { 'E-mail': email, Password: PASSWORD });
        await press(page, 'Sign in');
      },
      text: 'You are not signed in at this browser',
      shown: 'Sign in',
      counted: async () => (await count('/v1/console/sessions', 'sessions', {}, cookie)) - 1,
    };
  },
  signOut: async ({ seeds, email, isRefused }) => {
    const cookie = await seeds.join('member', email);
    return {
      at: '/settings',
      cookie,
      press: (page) => press(page, 'Sign out'),
      text: 'Sign in',
      counted: () => isRefused('/v1/console/session', 401, cookie),
    };
  },
  switchSession: async ({ seeds, name, email, organization, read, send }) => {
    const cookie = await organization();
    const code = hashOf(await seeds.invitation('member')).slice(1);
    await send('/v1/console/invitations/accept', { code, email, password: PASSWORD }, 200, cookie);
    return {
      at: '/members',
      cookie,
      press: async (page) => {
        await press(page, new RegExp(name));
        await page.getByRole('menuitem', { name: 'Northwind Seismology' }).click();
      },
      text: 'Northwind Seismology',
      counted: async (page) => {
        const { organizationId, organizations } = await read('/v1/console/session', await cookieOf(page));
        const shown = organizations.find(
          (each: Record<string, string>) => each['organizationId'] === organizationId,
        );
        return shown.name === 'Northwind Seismology' ? 1 : 0;
      },
    };
  },
  endSession: async ({ seeds, email, isRefused }) => {
    const cookie = await seeds.join('member', email);
    const other = await seeds.signIn(email);
    return {
      at: '/settings',
      cookie,
      press: confirm('End session', 'End session'),
      text: 'Session ended',
      shown: 'This browser',
      counted: () => isRefused('/v1/console/session', 401, other),
    };
  },
  changePassword: async (ground) => {
    const { seeds, email } = ground;
    return {
      at: '/settings?do=password',
      cookie: await seeds.join('member', email),
      press: async (page) => {
        await fill(page, { 'Current password': PASSWORD, 'New password': NEXT_PASSWORD });
        await press(page, 'Change password');
      },
      text: 'Password changed',
      shown: 'Settings',
      counted: () => signsIn(ground, email, NEXT_PASSWORD),
    };
  },
  changeEmail: async (ground) => {
    const { seeds, name, email } = ground;
    const next = `next-${email}`;
    return {
      at: '/settings?do=email',
      cookie: await seeds.join('member', email),
      press: async (page) => {
        await page.getByLabel('New e-mail').fill(next);
        await page.getByRole('region', { name: 'E-mail' }).getByLabel('Password').fill(PASSWORD);
        await press(page, 'Change e-mail');
      },
      // The change has ended the session of the page, too, if its cookie was lost.
      text: /E-mail changed|not known whether the e-mail/,
      shown: new RegExp(`next-${name}|Sign in`),
      counted: () => signsIn(ground, next, PASSWORD),
    };
  },
  leaveOrganization: async ({ seeds, email, count }) => ({
    at: '/settings',
    cookie: await seeds.join('member', email),
    press: confirm('Leave…', 'Leave'),
    text: /You left|Sign in|no organization/,
    counted: async () => 1 - (await count(members, 'members', { email })),
  }),
  erasePerson: async (ground) => {
    const { seeds, email } = ground;
    return {
      at: '/settings',
      cookie: await seeds.join('member', email),
      press: confirm('Erase…', 'Erase my account', { Password: PASSWORD }),
      text: UNKNOWN,
      shown: 'Sign in',
      counted: async () => 1 - (await signsIn(ground, email, PASSWORD)),
    };
  },
  resetPassword: async (ground) => {
    const { seeds, email } = ground;
    await seeds.join('member', email);
    return {
      at: `/reset${hashOf(await seeds.resetLink(email))}`,
      cookie: null,
      press: async (page) => {
        await fill(page, { 'New password': NEXT_PASSWORD });
        await press(page, 'Set password');
      },
      text: 'Password set',
      shown: 'New password',
      counted: () => signsIn(ground, email, NEXT_PASSWORD),
    };
  },
  acceptInvitation: async ({ seeds, email, count }) => ({
    at: `/invitation${hashOf(await seeds.invitation('member'))}`,
    cookie: null,
    press: async (page) => {
      await fill(page, { 'E-mail': email, Password: PASSWORD });
      await press(page, 'Join');
    },
    text: 'Keys',
    shown: /invitation/,
    counted: () => count(members, 'members', { email }),
  }),
  setMemberRole: onMember(/^Make admin/, null, 'is admin now', { role: 'admin' }, 1),
  removeMember: onMember('Remove', 'Remove', 'removed', {}, 0),
  offerReset: async ({ seeds, email, count }) => {
    await seeds.join('member', email);
    const offers = () => count('/v1/console/audit?limit=100', 'entries', { action: 'people.offer-reset' });
    const before = await offers();
    return {
      at: '/members',
      press: async (page) => {
        await press(page, `Actions for ${email}`);
        await page.getByRole('menuitem', { name: 'Make a reset link' }).click();
      },
      text: `Reset link for ${email}`,
      counted: async () => (await offers()) - before,
    };
  },
  createInvitation: async ({ name, count }) => ({
    at: '/members?do=invite',
    press: confirm(null, 'Create invitation', { 'For whom (optional)': name }),
    text: `Invitation for ${name} created`,
    offers: 'Revoke it',
    counted: () => count('/v1/console/members', 'invitations', { forWhom: name }),
  }),
  revokeInvitation: async ({ send, name, count }) => {
    await send('/v1/console/invitations', { role: 'member', forWhom: name }, 201);
    return {
      at: '/members',
      press: confirm(`Revoke the invitation of ${name}`, 'Revoke invitation'),
      text: 'Invitation revoked',
      shown: 'Members',
      counted: async () => 1 - (await count('/v1/console/members', 'invitations', { forWhom: name })),
    };
  },
};
