import { describe, expect, it } from 'vitest';
import { idFrom } from '../base/ids.ts';
import { outcomeRowId } from '../base/outcome.ts';
import { enrollmentDocumentSchema, outcomeName, outcomeNamed } from './documents.ts';

describe('an enrollment', () => {
  it('of an earlier version is read as it is written today', () => {
    const about = { checklistId: idFrom('checklist', Buffer.alloc(15)), cohort: 'test', revision: 2 };
    const earlier = {
      ...about,
      milestones: [
        { key: 'import', outcomes: ['recordEvent:one', 'recordEvent:two'] },
        { key: 'invite', outcomes: ['recordEvent:three'] },
      ],
    };
    const today = {
      ...about,
      milestones: [
        ['import', 'recordEvent:one', 'recordEvent:two'],
        ['invite', ':three'],
      ],
    };
    const { milestones } = enrollmentDocumentSchema.parse(earlier);
    expect(milestones[0]).toEqual(today.milestones[0]);
    expect(enrollmentDocumentSchema.parse(today)).toEqual(today);
    expect(milestones.flatMap(([, ...names]) => names.map(outcomeNamed))).toEqual([
      'recordEvent:one',
      'recordEvent:two',
      'recordEvent:three',
    ]);
  });
});

describe('the name of an outcome', () => {
  it.each([
    ['recordEvent', 'k', ':k'],
    ['recordEvent', ':k', '::k'],
    ['recordEvents', 'k', 'recordEvents:k'],
    ['other', 'recordEvent:k', 'other:recordEvent:k'],
  ])('of %s with the key %s is %s, and names it again', (operation, key, name) => {
    const id = outcomeRowId(operation, key);
    expect(outcomeName(id)).toBe(name);
    expect(outcomeNamed(name)).toBe(id);
  });
});
