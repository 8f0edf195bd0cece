/** The faults of zod in words, after the name of a field. */
const FAULTS: Readonly<Record<string, string>> = {
  invalid_type: 'is missing or has another type',
  invalid_value: 'has a value that is not allowed',
  invalid_format: 'has another form',
  invalid_union: 'has another form',
  too_small: 'is too small or too short',
  too_big: 'is too large or too long',
  unrecognized_keys: 'has fields that are not known',
};

/** Faults that a sentence names. Others are counted. */
const FAULTS_NAMED_MAX = 2;

/** A field of the record's envelope, which each command has. */
const ENVELOPE = /^(?:envelope|operation|keyFrom|inputDigest|issuedAt)$/;

/** The reason for which a record could not be handled, as a sentence. */
export function reasonWords(reason: string): string {
  if (reason === 'reading JSON') return 'The record is not JSON.';
  const passed = /^passed over by (\S+): (.*)$/s.exec(reason);
  if (passed !== null) return `Passed over as ${passed[1]}. ${reasonWords(passed[2] ?? '')}`;
  const stored = /^reading ([^:]+): (.*)$/s.exec(reason);
  if (stored !== null) return `The stored ${stored[1]} cannot be read. ${reasonWords(stored[2] ?? '')}`;
  const faults = reason.split('; ').map((part) => /^([\w.-]*): ([a-z_]+)$/.exec(part));
  if (faults.some((fault) => fault === null)) return `Its processor failed: ${reason}`;
  const named = faults.flatMap((fault) =>
    fault === null ? [] : [[fault[1] ?? '', fault[2] ?? ''] as const],
  );
  if (named.filter(([path]) => ENVELOPE.test(path)).length > 1)
    return 'The record is not a command: most fields of its envelope are missing.';
  const said = named
    .slice(0, FAULTS_NAMED_MAX)
    .map(([path, code]) => `${fieldOf(path)} ${FAULTS[code] ?? 'does not fit'}`);
  const others = named.length - said.length;
  return `${said.join(', ')}${others > 0 ? `, and ${others} more` : ''}.`.replace(/^t/, 'T');
}

/** `input.stepKey` is the field “stepKey”. */
function fieldOf(path: string): string {
  const name = path.replace(/^input\.?/, '');
  return name === '' ? 'the input' : `“${name}”`;
}
