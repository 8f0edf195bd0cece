import { useState } from 'preact/hooks';
import { codeInLink } from '../../api/claim-code.ts';
import { EXACT_TEXT, Field } from './field.tsx';

/** Returns the field for the claim link that an agent printed, and the submission of its form. */
export function useClaimLink(onCode: (code: string) => void) {
  const [link, setLink] = useState('');
  const [error, setError] = useState<string | null>(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const code = codeInLink(link);
    if (code === null)
      setError('This is not a claim link. A claim link ends in #svc_claim_ and 40 letters and digits.');
    else onCode(code);
  };
  const field = (
    <Field
      label="Claim link"
      value={link}
      onInput={(value) => {
        setLink(value);
        setError(null);
      }}
      error={error}
      class="mono"
      {...EXACT_TEXT}
      required
    />
  );
  return { field, submit, isEmpty: link === '' };
}
