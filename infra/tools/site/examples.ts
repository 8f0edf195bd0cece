// Writes one request of an operation in three languages. A program fills in the variables of the environment.
import type { JsonValue } from '../../../schemas/base/json.ts';
import { libraryCallOf } from './library-examples.ts';
import type { Operation } from './openapi.ts';

/** The address in every example: that of a service without settings. A gateway replaces it by its own. */
export const ADDRESS = 'http://127.0.0.1:8787';

/** The variable that holds a credential, and the header that sends it, by security scheme. */
const CREDENTIALS: Readonly<Record<string, readonly [header: string, prefix: string, variable: string]>> = {
  project: ['Authorization', 'Bearer ', 'SVC_CREDENTIAL'],
  limiter: ['Authorization', 'Bearer ', 'LIMITER_KEY'],
  capability: ['Authorization', 'Bearer ', 'SVC_CAPABILITY'],
  upload: ['Authorization', 'Bearer ', 'SVC_UPLOAD_TOKEN'],
  session: ['Authorization', 'Bearer ', 'SVC_IMPORT_TOKEN'],
  progress: ['Authorization', 'Bearer ', 'SVC_PROGRESS_TOKEN'],
  console: ['Cookie', '', 'SVC_COOKIE'],
};

/** Credentials of pages. Browsers send their origin, so an example does. */
const OF_PAGES = ['session', 'progress'];

export interface Example {
  /** The tab. */
  readonly title: string;
  /** The language of the fence. */
  readonly language: string;
  readonly code: string;
}

/** A text with variables of the environment inside. */
type Template = readonly (string | { readonly variable: string })[];

interface Request {
  readonly method: string;
  readonly url: Template;
  readonly headers: readonly (readonly [name: string, value: Template])[];
  readonly body: { readonly json: JsonValue } | { readonly text: string } | null;
  readonly answer: 'json' | 'text' | 'file' | 'none' | 'redirect';
}

/**
 * The examples of an operation: curl, the client library or else plain JavaScript, and Python. A redirect is for browsers, so it has
 * only the one of curl.
 */
export function examplesOf(operation: Operation): Example[] {
  const request = requestOf(operation);
  const curl = { title: 'curl', language: 'sh', code: curlOf(request) };
  if (request.answer === 'redirect') return [curl];
  const call = libraryCallOf(operation, ADDRESS);
  return [
    curl,
    call === null
      ? { title: 'JavaScript', language: 'js', code: javaScriptOf(request) }
      : { title: 'Client library', language: 'js', code: call },
    { title: 'Python', language: 'python', code: pythonOf(request) },
  ];
}

/** The variable that an example reads for a part of a path: `checklistId` is `CHECKLIST_ID`. */
export function variableOf(parameter: string): string {
  return parameter.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function requestOf({ method, path, credential, parameters, body, success }: Operation): Request {
  const secret = credential === null ? undefined : CREDENTIALS[credential];
  const isOfPage = OF_PAGES.includes(credential ?? '');
  const sent = parameters.filter(
    (each) => each.in === 'header' && (each.required || (isOfPage && each.name === 'Origin')),
  );
  const query = parameters.filter((each) => each.required && each.in === 'query');
  const search = new URLSearchParams(query.map(({ name, example }) => [name, String(example)]));
  const [, ...parts] = `}${path}`.split(/[{}]/);
  const url = parts.map((part, index) => (index % 2 === 0 ? part : { variable: variableOf(part) }));
  const status = Number(success.status);
  const type = success.body?.contentType;
  return {
    method,
    url: [ADDRESS, ...url, search.size === 0 ? '' : `?${search}`].filter((part) => part !== ''),
    headers: [
      ...(secret === undefined ? [] : [[secret[0], [secret[1], { variable: secret[2] }]] as const]),
      ...sent.map(({ name, schema, example }) => [name, [String(example ?? schema.enum?.[0])]] as const),
      ...(body === null ? [] : [['Content-Type', [body.contentType]] as const]),
    ],
    body: bodyOf(body),
    answer: answerOf(status, type),
  };
}

function answerOf(status: number, type: string | undefined): Request['answer'] {
  if (status >= 300) return 'redirect';
  if (type === undefined) return 'none';
  if (type === 'application/json') return 'json';
  return type.startsWith('text/') ? 'text' : 'file';
}

function bodyOf(body: Operation['body']): Request['body'] {
  if (body === null || body.example === undefined) return null;
  return body.contentType === 'application/json'
    ? { json: body.example as JsonValue }
    : { text: String(body.example) };
}

function curlOf({ method, url, headers, body, answer }: Request): string {
  const isImplied = method === (body === null ? 'GET' : 'POST');
  // Arguments can be seen in a list of processes, so a header with a credential comes from the standard input.
  const secret = headers.find(([, value]) => !isPlain(value));
  const options = [
    ...(secret === undefined ? [] : ['-H @-']),
    ...headers.flatMap(([name, value]) => (isPlain(value) ? [`-H ${shellOf([`${name}: `, ...value])}`] : [])),
    ...(body === null ? [] : [`--data-binary ${quoted('text' in body ? body.text : pretty(body.json))}`]),
    ...(answer === 'file' ? ['-o answer.png'] : []),
  ];
  const first = `curl -s${answer === 'redirect' ? 'i' : ''}${isImplied ? '' : ` -X ${method}`} ${shellOf(url)}`;
  const request = [first, ...options].join(' \\\n  ');
  return secret === undefined ? request : `${printed(secret)} |\n  ${request}`;
}

/** A command of the shell itself that prints a header, whose value ends with a variable. */
function printed([name, value]: Request['headers'][number]): string {
  const format = value.map((part) => (typeof part === 'string' ? part : '%s')).join('');
  const variables = value.flatMap((part) => (typeof part === 'string' ? [] : [`"$${part.variable}"`]));
  return `printf '${name}: ${format}' ${variables.join(' ')}`;
}

function isPlain(template: Template): boolean {
  return template.every((part) => typeof part === 'string');
}

function javaScriptOf({ method, url, headers, body, answer }: Request): string {
  const sent = headers.map(([name, value]) => `    ${nameOf(name)}: ${scriptOf(value)},`);
  const text = body === null || 'json' in body ? '' : JSON.stringify(body.text);
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(sent.length === 0 ? [] : ['  headers: {', ...sent, '  },']),
    ...(body === null
      ? []
      : [`  body: ${'json' in body ? `JSON.stringify(${indented(pretty(body.json))})` : text},`]),
  ];
  const call = options.length === 0 ? scriptOf(url) : `${scriptOf(url)}, {\n${options.join('\n')}\n}`;
  const read = { json: ', await response.json()', text: ', await response.text()' }[answer as string];
  const shown = answer === 'file' ? ', (await response.arrayBuffer()).byteLength' : (read ?? '');
  return `const response = await fetch(${call});\nconsole.log(response.status${shown});`;
}

