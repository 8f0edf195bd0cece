import type { JsonObject } from '../../../schemas/base/json.ts';

/**
 * Parses the text of a stored document. A damaged text is returned as it is: every schema of a document refuses a text, so the
 * damage concerns those who read this document, and not those who read others along with it.
 */
export function documentFrom(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch (error) {
    if (error instanceof SyntaxError) return text as unknown as JsonObject;
    throw error;
  }
}
