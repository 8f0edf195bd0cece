import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { READ_WAIT_MS } from '../../../gateway/limiter/bounded-reads.ts';
import { OUTCOME_KEPT_MS } from '../../../processors/runtime/sweeps/outcome-sweep.ts';
import { STEPS_MAX } from '../../../schemas/activate/configuration.ts';
import { PAGE_DEFAULT, PAGE_MAX } from '../../../schemas/base/paging.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../schemas/base/time.ts';
import { FIELD_BYTES_MAX, RECORD_BYTES_MAX } from '../../../schemas/csv/limits.ts';
import { FIELD_TYPES } from '../../../schemas/imports/fields/registry.ts';
import { CHECK_BOUNDS } from '../../../schemas/limiter/http.ts';
import { DEFAULT_LIMITS } from '../../../schemas/limits.ts';
import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from '../../../schemas/people/http.ts';
import { CREDENTIALS, PRODUCTS } from '../../../schemas/products.ts';
import { HOURS_KEPT_MONTHS, MINUTES_KEPT_DAYS } from '../../../schemas/usage/documents.ts';
import { TOPICS } from '../../../topics/catalogue.ts';
import { CHECK_REMEMBERED_MS } from '../../../topics/ports/limiter.ts';
import { OLDEST_BROWSERS_SENTENCE } from '../../../widgets/shared/oldest-browsers.ts';
import { COMMAND_TIMEOUT_MS } from '../../engines/redis/connection.ts';

const { limiter, http, imports, checklists, feedback, workspace } = DEFAULT_LIMITS;
const inEnglish = (count: number) => count.toLocaleString('en');

/** Numbers and names in the text of a page, with what they are in the code. */
const SENTENCES: readonly (readonly [page: string, sentence: string])[] = [
  ['README.md', `\`limit\` is 1 to ${PAGE_MAX}, and ${PAGE_DEFAULT} by default`],
  ['rate-limits.md', `1 to ${CHECK_BOUNDS.namespaceCharacters} characters`],
  ['rate-limits.md', `1 to ${CHECK_BOUNDS.identifierCharacters} characters`],
  ['rate-limits.md', `a whole number, 1 to ${inEnglish(CHECK_BOUNDS.limit)} |`],
  [
    'rate-limits.md',
    `a whole number, 1 to ${inEnglish(CHECK_BOUNDS.windowMs)} (${CHECK_BOUNDS.windowMs / DAY_MS} days)`,
  ],
  [
    'rate-limits.md',
    `| \`test\` | ${limiter.testPerMinute} | ${inEnglish(limiter.testPerMonth)}, then 429 |`,
  ],
  [
    'rate-limits.md',
    `| \`live\` | ${inEnglish(limiter.livePerMinute)} | unlimited; ${inEnglish(limiter.liveFreePerMonth)} free`,
  ],
  ['rate-limits.md', `at most ${inEnglish(limiter.windows)} unexpired windows`],
  ['rate-limits.md', `looked up ${http.unauthorizedPerMinute} times a minute for each address`],
  ['rate-limits.md', `The counters have ${COMMAND_TIMEOUT_MS} ms to answer`],
  ['usage.md', `Minutes are kept for ${MINUTES_KEPT_DAYS} days`],
  ['usage.md', `Hours are kept for ${HOURS_KEPT_MONTHS} months`],
  ['people.md', `A password has ${PASSWORD_CHARACTERS_MIN} to ${PASSWORD_CHARACTERS_MAX} characters`],
  ...Object.values(CREDENTIALS)
    .filter(({ secret }) => secret !== null)
    .map(({ secret }) => ['README.md', `\`svc_${secret}_…\``] as const),
  ...PRODUCTS.map(({ verifiedResult }) => ['workspaces.md', verifiedResult.text] as const),
  ['checklist-widget.md', OLDEST_BROWSERS_SENTENCE],
  ['feedback-widget.md', OLDEST_BROWSERS_SENTENCE],
  ['import-widget.md', OLDEST_BROWSERS_SENTENCE],
  ['checklists.md', `A checklist has at most ${checklists.revisions} revisions`],
  ['imports.md', `a field is larger than ${FIELD_BYTES_MAX / 1_024} KiB`],
  ['imports.md', `the record is larger than ${RECORD_BYTES_MAX / 1_024} KiB`],
  ['imports.md', `lists the first ${inEnglish(imports.rowErrorsKept)} of an import`],
  ['imports.md', `together may write ${imports.artifactBytes / 1_048_576} MiB`],
];

/** The same for numbers that a text spells out. */
const WORDS: readonly (readonly [page: string, words: string, value: number, expected: number])[] = [
  ['README.md', 'is remembered for two days', OUTCOME_KEPT_MS, 2 * DAY_MS],
  ['rate-limits.md', 'For a minute, the same check', CHECK_REMEMBERED_MS, MINUTE_MS],
  ['rate-limits.md', 'the state of a key has half a second', READ_WAIT_MS, SECOND_MS / 2],
  ['checklists.md', 'one to five steps', STEPS_MAX, 5],
  ['checklists.md', 'up to ten such keys are remembered', checklists.alternateKeys, 10],
  ['checklists.md', 'A token is valid for 15 minutes', checklists.sessionMs, 15 * MINUTE_MS],
  ['checklists.md', 'A subject has at most five; a sixth ends the oldest', checklists.sessionsPerSubject, 5],
  ['workspaces.md', 'The fifth wrong `confirm` ends the link', workspace.confirmAttempts, 5],
  ['workspaces.md', 'at most ten claimed workspaces', workspace.claimedPerOrganization, 10],
  ['feedback.md', 'at most five submissions a minute', http.visitorPerMinute, 5],
  ['feedback.md', 'less than 2 seconds', feedback.thinkingMs, 2 * SECOND_MS],
  ['feedback.md', 'ends 90 days after its arrival', feedback.retentionMs, 90 * DAY_MS],
  ['imports.md', 'An import can be validated five times', imports.validationsPerImport, 5],
  ['imports.md', 'are deleted seven days after', imports.retentionMs, 7 * DAY_MS],
  ['operations.md', '| fourteen days |', TOPICS.imports.retentionMs, 14 * DAY_MS],
];

describe('the facts in the text of the reference', () => {
  it.each(SENTENCES)('has in %s: %s', (page, sentence) => {
    expect(textOf(page)).toContain(sentence);
  });

  it.each(WORDS)('has in %s, as the code does: %s', (page, words, value, expected) => {
    expect(textOf(page)).toContain(words);
    expect(value).toBe(expected);
  });

  it('explains every error of a cell as its type does', () => {
    const text = textOf('imports.md');
    for (const { errorCode } of FIELD_TYPES.list) {
      for (const [code, meaning] of Object.entries(errorCode))
        expect(text).toContain(`| \`${code}\` | ${meaning} |`);
    }
  });
});

function textOf(page: string): string {
  return readFileSync(new URL(page, import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');
}
