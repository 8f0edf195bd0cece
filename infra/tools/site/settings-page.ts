/** A comment of the file and the variables below it. */
interface Block {
  readonly comment: string;
  readonly variables: readonly { readonly name: string; readonly preset: string }[];
}

/** The headings of groups, by the beginning of a name. The first that fits counts. */
const GROUPS: readonly (readonly [start: RegExp, title: string])[] = [
  [/^SVC_ENGINE/, 'Engine'],
  [/^(SVC_NAMESPACE|KAFKA_)/, 'Kafka'],
  [/^CASSANDRA_/, 'Cassandra'],
  [/^REDIS_/, 'Redis'],
  [/^SVC_(DATA|DISK)_/, 'Data folder'],
  [/^(HOST|PORT|BASE_URL|TRUSTED_)/, 'Addresses'],
  [/^SVC_(ROLES|GATEWAY_)/, 'Roles'],
  [/SECRET/, 'Secrets'],
  [/^SVC_LIMITS_/, 'Limits'],
  [/^(SIGN_UP|OIDC_)/, 'Sign-in'],
  [/^SVC_(SMTP|MAIL)_/, 'Mail'],
  [/^(SVC_RUNNER_|SVC_CHROMIUM|SVC_EGRESS_)/, 'Browser checks'],
  [/^OTEL_/, 'Traces'],
  [/^METRICS/, 'Metrics'],
  [/./, 'Others'],
];

/**
 * Writes the page of the settings from `.env.example`, which names every variable with its default. A test of the service holds that
 * file to the schema of the settings.
 */
export function settingsPage(example: string): string {
  const [head = ''] = example.split('\n\n', 1);
  const blocks = blocksOf(example);
  const groups = GROUPS.map(([, title]) => ({
    title,
    blocks: blocks.filter(({ variables }) => groupOf(variables[0]?.name ?? '') === title),
  }));
  return [
    '# Settings',
    head.replaceAll(/^# ?/gm, '').replaceAll('\n', ' '),
    ...groups
      .filter((group) => group.blocks.length > 0)
      .flatMap((group) => [`## ${group.title}`, ...group.blocks.map(blockText)]),
    '',
  ].join('\n\n');
}

function groupOf(name: string): string {
  return GROUPS.find(([start]) => start.test(name))?.[1] ?? '';
}

function blockText({ comment, variables }: Block): string {
  const rows = variables.map(
    ({ name, preset }) => `| \`${name}\` | ${preset === '' ? 'none' : `\`${preset}\``} |`,
  );
  const table = ['| variable | default |', '| --- | --- |', ...rows].join('\n');
  return `${comment.replaceAll('<', '\\<')}\n\n${table}`;
}

/** Reads comments with the variables right below them. */
function blocksOf(example: string): Block[] {
  return [...example.matchAll(/((?:^#.*\n)*)((?:^[A-Z_]+=.*\n)+)/gm)].map(
    ([, comment = '', variables = '']) => ({
      comment: comment.replaceAll(/^# ?/gm, '').replaceAll('\n', ' ').trim(),
      variables: [...variables.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', preset = '']) => ({
        name,
        preset,
      })),
    }),
  );
}
