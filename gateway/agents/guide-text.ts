import { BUN } from '../../schemas/base/bun.ts';
import type { Guide, GuideStep } from './guide.ts';

export const WHAT_IT_IS =
  'Rate-limit checks, agent workspaces, onboarding checklists, CSV import, feedback and browser checks over HTTP.';

export const PLACEHOLDERS = 'A name in braces stands for that member of an earlier answer.';

/**
 * Writes the guide as the text of `/llms.txt` (llmstxt.org). It begins with the command-line tool and its checksum where one can
 * be downloaded, else with the first requests.
 */
export function guideText(guide: Guide): string {
  const { links, hosts, requests } = guide;
  return [
    '# svc',
    `> ${WHAT_IT_IS}`,
    'An agent needs no account and no card. A workspace starts as a preview for 72 hours. A person keeps it by a claim.',
    ...cliSection(guide),
    ...stepSection(guide),
    '## Rules',
    [
      '- Keep `credential` and `provisionToken` in a file that only you can read. Never put them into a prompt, a log, an address, an argument of a command or a commit.',
      '- Repeat a request without an answer, or with 503, with the same `idempotencyKey`. Wait for `Retry-After`. Do not repeat 400, 403, 409 and 410 unchanged.',
      '- Every error is `{"error":{"code","message","request_id"}}`. The message says what was seen and what is expected.',
      '- Origins are `https://` and a host name, without a port and a path. A page on this machine has such an origin over a tunnel, or in a browser that maps the name to `127.0.0.1`, as `activate page` shows.',
      '- The backend of your app gets the credential from `run -- COMMAND` of the tool, which starts it with `SVC_BASE_URL`, `SVC_INSTALLATION_ID` and `SVC_CREDENTIAL` in its environment. A capability, for import sessions and delivery, is created by a person in the console after the workspace is attached.',
      '- A person approves imports and claims the workspace in the console. An agent cannot.',
    ].join('\n'),
    '## Documentation',
    [
      `- [Documentation](${links.documentation}/index.md): every page is Markdown at its address with \`.md\`, such as the [quick start](${links.documentation}/quick-start.md), the [errors](${links.documentation}/errors.md) and the [operations](${links.documentation}/api.md), each with an example in curl, JavaScript and Python\n` +
        `- [Capabilities](${links.capabilities}): products, endpoints, and the limits in force`,
      `- [OpenAPI](${links.openapi}): every request with its schema and an example`,
      `- MCP at \`${links.mcp}\`: Streamable HTTP with \`Authorization: Bearer {credential}\`; tools for CSV import, from limits to digests`,
      `- [Protected resource](${links.protectedResource}): how to get a credential, as RFC 9728 describes it`,
      `- [Console](${hosts.console}/): for people`,
    ].join('\n'),
    '## Requests of agents',
    requests.map(({ method, path, summary }) => `- \`${method} ${path}\`: ${summary}`).join('\n'),
    ...pageSection(guide),
    '',
  ].join('\n\n');
}

/** The list of the pages, behind everything else: an agent that found its way needs none of them. */
function pageSection({ pages, hosts }: Guide): string[] {
  if (pages.length === 0) return [];
  return [
    '## Pages of the documentation',
    pages.map(({ title, path }) => `- [${title}](${hosts.base}${path})`).join('\n'),
  ];
}

function stepSection({ steps }: Guide): string[] {
  return [
    '## From nothing to a verified result over HTTP',
    `${PLACEHOLDERS} The last answer has \`"outcome":"completed"\`: the service has recorded a milestone. Then the workspace can be claimed.`,
    ...steps.map((step, index) => `${index + 1}. ${step.summary}\n\n${requestText(step)}`),
  ];
}

/** A request as it looks on the wire, between fences. */
function requestText({ method, url, headers, body }: GuideStep): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return ['```http', `${method} ${url}`, ...lines, '', JSON.stringify(body), '```'].join('\n');
}

function cliSection({ cli }: Guide): string[] {
  if (cli === null) return [];
  return [
    '## The command-line tool',
    `One file of ${cli.bytes} bytes for Bun 1.4. It keeps the credential in \`.svc\`, where no prompt and no log gets it. Stop if the checksum differs. \`${BUN} ${cli.name} help\` lists every command. ${PLACEHOLDERS}`,
    ['```sh', ...cli.commands, '```'].join('\n'),
    '### A page of your own',
    'In place of the last command, these show the checklist on a page of your own: a program of 80 lines, which is the page and its backend. It serves the origin of the checklist over HTTPS on this machine, gets the credential in its environment, and prints the command of a browser that sees the progress. Opening `/done/{key of a step}` reports that step.',
    ['```sh', ...cli.pageCommands, '```'].join('\n'),
  ];
}
