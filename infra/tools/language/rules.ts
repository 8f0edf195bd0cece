/** A piece of prose: a comment, a message or a paragraph of a document; or the code of a program that meets messages of the service. A `message` is a string that users read. */
export interface Prose {
  readonly kind: 'doc comment' | 'comment' | 'string' | 'message' | 'document' | 'code';
  readonly text: string;
  /** The number of the line on which the text begins, from 1. */
  readonly line: number;
}

/** A place where prose breaks a rule. */
export interface Finding {
  readonly line: number;
  readonly found: string;
  readonly advice: string;
}

interface Rule {
  readonly pattern: RegExp;
  /** All but `code` by default. */
  readonly kinds?: readonly Prose['kind'][];
  readonly advice: string;
}

/** Citations of documents that a reader of the repository cannot open. A citation may be broken over two lines. */
const ABSENT_DOCUMENTS: readonly RegExp[] = [
  /\bspecification(?:\s"|,?\s(?:§\s?)?\d)/gi,
  /\b(?:the|our|this)\s(?:specification|spec)\b/gi,
  /\bcontract\s(?:"|[A-H]\b)/gi,
  /\b(?:of|by|in|to|as)\s(?:the|our)\scontract\b(?!\s(?:between|test|suite|version))/gi,
  /\bdesign(?:'s)?\srules?\b/gi,
  /\b(?:of|by|in|as)\s(?:the|our|this)\sdesign\b/gi,
  /\b(?:the|our|this)\s(?:design|plan|brief)\s(?:says|states|asks|wants|counts|promises|demands|has)\b/gi,
  /\bas\s(?:specified\b|the\sdocument\ssays\b)/gi,
  /\b(?:decision|issue)\s#?\d+\b/gi,
];

/** Words of ours for which users have plainer ones. */
const FOR_USERS: readonly Omit<Rule, 'kinds'>[] = [
  {
    pattern: /(?<!\bthere\s)\b(?:is|are|was|were)\sno\s(?!longer\b|more\b|less\b|other\b|faster\b)\w+/gi,
    advice: 'write "is not a"',
  },
  { pattern: /\btakes?\sno(?:thing)?\b/gi, advice: 'write "accepts no", "needs no"' },
  { pattern: /\blook(?:s|ed|ing)?\s(?:at|behind)\b/gi, advice: 'write "view", "check" or "inspect"' },
  { pattern: /\bby\s(?:itself|themselves)\b/gi, advice: 'write "automatically", "alone"' },
  {
    pattern: /\b(?:leaves?|left|leaving)\sout\b|\btak(?:e|es|en|ing)\saway\b/gi,
    advice: 'write "omit", "drop", "skip" or "remove"',
  },
  { pattern: /\banother\s[\w-]+\sthan\b/gi, advice: 'write "other than" or "different from"' },
  { pattern: /\bthe\sones?\sbefore\b/gi, advice: 'write "the previous one"' },
  { pattern: /\beverybody\b/gi, advice: 'write "everyone", or name the users' },
  { pattern: /\b(?:is|are|was|were)\snone\sof\b/gi, advice: 'write "is not one of"' },
  {
    pattern:
      /\b(?:links?|codes?|tokens?|challenges?|proofs?|previews?|retention|capabilit(?:y|ies))\s(?:(?:that|which)\s)?(?:has|have|had)\s(?:not\s)?ended\b/gi,
    advice: 'write "expired"',
  },
];

/** The rules of CONTRIBUTING.md, "Language", that a program can check. */
const RULES: readonly Rule[] = [
  {
    pattern: /\b(?:nobody|whoever|whomever|somebody)\b/gi,
    advice: 'name the client, user, consumer or process',
  },
  { pattern: /\banew\b/gi, advice: 'write "again"' },
  {
    pattern: /\bof\s(?:its|their)\sown\b/gi,
    advice: 'write "separate", "private" or "dedicated", or leave it out',
  },
  { pattern: /\b(?:comes|came)\sto\b/gi, advice: 'name the action: receives, reaches, amounts to' },
  { pattern: /\b(?:goes|go|went|going)\son\b/gi, advice: 'write "continues"' },
  { pattern: /\b(?:lets?|letting)\sgo\b/gi, advice: 'write "evicts" or "releases"' },
  { pattern: /\bso\smany\b/gi, advice: 'give the number, or write "that many"' },
  {
    pattern: /\b(?:likewise|at\sthat)\b(?!\s(?:time|point|moment|address|position|offset))/gi,
    advice: 'name the thing',
  },
  {
    pattern: /(?<=^\s*|[.!?:]\s+|@returns\s+|@param\s+\w+\s+)(?:What|Whether|Who|Whose|Where|How)\b/g,
    kinds: ['doc comment'],
    advice: 'open with a noun phrase or an imperative: "True if …", "The …", "Returns …"',
  },
  ...ABSENT_DOCUMENTS.map((pattern) => ({
    pattern,
    advice: 'cite a file of this repository: infra/docs/reference, infra/docs/decisions or ARCHITECTURE.md',
  })),
  {
    pattern: /(?<!ARCHITECTURE\.md,\s)\brules?\s\d+/g,
    kinds: ['doc comment', 'comment', 'string', 'message'],
    advice: 'write "ARCHITECTURE.md, rule N"',
  },
  ...FOR_USERS.map((rule): Rule => ({ ...rule, kinds: ['message', 'document'] })),
  {
    pattern:
      /\bmessage\)?\??\.(?:includes|startsWith|endsWith|match|search|indexOf)\(|\.test\([\w.]*\bmessage\)|\bmessage\s[!=]==\s['"`](?=[^'"`]*[ .])/g,
    kinds: ['code'],
    advice: 'decide by the code of an error: its message may change (schemas/base/errors.ts)',
  },
];

/** Returns each place in a piece of prose that breaks a rule, in the order of the text. */
export function findings({ kind, text, line }: Prose): Finding[] {
  const found = RULES.filter(({ kinds }) => kinds?.includes(kind) ?? kind !== 'code').flatMap(
    ({ pattern, advice }) =>
      [...text.matchAll(pattern)].map((match) => ({
        line: line + text.slice(0, match.index).split('\n').length - 1,
        found: match[0].replaceAll(/\s+/g, ' '),
        advice,
      })),
  );
  return found.sort((a, b) => a.line - b.line);
}
