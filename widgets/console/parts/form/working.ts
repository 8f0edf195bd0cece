/** Verbs that double their last letter. */
const DOUBLED = ['Cancel', 'Run', 'Set'];

/** The words of a button while it works: "Creating key" for "Create key". */
export function workingWords(words: string): string {
  const [verb = '', ...rest] = words.split(' ');
  const stem = DOUBLED.includes(verb) ? verb + verb.slice(-1) : verb.replace(/e$/, '');
  return [`${stem}ing`, ...rest].join(' ');
}
