import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { rightsOf, SIGNED_OUT } from './people.ts';
import type { Run } from './runs.ts';
import type { Scene } from './scene.ts';

/** `SCHEMATHESIS_SEED` draws other requests. */
const SEED = process.env['SCHEMATHESIS_SEED'] ?? '1';

/** A run that takes longer than this is stuck. */
const RUN_MS_MAX = 20 * 60_000;

const CONSOLE_SCHEME = 'console';

/** The result of a run: the number of operations, and a line for each that failed. */
export interface Finding {
  readonly operations: number;
  readonly failing: readonly string[];
  /** The output of schemathesis. It has a command for each failure, which repeats the request. */
  readonly text: string;
}

const namedSchema = z.object({ title: z.string(), operations: z.array(z.string()) });

const reportSchema = z.object({
  complete: z.boolean(),
  operations: z.object({ selected: z.number(), tested: z.number() }),
  failures: z.array(namedSchema),
  errors: z.array(z.looseObject({ title: z.string(), operations: z.array(z.string()).optional() })),
  warnings: z.looseObject({
    missing_auth: z.array(z.string()).default([]),
    missing_test_data: z.array(z.string()).default([]),
  }),
});

const exceptionsSchema = z.array(
  z.object({ check: z.string(), operations: z.array(z.string()).optional(), reason: z.string().min(1) }),
);

/** Runs schemathesis once on the service of a scene. */
export async function perform(program: string, run: Run, scene: Scene): Promise<Finding> {
  const folder = mkdtempSync(join(tmpdir(), 'schemathesis-'));
  try {
    const report = join(folder, 'report.json');
    const config = join(folder, 'schemathesis.toml');
    writeFileSync(config, configurationOf(run));
    const rights = await rightsIn(run, scene);
    const text = await runProgram(program, optionsOf(run, scene, config, report), environmentOf(run, scene));
    const finding = findingOf(run, reportSchema.parse(JSON.parse(readFileSync(report, 'utf8'))), text);
    const expected = run.isSessionEnded ? SIGNED_OUT : rights;
    const left = await rightsIn(run, scene);
    if (left === expected) return finding;
    // The operations after a request that took the rights away were not tested.
    return {
      ...finding,
      failing: [...finding.failing, `the run: its caller is ${left} instead of ${expected}`],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function rightsIn({ session }: Run, { world }: Scene): Promise<string> {
  return session === null ? 'a visitor' : await rightsOf(world.service.url, session);
}

/** The committed configuration and the credentials of this run, which are in the environment. */
function configurationOf({ credentials }: Run): string {
  const sections = Object.keys(credentials).map((scheme) => {
    const kind = scheme === CONSOLE_SCHEME ? 'api_key' : 'bearer';
    return `[auth.openapi.${scheme}]\n${kind} = "\${${variableOf(scheme)}}"\n`;
  });
  const base = readFileSync(join(import.meta.dirname, 'schemathesis.toml'), 'utf8');
  return [base, ...sections].join('\n');
}

function variableOf(scheme: string): string {
  return `SVC_CREDENTIAL_${scheme.toUpperCase()}`;
}

function optionsOf(run: Run, { world }: Scene, config: string, report: string): string[] {
  const chosen = run.operations?.flatMap((operation) => ['--include-operation-id', operation]) ?? [];
  return [
    ...['--config-file', config, 'run', `${world.service.url}/openapi.json`, '--checks', 'all'],
    ...['--seed', SEED, '--no-color', '--report', 'json', '--report-json-path', report],
    ...run.options,
    ...chosen,
  ];
}

/** Resolves with what the program wrote. Failures are in its report; its exit code only says that there are some. */
async function runProgram(
  program: string,
  options: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(program, options, {
    cwd: import.meta.dirname,
    env: { ...process.env, ...environment, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: RUN_MS_MAX,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  const [code] = await once(child, 'close');
  if (code !== 0 && code !== 1) throw new Error(`running schemathesis: it ended with ${code}\n${text}`);
  return text;
}

function environmentOf({ credentials }: Run, { world, knowledge }: Scene): Record<string, string> {
  const secrets = Object.entries(credentials).map(([scheme, secret]) => [variableOf(scheme), secret]);
  return {
    ...Object.fromEntries(secrets),
    SVC_URL: world.service.url,
    SVC_SCHEMATHESIS_KNOWLEDGE: JSON.stringify(knowledge),
  };
}

function findingOf(run: Run, report: z.infer<typeof reportSchema>, text: string): Finding {
  const { operations, failures, errors, warnings } = report;
  const unmet = [
    ...failures.flatMap(({ title, operations: labels }) => labels.map((label) => `${label}: ${title}`)),
    ...errors.map(({ title, operations: labels }) => `${labels?.join(', ') ?? 'the run'}: ${title}`),
    ...(report.complete ? [] : ['the run: ended early']),
    ...(run.isComplete && operations.tested < operations.selected ? ['the run: left operations out'] : []),
    ...(run.isLetIn ? notLetIn(warnings) : []).map((label) => `${label}: answered with 401 and 403 only`),
  ];
  return { operations: operations.tested, failing: [...new Set(unmet)], text };
}

/** The operations whose caller is never let in, which were not tested at all. One that finds nothing lets its caller in. */
function notLetIn(warnings: z.infer<typeof reportSchema>['warnings']): string[] {
  const found = new Set(warnings.missing_test_data);
  return warnings.missing_auth.filter((label) => isUnexplained(label) && !found.has(label));
}

function isUnexplained(label: string): boolean {
  const exceptions = exceptionsSchema.parse(
    JSON.parse(readFileSync(join(import.meta.dirname, 'exceptions.json'), 'utf8')),
  );
  return !exceptions.some(({ check, operations }) => check === 'missing_auth' && operations?.includes(label));
}
