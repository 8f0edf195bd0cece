// Clients that other people's generators make of the OpenAPI document: each has every operation, and one runs a guide.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { z } from 'zod';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import { readCommandLine } from '../../tools/command-line.ts';
import { ServiceProcess } from '../../tools/service-process/service-process.ts';

const HELP = `
npm run test:generators

Generates clients from /openapi.json of a service that it starts, in a temporary folder, with openapi-typescript, hey-api, orval,
swagger-typescript-api, openapi-python-client, datamodel-code-generator and openapi-generator. Each client has to have every
operation and a body of the upload; those in TypeScript pass tsc; the one of openapi-python-client runs the guide of CSV import.
What a registry or a missing Python or Java does not let run is left out, with a line.
`;

const NPM = [
  'openapi-typescript@7.13.0',
  '@hey-api/openapi-ts@0.99.0',
  'orval@8.38.0',
  'swagger-typescript-api@13.13.0',
  'typescript@5.9.3',
];
const PYTHON = ['openapi-python-client==0.29.1', 'datamodel-code-generator[http]==0.89.0'];
const JAR = {
  url: 'https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli/7.25.0/openapi-generator-cli-7.25.0.jar',
  sha256: '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae',
};
/** Time for one program: a download, or a generator on a busy machine. */
const PROGRAM_MS_MAX = 10 * 60_000;
const HERE = import.meta.dirname;

class LeftOut extends Error {}

readCommandLine(HELP, {});
const folder = mkdtempSync(join(tmpdir(), 'svc-generators-'));
const service = await ServiceProcess.start({ environment: { SVC_ENGINE: 'embedded' } });
let failures = 0;
try {
  const document = await (await fetch(`${service.url}/openapi.json`)).text();
  writeFileSync(join(folder, 'openapi.json'), document);
  const operations = operationsOf(document);
  check('TypeScript', () => typescriptClients(operations));
  check('Python', () => pythonClients(operations));
  check('openapi-generator', () => openapiGenerator(operations));
} finally {
  await service.dispose();
  rmSync(folder, { recursive: true, force: true });
}
say(failures === 0 ? 'Every client that was generated works.' : `${failures} kinds of clients failed`);
process.exitCode = failures === 0 ? 0 : 1;

function typescriptClients(operations: readonly string[]): void {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  need('npm', 'npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...NPM]);
  const bin = (name: string) => join(folder, 'node_modules/.bin', name);
  run(bin('openapi-typescript'), ['openapi.json', '--output', 'types/index.ts']);
  run(bin('openapi-ts'), ['--input', 'openapi.json', '--output', 'hey']);
  run(bin('orval'), ['--input', 'openapi.json', '--output', 'orval/index.ts', '--client', 'fetch']);
  run(bin('swagger-typescript-api'), [
    'generate',
    '--path',
    'openapi.json',
    '--output',
    'swagger',
    '--name',
    'index.ts',
  ]);
  for (const client of ['types', 'hey', 'orval', 'swagger']) expectAll(client, operations);
  writeFileSync(join(folder, 'uses.ts'), readFileSync(join(HERE, 'uses.txt')));
  const options = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext'];
  run(bin('tsc'), [
    ...options,
    '--moduleResolution',
    'bundler',
    '--lib',
    'es2022,dom,dom.iterable',
    'uses.ts',
  ]);
}

function pythonClients(operations: readonly string[]): void {
  need('python3 with venv', 'python3', ['-m', 'venv', 'python']);
  const bin = (name: string) => join(folder, 'python/bin', name);
  need('PyPI', bin('pip'), ['install', '--quiet', ...PYTHON]);
  const types = ['text/csv', 'image/png'].map((type) => `  ${type}: application/octet-stream`);
  writeFileSync(join(folder, 'opc.yml'), ['content_type_overrides:', ...types, ''].join('\n'));
  const words = ['--meta', 'none', '--config', 'opc.yml', '--output-path', 'opc'];
  run(bin('openapi-python-client'), ['generate', '--path', 'openapi.json', ...words]);
  const modules = filesIn('opc/api').filter((file) => !file.endsWith('__init__.py'));
  if (modules.length !== operations.length)
    throw new Error(`openapi-python-client has ${modules.length} of ${operations.length} operations`);
  const model = ['--output', 'models.py', '--output-model-type', 'pydantic_v2.BaseModel'];
  run(bin('datamodel-codegen'), ['--input', 'openapi.json', '--input-file-type', 'openapi', ...model]);
  run(bin('python'), ['-c', 'import models; models.ImportField']);
  const [, code = ''] = service.setUpLink.split('#');
  run(bin('python'), [join(HERE, 'guide.py'), service.url, code], { PYTHONPATH: folder });
}

function openapiGenerator(operations: readonly string[]): void {
  need('java', 'java', ['-version']);
  need('Maven Central', 'curl', ['-sSf', '-o', 'generator.jar', JAR.url]);
  if (sha256Hex(readFileSync(join(folder, 'generator.jar'))) !== JAR.sha256)
    throw new Error('another generator.jar');
  const generate = (name: string, ...words: string[]) =>
    run('java', [
      '-jar',
      'generator.jar',
      'generate',
      '-i',
      'openapi.json',
      '-g',
      name,
      '-o',
      name,
      ...words,
    ]);
  generate('typescript-fetch');
  generate('java');
  generate('python');
  generate('go', '--additional-properties=enumClassPrefix=true');
  for (const client of ['typescript-fetch', 'java']) expectAll(client, operations);
  expectAll('python', operations.map(inSnakeCase));
  expectAll(
    'go',
    operations.map((name) => name.charAt(0).toUpperCase() + name.slice(1)),
  );
}

/** Expects that the sources of a client name every operation. */
function expectAll(client: string, operations: readonly string[]): void {
  const text = filesIn(client)
    .map((file) => readFileSync(join(folder, client, file), 'utf8'))
    .join('\n');
  const words = new Set(text.match(/\w+/g));
  const missing = operations.filter((name) => !words.has(name));
  if (missing.length > 0) throw new Error(`${client} lacks ${missing.join(', ')}`);
}

function filesIn(path: string): string[] {
  return readdirSync(join(folder, path), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(?:ts|py|java|go)$/.test(file),
  );
}

function inSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function operationsOf(document: string): string[] {
  const operation = z.object({ operationId: z.string() });
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), operation)) })
    .parse(JSON.parse(document));
  return Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
}

function check(name: string, clients: () => void): void {
  try {
    clients();
  } catch (error) {
    if (!(error instanceof LeftOut)) failures += 1;
    say(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** @throws {LeftOut} if a program fails that only a registry or this machine can make fail */
function need(what: string, program: string, words: readonly string[]): void {
  if (spawn(program, words).status !== 0)
    throw new LeftOut(`Left out: the clients that need ${what}, which does not answer.`);
}

/** @throws {Error} with the output of a program that fails */
function run(program: string, words: readonly string[], environment: Record<string, string> = {}): void {
  const { status, stdout, stderr } = spawn(program, words, environment);
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}\n${stdout}\n${stderr}`);
}

function spawn(program: string, words: readonly string[], environment: Record<string, string> = {}) {
  const PATH = [join(process.execPath, '..'), process.env['PATH'] ?? ''].join(delimiter);
  const env = { ...process.env, PATH, ...environment };
  return spawnSync(program, words, { cwd: folder, env, encoding: 'utf8', timeout: PROGRAM_MS_MAX });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
