import type { FixFault } from './findings.ts';

const WEB_PAGE = /^\s*<(?:!doctype|html|head|body|table|\?xml)\b/i;

/** Returns why a text is no table, or null. */
export function kindOf(text: string): FixFault | null {
  if (WEB_PAGE.test(text)) return 'web_page';
  return isJson(text) ? 'json' : null;
}

/** True for JSON as a whole, or on the first line. */
function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
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