function pythonOf({ method, url, headers, body, answer }: Request): string {
  const parts = [...url, ...headers.flatMap(([, value]) => value)];
  const isJson = body !== null && 'json' in body;
  const imports = [
    ...(isJson || answer === 'json' ? ['import json'] : []),
    ...(parts.some((part) => typeof part !== 'string') ? ['import os'] : []),
    'import urllib.request',
  ];
  const data = body === null || 'json' in body ? '' : `${JSON.stringify(body.text)}.encode()`;
  const options = [
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    ...(headers.length === 0
      ? []
      : [
          '    headers={',
          ...headers.map(([name, value]) => `        "${name}": ${formatOf(value)},`),
          '    },',
        ]),
    ...(body === null
      ? []
      : [
          `    data=${'json' in body ? `json.dumps(${indented(pythonValue(body.json), 4)}).encode()` : data},`,
        ]),
  ];
  const shown = {
    json: ', json.load(response)',
    text: ', response.read().decode()',
    file: ', len(response.read())',
  }[answer as string];
  return [
    ...imports,
    '',
    'request = urllib.request.Request(',
    `    ${formatOf(url)},`,
    ...options,
    ')',
    'with urllib.request.urlopen(request) as response:',
    `    print(response.status${shown ?? ''})`,
  ].join('\n');
}

/** The longest JSON on one line. */
const LINE_MAX = 70;

function pretty(value: JsonValue): string {
  const line = JSON.stringify(value);
  return line.length <= LINE_MAX ? line : JSON.stringify(value, null, 2);
}

function pythonValue(value: JsonValue): string {
  const names: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
  // Only a word outside of a text stands before a comma or an end.
  return pretty(value)
    .split(/("(?:[^"\\]|\\.)*")/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll(/true|false|null/g, (word) => names[word] ?? word),
    )
    .join('');
}

function indented(text: string, spaces = 2): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}

function nameOf(header: string): string {
  return /^[A-Za-z]+$/.test(header) ? header : `'${header}'`;
}

function shellOf(template: Template): string {
  const text = template.map((part) => (typeof part === 'string' ? part : `$${part.variable}`)).join('');
  return isPlain(template) ? quoted(text) : `"${text}"`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function scriptOf(template: Template): string {
  if (isPlain(template)) return `'${template.join('')}'`;
  const parts = template.map((part) =>
    typeof part === 'string' ? part : `\${process.env.${part.variable}}`,
  );
  return `\`${parts.join('')}\``;
}

function formatOf(template: Template): string {
  if (isPlain(template)) return `"${template.join('')}"`;
  const parts = template.map((part) =>
    typeof part === 'string' ? part : `{os.environ['${part.variable}']}`,
  );
  return `f"${parts.join('')}"`;
}
