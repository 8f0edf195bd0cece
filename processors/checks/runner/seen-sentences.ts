import { HIDDEN } from '../../../schemas/base/hidden.ts';
import { type Barrier, letters, type Seen } from './in-page/explain.ts';
import type { Found } from './in-page/judge-parts.ts';
import type { Wanted } from './in-page/look-for.ts';

/** Headings that a sentence names. */
const HEADINGS_NAMED_MAX = 3;
/** Characters of a text of the page that a sentence repeats. */
const SEEN_CHARACTERS_MAX = 60;
/** Characters of the text that a step expects. The suite has all of it. */
const EXPECTED_CHARACTERS_MAX = 100;
/** Characters of the name of an element. */
const ELEMENT_CHARACTERS_MAX = 40;

const COMPARE = 'Compare them letter by letter.';

const BARRIERS: Readonly<Record<Barrier, (name: string) => string>> = {
  modal: (name) => `The ${name} is behind a modal dialog, which a run does not close.`,
  inert: (name) => `The ${name} is in a part of the page that is inert.`,
  'aria-hidden': (name) => `The ${name} is in a part of the page with aria-hidden.`,
  picture: (name) =>
    `The ${name} is a picture with this alternative text. A run reads written text: expect another one.`,
  label: (name) => `The ${name} is a label that the page does not show. A run reads what is shown.`,
  'no-heading': (name) => `No visible ${name}. The text is visible, but in no heading element.`,
};

/** Barriers that mostly belong to a dialog. */
const OF_DIALOGS: readonly (Barrier | null)[] = ['inert', 'aria-hidden'];

/** Says that a page shows what a step looks for. */
export function sayFound(wanted: Wanted): string {
  return wanted.kind === 'title'
    ? `The title is ${quoted(wanted.text, EXPECTED_CHARACTERS_MAX)}.`
    : `Found the ${nameWanted(wanted)}.`;
}

/** The name of what a step looks for: `heading of level 1 "Welcome"`. */
function nameWanted(wanted: Wanted): string {
  const level = wanted.kind === 'heading' && wanted.level !== null ? ` of level ${wanted.level}` : '';
  return `${wanted.kind}${level} ${quoted(wanted.text, EXPECTED_CHARACTERS_MAX)}`;
}

/**
 * Says what a page shows in place of what a step looks for.
 *
 * @param seen null if the page did not answer
 * @param status of an answer without a page; null if there is a page
 */
export function sayMissing(wanted: Wanted, found: Found, seen: Seen | null, status: number | null): string {
  const name = nameWanted(wanted);
  const absent = wanted.kind === 'title' ? `The ${name} is missing.` : `No visible ${name}.`;
  if (status !== null) return `${absent} The answer has the status ${status} and no page.`;
  if (seen === null) return missing(name, found);
  const { contentType, title } = seen;
  if (!contentType.includes('html')) return `${absent} The answer is ${plainType(contentType)}, not HTML.`;
  if (wanted.kind === 'title') {
    const shown =
      title === '' ? 'The page has no title.' : `The title is ${quoted(title, SEEN_CHARACTERS_MAX)}.`;
    return `${shown} The expected one is ${quoted(wanted.text, EXPECTED_CHARACTERS_MAX)}.`;
  }
  return `${cause(name, found, seen)} ${headingsSeen(wanted, found, seen)}`;
}

function missing(name: string, found: Found): string {
  if (found === 'covered') return `Something covers the ${name}.`;
  if (found === 'unseen') {
    return `The ${name} is in the page, but cannot be seen. Check its size, its colour and its place.`;
  }
  return `No visible ${name}.`;
}

function cause(name: string, found: Found, { barrier, cover, isDialogOpen }: Seen): string {
  if (cover !== null) {
    const text = cover.text === '' ? '' : ` with the text ${quoted(cover.text, SEEN_CHARACTERS_MAX)}`;
    return `An element covers the ${name}: ${elementName(cover)}${text}.`;
  }
  if (barrier === null) return missing(name, found);
  const sentence = BARRIERS[barrier](name);
  return OF_DIALOGS.includes(barrier) && isDialogOpen ? `${sentence} A dialog is open.` : sentence;
}

function headingsSeen(wanted: Wanted, found: Found, { headings, isFramed }: Seen): string {
  if (headings.length === 0) {
    return isFramed ? 'The page shows no heading outside of its frames.' : 'The page shows no heading.';
  }
  const hasLevel = wanted.kind === 'heading' && wanted.level !== null;
  const named = headings
    .slice(0, HEADINGS_NAMED_MAX)
    .map(({ level, text }) => `${quoted(text, SEEN_CHARACTERS_MAX)}${hasLevel ? ` (level ${level})` : ''}`);
  const all = headings.length > HEADINGS_NAMED_MAX ? `${named.join(', ')} and more` : named.join(', ');
  const shown = `Visible ${headings.length === 1 ? 'heading' : 'headings'}: ${all}.`;
  const isAlike = headings.some(({ text }) => letters(text) === letters(wanted.text));
  return found === 'absent' && !hasLevel && isAlike ? `${shown} ${COMPARE}` : shown;
}

function elementName({ name, id }: { readonly name: string; readonly id: string }): string {
  const isPlain = /^[\w-]+$/.test(id);
  return `<${name}${isPlain ? ` id="${id}"` : ''}>`.slice(0, ELEMENT_CHARACTERS_MAX);
}

/** A media type as it is written, if it is one. */
function plainType(type: string): string {
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'of no known type';
}

/** A text of a page in quotes, which it can neither close nor turn around. */
function quoted(text: string, charactersMax: number): string {
  const characters = [...text.replaceAll(/\s+/g, ' ').replace(HIDDEN, '')];
  const isLong = characters.length > charactersMax;
  const shown = (isLong ? characters.slice(0, charactersMax - 1) : characters).join('');
  return `"${shown.replaceAll(/["\\]/g, '\\$&')}${isLong ? '…' : ''}"`;
}
