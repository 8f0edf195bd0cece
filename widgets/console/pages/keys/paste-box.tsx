import { useState } from 'preact/hooks';
import { EXACT_TEXT, Field } from '../../parts/form/field.tsx';
import { State } from '../../parts/table/state.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { checkKeyForm } from './key-form.ts';
import type { KeyOverview } from './queries.ts';

/** Checks the form of a pasted key in the page. Nothing is sent, and the text is kept nowhere. */
export function PasteBox({ keys }: { readonly keys: readonly KeyOverview[] }) {
  const [text, setText] = useState('');
  const form = text === '' ? null : checkKeyForm(text);
  return (
    <section aria-labelledby="check">
      <div class="section-head">
        <h2 id="check">Check a key</h2>
        <p>The check runs in this page. The key is not sent.</p>
      </div>
      <div class="panel panel-body">
        <div class="form">
          <Field
            label="Key"
            class="mono"
            value={text}
            onInput={setText}
            {...EXACT_TEXT}
            error={form === null || form.isRight ? null : form.fault}
            hint={
              form?.isRight ? (
                <State tone="ok">{`This is a well-formed ${form.mode} key. ${whose(form, keys)}`}</State>
              ) : (
                'Key returns 401? Paste it to check for missing characters.'
              )
            }
          />
        </div>
      </div>
    </section>
  );
}

/** The keys of the list that may be the pasted one. Four characters do not prove it. */
function whose(
  form: { readonly mode: string; readonly last4: string },
  keys: readonly KeyOverview[],
): string {
  const names = keys
    .filter(({ mode, last4 }) => mode === form.mode && last4 === form.last4)
    .map(({ name }) => `“${visibleText(name)}”`);
  if (names.length === 0) return `No active ${form.mode} key here ends with ${form.last4}.`;
  return `It ends like ${names.join(' and ')}.`;
}
