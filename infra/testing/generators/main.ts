// Clients that other people's generators make of the OpenAPI document: each compiles, and reads the answers of a service.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import { readCommandLine } from '../../tools/command-line.ts';
import { Scene } from './scene.ts';
import { type Command, JAR, LANGUAGES, TOOLS, type Tool } from './tools.ts';

const HELP = `
npm run test:generators -- [options]

Generates a client with each tool of infra/testing/generators/tools.ts, in a temporary folder, from /openapi.json of a service that it
starts. Each client has to have every operation and to compile. A program with it makes a check, reports an event and uploads a file,
and has to read what the service sent. The client of openapi-python-client runs the guide of CSV import, too. A language whose tools
are not installed is left out, with a line.

  --only go,orval   tools or languages; all by default
  --table FILE      writes the result in Markdown
`;

/** Time for one program: a download, or a compiler on a busy machine. */
const PROGRAM_MS_MAX = 15 * 60_000;
/** Output of one program. Generators print a line for each file. */
const OUTPUT_BYTES_MAX = 1 << 28;
const HERE = import.meta.dirname;

type Environment = Readonly<Record<string, string>>;

const { values } = readCommandLine(HELP, {
  options: { only: { type: 'string' }, table: { type: 'string' } },
});
const only = values.only?.toLowerCase().split(',');
const folder = mkdtempSync(join(tmpdir(), 'svc-generators-'));
const scene = await Scene.start();
const rows: string[] = [];
let failures = 0;
try {
  const document = await scene.document();
  await perform(folder, ['curl', '-sSf', '-o', 'generator.jar', JAR.url]);
  if (sha256Hex(readFileSync(join(folder, 'generator.jar'))) !== JAR.sha256)
    throw new Error('another generator.jar');
  for (const tool of TOOLS) {
    if (only !== undefined && !only.includes(tool.name) && !only.includes(tool.language.toLowerCase()))
      continue;
    const started = Date.now();
    const result = await resultOf(tool, document);
    if (result.startsWith('FAILED')) failures += 1;
    const seconds = Math.round((Date.now() - started) / 1000);
    say(`${tool.language.padEnd(11)} ${tool.name.padEnd(29)} ${String(seconds).padStart(4)} s  ${result}`);
    rows.push(`| ${tool.language} | ${tool.name} | ${seconds} | ${result.split('\n', 1)[0]} |`);
  }
} finally {
  await scene.dispose();
  rmSync(folder, { recursive: true, force: true });
}
const head = ['| language | tool | seconds | result |', '| --- | --- | --- | --- |'];
if (values.table !== undefined) writeFileSync(values.table, [...head, ...rows, ''].join('\n'));
say(failures === 0 ? 'Every client that was generated works.' : `${failures} clients failed`);
process.exitCode = failures === 0 ? 0 : 1;

async function resultOf(tool: Tool, document: string): Promise<string> {
  if (!(await ended(folder, LANGUAGES[tool.language])).isDone)
    return `left out: ${LANGUAGES[tool.language].join(' ')} fails`;
  try {
    return await tryTool(tool, join(folder, tool.name), document);
  } catch (error) {
    return `FAILED: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function tryTool(tool: Tool, place: string, document: string): Promise<string> {
  const { files = {}, program, compile, run } = tool;
  for (const [name, text] of Object.entries({ ...files, 'openapi.json': document }))
    write(join(place, name), text);
  for (const command of [...tool.install, ...tool.generate]) await perform(place, command);
  expectEveryOperation(join(place, tool.output), document);
  if (program !== undefined) {
    mkdirSync(dirname(join(place, program[1])), { recursive: true });
    cpSync(join(HERE, 'programs', program[0]), join(place, program[1]));
  }
  if (compile !== undefined) await perform(place, compile);
  if (run === undefined) return 'compiles';
  const visit = await scene.visitOf(tool.name, place);
  const read = (await perform(place, run, visit.environment)).trim();
  const sent = await visit.sent();
  if (read !== sent) throw new Error(`it read ${read}, and the service sent ${sent}`);
  if (tool.name === 'openapi-python-client')
    await perform(place, ['python/bin/python', join(HERE, 'guide.py')], {
      ...visit.environment,
      PYTHONPATH: place,
    });
  return 'compiles; check, event and upload are right';
}

/** Expects that the sources of a client name every operation, in whatever case. */
function expectEveryOperation(output: string, document: string): void {
  const files = readdirSync(output, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => /\.(?:ts|py|java|go|rs)$/.test(file));
  // openapi-python-client names a file after each.
  const text = sources.map((file) => file + readFileSync(join(output, file), 'utf8')).join('\n');
  const words = text.toLowerCase().replaceAll('_', '');
  const missing = operationsOf(document).filter((name) => !words.includes(name.toLowerCase()));
  if (missing.length > 0) throw new Error(`it lacks ${missing.join(', ')}`);
}

function operationsOf(document: string): string[] {
  const operation = z.object({ operationId: z.string() });
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), operation)) })
    .parse(JSON.parse(document));
  return Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** @throws {Error} with the output of a program that fails */
async function perform(place: string, command: Command, environment: Environment = {}): Promise<string> {
  const { isDone, output } = await ended(place, command, environment);
  if (!isDone) throw new Error(`${command.join(' ')}\n${output}`);
  return output;
}

/** Runs a program; never blocks, so that the connections to the services stay open. */
async function ended(cwd: string, [program, ...words]: Command, environment: Environment = {}) {
  const PATH = [join(process.execPath, '..'), process.env['PATH'] ?? ''].join(delimiter);
  const options = { cwd, env: { ...process.env, PATH, ...environment }, timeout: PROGRAM_MS_MAX };
  try {
    const { stdout } = await promisify(execFile)(program, words, { ...options, maxBuffer: OUTPUT_BYTES_MAX });
    return { isDone: true, output: stdout };
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string };
    return { isDone: false, output: stdout + stderr || message };
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
