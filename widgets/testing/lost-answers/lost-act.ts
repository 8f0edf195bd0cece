import type { Page } from 'playwright-core';
import type { ServiceInProcess } from '../../../infra/testing/e2e/service-in-process.fixture.ts';
import { fillForms } from '../fill-forms.ts';
import type { SeededWorkspace, Seeds } from '../seeds.ts';

/** The words of a page that says that nothing was done. */
export const UNDONE =
  /\b(was|were) not\b|\b[Nn]ot sent\b|\b[Yy]ou did not\b|\bNothing was\b|\bYou are still\b|\b(password|e-mail|letter) stays\b|\bNo account was\b|\bis wrong\b/;

/** An act on a page whose answer is lost. */
export interface LostAct {
  /** The address of the page. */
  readonly at: string;
  /** The session of the person. Null: no person is signed in. The owner's by default. */
  readonly cookie?: string | null;
  /** The service, where it is a separate one. */
  readonly service?: ServiceInProcess;
  /** Does the act, as a person does. */
  readonly press: (page: Page) => Promise<void>;
  /** The text of the page after the answer was lost. */
  readonly text: string | RegExp;
  /** The text of the page after a reload in place of the answer, where it is another one. */
  readonly shown?: string | RegExp;
  /** The link that the panel of a secret has to offer. */
  readonly offers?: 'Revoke it' | 'Rotate it';
  /** Reads the number of times that the act was done, directly from the service. */
  readonly counted: (page: Page) => Promise<number>;
}

/**
 * The service with what an act needs.
 *
 * @param name one that nothing else has
 */
export function groundOf(seeds: Seeds, name: string) {
  const { client } = seeds;
  // biome-ignore lint/suspicious/noExplicitAny: Tests look into answers whose shape is what they check.
  const read = (path: string, cookie = seeds.cookie): Promise<any> =>
    client.send('GET', path, 200, { cookie });
  return {
    seeds,
    name,
    /** An address that no other person has. */
    email: `${name}@example.com`,
    /** Reads as a person, the owner by default. */
    read,
    /** Sends a change as a person, the owner by default. */
    // biome-ignore lint/suspicious/noExplicitAny: As above.
    send: (path: string, json: object, status = 200, cookie = seeds.cookie): Promise<any> =>
      client.send('POST', path, status, { cookie, json }),
    /** Returns the number of elements of a list that have these members. */
    count: async (path: string, member: string, wanted: object, cookie = seeds.cookie): Promise<number> => {
      const list: readonly object[] = (await read(path, cookie))[member];
      return list.filter((each) => hasAll(each, wanted)).length;
    },
    /** Returns 1 if the answer to a path has these members, else 0. */
    is: async (path: string, wanted: object, cookie = seeds.cookie): Promise<number> =>
      hasAll(await read(path, cookie), wanted) ? 1 : 0,
    /** Returns 1 if a path is refused with this status, else 0. */
    isRefused: (path: string, status: number, cookie = seeds.cookie): Promise<number> =>
      client.send('GET', path, status, { cookie }).then(
        () => 1,
        () => 0,
      ),
    /** A workspace of the organization, on the Free plan. */
    claimed: async (): Promise<SeededWorkspace> => {
      const workspace = await seeds.workspace(name);
      await seeds.verifiedResult(workspace);
      await seeds.owner.claim(workspace.workspaceId);
      return workspace;
    },
    /** Makes another organization. Returns the session of its owner. */
    organization: () => seeds.signUp(name, `${name}@example.com`),
  };
}

export type Ground = ReturnType<typeof groundOf>;

/** Prepares an act. */
export type Prepare = (ground: Ground) => Promise<LostAct>;

function hasAll(found: object, wanted: object): boolean {
  return Object.entries(wanted).every(([member, value]) => Reflect.get(found, member) === value);
}

/** Presses a button, by its whole name or a pattern. */
export async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name, exact: true }).first().click();
}

/** Presses a button that opens a dialog or a form in place, fills its fields by their labels, and presses its button. */
export function confirm(open: string | RegExp | null, verb: string, fields: Record<string, string> = {}) {
  return async (page: Page) => {
    if (open !== null) await press(page, open);
    const dialog = page.locator('dialog[open], form.confirm');
    await dialog.first().waitFor();
    for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value);
    // The name that confirms an erasure. Behind a dialog, the page has other forms.
    if ((await page.locator('form.confirm').count()) > 0) await fillForms(page);
    await dialog.getByRole('button', { name: verb, exact: true }).click();
  };
}
