// Writes the pages of the API in Markdown: one for each operation, and their list.
import { ERRORS, type ErrorCode, isRetriable } from '../../../schemas/base/error-codes.ts';
import { markdownTable } from '../markdown-table.ts';
import { ADDRESS, type Example, examplesOf, variableOf } from './examples.ts';
import { libraryCallOf } from './library-examples.ts';
import type { ApiDocument, Body, Operation } from './openapi.ts';
import type { Page } from './page.ts';
import { fieldRows } from './schema-rows.ts';

/** The section of the site that has the operations. */
const API = 'api';

/** Writes the list of the operations, and the page of each. */
export function apiPages(document: ApiDocument, operations: readonly Operation[]): Page[] {
  return [
    { path: API, markdown: listOf(document, operations), group: null },
    ...operations.map((operation) => ({
      path: `${API}/${operation.name}`,
      markdown: operationPage(document, operation),
      group: operation.tag,
    })),
  ];
}

function listOf({ tags }: ApiDocument, operations: readonly Operation[]): string {
  const groups = tags.map(({ name, description }) => {
    const rows = operations
      .filter(({ tag }) => tag === name)
      .map(({ name: operation, method, path, summary }) => [
        `[${summary}](/docs/${API}/${operation})`,
        `\`${method} ${path}\``,
      ]);
    return [`## ${name}`, description, markdownTable(['operation', 'request'], rows)].join('\n\n');
  });
  return [
    '# API',
    `${operations.length} operations over HTTP. Each has its fields, bounds and errors, and an example that runs as it stands, in curl, in JavaScript (with the [client library](/docs/client) where it has a call) and in Python. The [common rules](/docs/reference) hold for every request. The service describes itself at \`/openapi.json\`, in OpenAPI 3.1.`,
    ...groups,
    '',
  ].join('\n\n');
}

function operationPage(document: ApiDocument, operation: Operation): string {
  const { method, path, summary, description, success } = operation;
  return [
    `# ${summary}`,
    `\`\`\`http\n${method} ${path}\n\`\`\``,
    description,
    credentialText(document, operation),
    '## Example',
    examplesOf(operation).map(fence).join('\n'),
    ...libraryText(operation),
    ...variableTable(document, operation),
    ...answerExample(success),
    ...parameterTable(document, operation),
    ...fieldTable('Body', operation.body, document),
    `## Answer ${success.status}`,
    `${success.description.replace(/\.$/, '')}.`,
    ...fieldTable(null, success.body, document),
    '## Errors',
    errorTable(operation),
    '',
  ].join('\n\n');
}

function fence({ title, language, code }: Example): string {
  return `\`\`\`${language} tab=${title}\n${code}\n\`\`\``;
}

function credentialText({ components }: ApiDocument, { credential }: Operation): string {
  const scheme = credential === null ? undefined : components.securitySchemes[credential];
  if (scheme === undefined) return '**Credential:** none.';
  const form =
    scheme.bearerFormat === undefined ? '' : ` Send it as \`Authorization: Bearer ${scheme.bearerFormat}\`.`;
  return `**Credential:** ${scheme.description}${form}`;
}

/** A link to the installation of the library, below examples that import it. */
function libraryText(operation: Operation): string[] {
  const isUsed = libraryCallOf(operation, ADDRESS) !== null;
  return isUsed
    ? ['[Client library](/docs/client) has the line that installs `svc-client` from this service.']
    : [];
}

/** The names of the environment, so that an example runs as it stands. */
function variableTable({ components }: ApiDocument, operation: Operation): string[] {
  const { credential, parameters } = operation;
  const scheme = credential === null ? undefined : components.securitySchemes[credential];
  const secret = /\$(?:\{process\.env\.)?((?:SVC|LIMITER)_[A-Z_]+)/.exec(
    examplesOf(operation)[0]?.code ?? '',
  );
  const rows = [
    ...parameters
      .filter((each) => each.in === 'path')
      .map(({ name, description }) => [`\`${variableOf(name)}\``, description]),
    ...(scheme === undefined || secret === null ? [] : [[`\`${secret[1]}\``, scheme.description]]),
  ];
  if (rows.length === 0) return [];
  return ['Set these variables of the environment first:', markdownTable(['variable', 'value'], rows)];
}

function answerExample({ body }: Operation['success']): string[] {
  if (body?.contentType !== 'application/json' || body.example === undefined) return [];
  return ['The answer:', `\`\`\`json\n${JSON.stringify(body.example, null, 2)}\n\`\`\``];
}

function parameterTable(document: ApiDocument, { parameters }: Operation): string[] {
  if (parameters.length === 0) return [];
  const rows = parameters.map((parameter) => {
    const [row] = fieldRows({ properties: { [parameter.name]: parameter.schema } }, document);
    return [
      `\`${parameter.name}\``,
      parameter.in,
      parameter.required ? 'yes' : 'no',
      parameter.description,
      row?.bounds ?? '',
    ];
  });
  return ['## Parameters', markdownTable(['name', 'in', 'required', 'meaning', 'allowed'], rows)];
}

function fieldTable(title: string | null, body: Body | null, document: ApiDocument): string[] {
  if (body === null) return [];
  const head = title === null ? [] : [`## ${title}`];
  if (body.contentType !== 'application/json') return [...head, `\`${body.contentType}\``];
  const rows = fieldRows(body.schema, document).map(({ path, type, required, meaning, bounds }) => [
    `\`${path}\``,
    type,
    required ? 'yes' : 'no',
    meaning,
    bounds,
  ]);
  if (rows.length === 0) return [...head, 'Any JSON object.'];
  return [...head, markdownTable(['field', 'type', 'required', 'meaning', 'allowed'], rows)];
}

function errorTable({ errors }: Operation): string {
  const rows = errors.flatMap(({ codes }) =>
    codes.map((code) => {
      const { status, meaning } = ERRORS[code as ErrorCode];
      return [
        `[\`${code}\`](/docs/errors#${code})`,
        String(status),
        isRetriable(code) ? 'yes' : 'no',
        meaning,
      ];
    }),
  );
  return markdownTable(['code', 'status', 'retriable', 'meaning'], rows);
}
