import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../testing/in-browser.ts';
import { isFocused } from '../../testing/keyboard.ts';
import { loseAnswers } from '../../testing/lose-answers.ts';

describeInBrowser('a change that is sent again', ({ open, seeds }) => {
  it('has the same idempotency key for the same input, and another one for another input', async () => {
    const workspace = await seeds().workspace('named-twice');
    const { workspaceId } = workspace;
    await seeds().verifiedResult(workspace);
    await seeds().owner.claim(workspaceId);
    const { page, faults } = await open();
    faults.allow(/ERR_FAILED/);
    await page.goto(`/agent-workspaces/${workspaceId}/checks?do=name-origin`);
    const keys: string[] = [];
    await page.route('**/origins', async (route) => {
      if (route.request().method() !== 'POST') return await route.continue();
      keys.push(route.request().postDataJSON().idempotencyKey);
      if (keys.length < 3) {
        // The service does it, and its answer is lost.
        await route.fetch();
        return await route.abort();
      }
      return await route.continue();
    });
    const dialog = page.getByRole('dialog', { name: 'Add an origin' });
    await dialog.getByLabel('Origin').fill('https://ap.example.com');
    await dialog.getByRole('button', { name: 'Add origin' }).click();
    await dialog.getByText('It is not known whether the origin was added').waitFor();
    // The list behind the dialog was read again.
    await page.getByText('https://ap.example.com').first().waitFor({ state: 'attached' });
    expect(await dialog.getByLabel('Origin').isEditable()).toBe(false);
    expect(await isFocused(dialog.getByRole('button', { name: 'Add origin' }))).toBe(true);
    await expectNoAxeViolations(page);
    await dialog.getByRole('button', { name: 'Start over' }).click();
    await dialog.getByLabel('Origin').fill('https://app.example.com');
    await dialog.getByRole('button', { name: 'Add origin' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('https://app.example.com').first().waitFor();
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it('locks every field of its form, and leaves texts to be read, until a person starts over', async () => {
    const { page, faults } = await open();
    faults.allow(/ERR_CONNECTION_RESET/);
    await loseAnswers(page, /\/v1\/keys$/, 2);
    await page.goto('/keys?do=create');
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    const name = dialog.getByLabel('Name');
    await name.fill('checkout');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const fields = dialog.getByRole('group', { description: /The values below were sent/ });
    await fields.waitFor();
    await name.focus();
    expect([await isFocused(name), await name.isEditable(), await name.isEnabled()]).toEqual([
      true,
      false,
      true,
    ]);
    const choices = fields.getByRole('combobox');
    expect(await choices.evaluateAll((all) => all.map((each) => each.matches(':disabled')))).toEqual([
      true,
      true,
      true,
    ]);
    await expectNoAxeViolations(page);
    await dialog.getByRole('button', { name: 'Start over' }).click();
    await fields.waitFor({ state: 'detached' });
    expect([await name.isEditable(), await dialog.getByLabel('Mode').isEnabled()]).toEqual([true, true]);
  });
});
