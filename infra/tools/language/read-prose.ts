import jsTokens, { type JSXToken, type Token } from 'js-tokens';
import type { Prose } from './rules.ts';

/** A string with fewer words than this is a name or a value, not a message. */
const MESSAGE_WORDS_MIN = 3;

/** How comments begin in files that are neither TypeScript nor Markdown, by the end of the file's name. */
const LINE_COMMENTS: readonly (readonly [name: RegExp, comment: RegExp])[] = [
  [/\.(ya?ml|toml|py|cfg)$|Dockerfile(\.dockerignore)?$|\.env\.example$|\.ci\/run$/, /^\s*#+\s?(.*)$/],
  [/\.(lua|cql)$/, /^\s*--\s?(.*)$/],
];

/** Programs that meet messages of the service, without their tests. One file reads those of browsers. */
const CLIENTS = /^(?:cli|widgets)\/(?!.*(?:\.test|\.fixture)\.)(?!testing\/|console\/app\/load-page\.ts)/;

/** Sources whose strings users read. Those of pages are left to their reviewers so far. */
const FOR_USERS = /^(?!widgets\/|infra\/testing\/)(?!.*\.(?:test|fixture|contract)\.)/;

/** Returns the prose of one file: nothing for a kind of file that has none. */
export function readProse(path: string, text: string): Prose[] {
  if (/\.(ts|tsx|mjs|js)$/.test(path)) {
    const code: Prose[] = CLIENTS.test(path) ? [{ kind: 'code', text, line: 1 }] : [];
    const prose = proseOfSource(text, path.endsWith('.tsx'));
    const kindOf = ({ kind }: Prose) => (kind === 'string' && FOR_USERS.test(path) ? 'message' : kind);
    return [...code, ...prose.map((each) => ({ ...each, kind: kindOf(each) }))];
  }
  if (path.endsWith('.css')) return proseOfStyles(text);
  if (path.endsWith('.md')) return proseOfDocument(text);
  const comment = LINE_COMMENTS.find(([name]) => name.test(path))?.[1];
  if (comment === undefined) return [];
  return text.split('\n').flatMap((content, index): Prose[] => {
    const words = comment.exec(content)?.[1];
    return words === undefined ? [] : [{ kind: 'comment', text: words, line: index + 1 }];
  });
}

/** Comments and messages of a source file. Adjacent comments that begin with `//` are one. */
function proseOfSource(text: string, jsx: boolean): Prose[] {
  const prose: Prose[] = [];
  let line = 1;
  /** The comment of `//` lines that the next token may continue. */
  let open: { kind: 'comment'; text: string; line: number } | null = null;
  const tokens: Iterable<Token | JSXToken> = jsx ? jsTokens(text, { jsx }) : jsTokens(text);
  for (const token of tokens) {
    if (token.type === 'SingleLineComment') {
      const content = token.value.replace(/^\/\/ ?/, '');
      if (open !== null) open.text += `\n${content}`;
      else {
        open = { kind: 'comment', text: content, line };
        prose.push(open);
      }
    } else if (!SPACE.has(token.type)) {
      open = null;
      const found = proseOfToken(token);
      if (found !== null) prose.push({ ...found, line });
    }
    line += token.value.split('\n').length - 1;
  }
  return prose;
}

const SPACE: ReadonlySet<string> = new Set<Token['type']>(['WhiteSpace', 'LineTerminatorSequence']);

function proseOfToken({ type, value }: Token | JSXToken): Pick<Prose, 'kind' | 'text'> | null {
  switch (type) {
    case 'MultiLineComment':
      return { kind: value.startsWith('/**') ? 'doc comment' : 'comment', text: words(value) };
    case 'StringLiteral':
    case 'JSXString':
    case 'JSXText':
    case 'NoSubstitutionTemplate':
    case 'TemplateHead':
    case 'TemplateMiddle':
    case 'TemplateTail':
      return value.split(/\s+/).length < MESSAGE_WORDS_MIN ? null : { kind: 'string', text: value };
    default:
      return null;
  }
}

/** The comments of a style sheet. */
function proseOfStyles(text: string): Prose[] {
  return [...text.matchAll(/\/\*[\s\S]*?\*\//g)].map(({ 0: comment, index }) => ({
    kind: 'comment',
    text: words(comment),
    line: text.slice(0, index).split('\n').length,
  }));
}

/** A comment without its marks. Lines stay lines. */
function words(comment: string): string {
  return comment
    .replace(/^\/\*\*? ?/, '')
    .replace(/\*\/$/, '')
    .replaceAll(/^[ \t]*(?:\*|\/\/)[ \t]?/gm, '');
}

/** The text of a Markdown document without its blocks of code. */
function proseOfDocument(text: string): Prose[] {
  const withoutCode = text.replaceAll(/^```[\s\S]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, ''));
  return [{ kind: 'document', text: withoutCode.replaceAll(/`[^`\n]*`/g, '``'), line: 1 }];
}
