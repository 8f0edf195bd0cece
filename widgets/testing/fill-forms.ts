import type { Page } from 'playwright-core';

/** The text for the empty fields of an open form, by their type: its button sends them. */
const TYPED: Readonly<Record<string, string>> = {
  email: 'someone@northwind.example',
  url: 'https://press.example',
  password: 'a password that is long enough',
};

/** Fills the empty fields of open forms. A field that asks for a name gets that name. */
export async function fillForms(page: Page): Promise<void> {
  for (const field of await page.locator('form input:visible, dialog[open] input:visible').all()) {
    const type = (await field.getAttribute('type')) ?? 'text';
    if (['checkbox', 'radio', 'search'].includes(type) || (await field.inputValue()) !== '') continue;
    const name = await field.evaluate(
      (element) => (element as HTMLInputElement).labels?.[0]?.querySelector('code')?.textContent ?? null,
    );
    await field.fill(name ?? TYPED[type] ?? 'a name');
  }
}
