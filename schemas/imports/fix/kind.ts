import type { FixFault } from './findings.ts';

const WEB_PAGE = /^\s*<(?:!doctype|html|head|body|table|\?xml)\b/i;
/**
 * The start of a file that other programs read: a card or a calendar, an account in QIF or MT940, statements of SQL,
 * records of mysql below each other, sentences of NMEA 0183, messages of HL7, tuples, and rich text. A row of cells in brackets
 * has a separator behind the first bracket, and none inside.
 */
const OTHER_FORMAT =
  /^\s*(?:(?:--|\/\*).*\n\s*)*(?:BEGIN:V|!(?:Type|Account|Option):|:20:|INSERT INTO |(?:CREATE|DROP) (?:TABLE|DATABASE|SCHEMA) |\*{9,} 1\. row|[$!][A-Z]{5},|MSH\|\^|(?![[(][^\]),;]*[\])][,;].)[[(].*[\])][,;]\r?\n[[(]|\{\\rtf)/i;

/** Returns why a text is no table, or null. */
export function kindOf(text: string): FixFault | null {
  if (WEB_PAGE.test(text)) return 'web_page';
  if (isJson(text)) return 'json';
  return OTHER_FORMAT.test(text) ? 'other_format' : null;
}

/** True for JSON as a whole, or on the first line. MYOB writes an empty object above a table. */
function isJson(text: string): boolean {
  if (!/^\s*[[{](?!\}\s*[^\s{])/.test(text)) return false;
  const [line = ''] = text.trimStart().split('\n', 1);
  return parses(line) || parses(text);
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
