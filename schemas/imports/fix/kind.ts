import type { FixFault } from './findings.ts';

const WEB_PAGE = /^\s*<(?:!doctype|html|head|body|table|\?xml)\b/i;
/**
 * The start of a file that other programs read: a card or a calendar, an account in QIF or MT940, statements of SQL,
 * records of mysql below each other, sentences of NMEA 0183, messages of HL7, tuples, and rich text. A row of cells in brackets
 * has a separator behind the first bracket, and none inside.
 */
const OTHER_FORMAT =
  /^\s*(?:(?:--|\/\*).*\n\s*)*(?:BEGIN:V|!(?:Type|Account|Option):|:20:|INSERT INTO |(?:CREATE|DROP) (?:TABLE|DATABASE|SCHEMA) |\*{9,} 1\. row|[$!][A-Z]{5},|MSH\|\^|(?![[(][^\]),;]*[\])][,;].)[[(].*[\])][,;]\r?\n[[(]|\{\\rtf)/i;

/** The start of a text that shows what it is. */
const SAMPLE_CHARACTERS = 256 * 1_024;
/** The start of an object of JSON, or of a list of them. */
const OBJECT = /^\s*\[?\s*\{/;

/** Returns why a text is no table, or null. */
export function kindOf(text: string): FixFault | null {
  const start = text.slice(0, SAMPLE_CHARACTERS);
  if (WEB_PAGE.test(start)) return 'web_page';
  if (isJson(start, start === text)) return 'json';
  return OTHER_FORMAT.test(start) ? 'other_format' : null;
}

/** True for JSON as a whole, or on the first line. MYOB writes an empty object above a table. */
function isJson(start: string, isWhole: boolean): boolean {
  if (!/^\s*[[{](?!\}\s*[^\s{])/.test(start)) return false;
  const [line = ''] = start.trimStart().split('\n', 1);
  // Parsing a large text would take longer than a step.
  return parses(line) || (isWhole ? parses(start) : OBJECT.test(start));
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
