import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { afterEach, describe, expect, it } from 'vitest';

/** A source tree: the text of each file by its path. */
type Tree = Readonly<Record<string, string>>;

const options = await extractOptions(join(import.meta.dirname, '../../../.dependency-cruiser.mjs'));
const ruleNames = (options.ruleSet?.forbidden ?? []).map((rule) => rule.name);

const module = 'export const value = 1;\n';

/** One file that imports another; both exist. */
function importing(from: string, to: string): Tree {
  const up = '../'.repeat(from.split('/').length - 1);
  return { [to]: module, [from]: `export { value } from './${up}${to}';\n` };
}

/** One file that imports a package or a module of Node. */
function using(from: string, specifier: string): Tree {
  return { [from]: `export * as used from '${specifier}';\n` };
}

/** Trees that break exactly one rule each, in every way that is worth a line. */
const violations: Readonly<Record<string, readonly Tree[]>> = {
  'schemas-stand-alone': [
    importing('schemas/a.ts', 'topics/b.ts'),
    importing('schemas/a.ts', 'gateway/b.ts'),
    importing('schemas/a.ts', 'infra/engines/embedded/b.ts'),
    importing('schemas/csv/testing/a.ts', 'topics/b.ts'),
    {
      'topics/b.ts': 'export type B = 1;\n',
      'schemas/a.ts': "import type { B } from '../topics/b.ts';\nexport type A = B;\n",
    },
  ],
  'schemas-do-no-io': [
    using('schemas/a.ts', 'node:fs'),
    using('schemas/imports/a.ts', 'node:fs/promises'),
    using('schemas/a.ts', 'node:http'),
  ],
  'schemas-stay-light': [using('schemas/a.ts', 'express')],
  'topics-know-only-schemas': [
    importing('topics/a.ts', 'gateway/b.ts'),
    importing('topics/ports/a.ts', 'processors/runtime/b.ts'),
    importing('topics/a.ts', 'infra/engines/embedded/b.ts'),
    importing('topics/a.fixture.ts', 'infra/engines/kafka/b.ts'),
  ],
  'gateway-knows-only-schemas-and-topics': [
    importing('gateway/a.ts', 'processors/imports/b.ts'),
    importing('gateway/imports/a.ts', 'infra/engines/embedded/b.ts'),
    importing('gateway/a.ts', 'widgets/b.ts'),
    importing('gateway/a.fixture.ts', 'infra/engines/embedded/b.fixture.ts'),
  ],
  'http-knows-no-product': [
    importing('gateway/http/a.ts', 'gateway/people/b.ts'),
    importing('gateway/http/pages/a.ts', 'gateway/audit/b.ts'),
  ],
  'processors-know-only-schemas-and-topics': [
    importing('processors/imports/a.ts', 'gateway/b.ts'),
    importing('processors/runtime/a.ts', 'infra/engines/embedded/b.ts'),
    importing('processors/runtime/a.fixture.ts', 'gateway/http/b.ts'),
  ],
  'products-stay-apart': [importing('processors/imports/a.ts', 'processors/people/b.ts')],
  'runtime-knows-no-product': [importing('processors/runtime/a.ts', 'processors/imports/b.ts')],
  'engines-behind-ports': [
    using('gateway/a.ts', 'node:sqlite'),
    using('gateway/a.ts', 'ioredis'),
    using('processors/imports/a.ts', 'kafkajs'),
    using('topics/a.ts', 'cassandra-driver'),
  ],
  'traces-behind-a-port': [
    using('gateway/a.ts', '@opentelemetry/api'),
    using('infra/service/a.ts', '@opentelemetry/sdk-trace'),
  ],
  'traces-load-late': [importing('infra/service/service.ts', 'infra/service/logging/tracing.ts')],
  'mail-behind-a-port': [using('gateway/a.ts', 'nodemailer'), using('infra/service/a.ts', 'nodemailer')],
  'mail-loads-late': [importing('infra/service/service.ts', 'infra/engines/smtp/mailer.ts')],
  'metrics-behind-a-port': [
    using('gateway/a.ts', 'prom-client'),
    using('infra/service/metrics/declarations.ts', 'prom-client'),
  ],
  'metrics-load-late': [importing('infra/service/service.ts', 'infra/service/metrics/metering.ts')],
  'one-composition-root': [
    importing('infra/engines/embedded/a.ts', 'gateway/b.ts'),
    importing('infra/engines/embedded/a.ts', 'processors/runtime/b.ts'),
  ],
  'demo-speaks-http': [
    importing('infra/demo/a.ts', 'schemas/b.ts'),
    importing('infra/demo/a.ts', 'infra/service/b.ts'),
  ],
  'examples-stand-alone': [
    importing('infra/examples/customer-app/a.ts', 'schemas/b.ts'),
    importing('infra/examples/customer-app/a.ts', 'infra/demo/b.ts'),
    importing('infra/examples/customer-app/a.ts', 'cli/client/limiter.ts'),
  ],
  'cli-knows-only-schemas': [importing('cli/a.ts', 'topics/b.ts'), importing('cli/a.ts', 'widgets/b.ts')],
  'client-has-no-dependencies': [
    importing('cli/client/a.ts', 'cli/b.ts'),
    importing('cli/client/a.ts', 'schemas/b.ts'),
    using('cli/client/a.ts', 'zod'),
    using('cli/client/a.ts', 'node:crypto'),
  ],
  'widgets-know-only-schemas': [importing('widgets/a.ts', 'gateway/b.ts')],
  'no-cycles': [
    {
      'topics/a.ts': "import { b } from './b.ts';\nexport const a = () => b;\n",
      'topics/b.ts': "import { a } from './a.ts';\nexport const b = () => a;\n",
    },
  ],
  'no-dead-modules': [
    { 'infra/main.ts': module, 'topics/a.ts': module, 'topics/a.test.ts': "import './a.ts';\n" },
  ],
  'tests-are-leaves': [
    importing('topics/a.ts', 'topics/b.test.ts'),
    importing('infra/engines/embedded/a.ts', 'infra/testing/contracts/b.contract.ts'),
    importing('processors/runtime/a.ts', 'processors/runtime/b.fixture.ts'),
    importing('schemas/csv/a.ts', 'schemas/csv/testing/b.ts'),
  ],
  'checker-shares-no-code': [
    importing('infra/testing/faults/check.ts', 'processors/workspaces/b.ts'),
    importing('infra/testing/faults/history.ts', 'infra/testing/faults/refold.ts'),
  ],
  'no-unresolved-imports': [using('topics/a.ts', 'nowhere-to-be-found')],
  'no-development-packages': [using('gateway/a.ts', 'vitest')],
};

const folders: string[] = [];

afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
});

describe('the boundaries between folders', () => {
  it('have a proof for every rule', () => {
    expect(Object.keys(violations).sort()).toEqual([...ruleNames].sort());
  });

  const cases = Object.entries(violations).flatMap(([rule, trees]) => trees.map((tree) => ({ rule, tree })));

  it.each(cases)('$rule fires', async ({ rule, tree }) => {
    expect(await brokenRules(tree)).toEqual([rule]);
  });

  it('leave everything else alone', async () => {
    const tree: Tree = {
      'schemas/a.ts': "import 'node:crypto';\nimport 'node:zlib';\nimport 'zod';\n",
      ...importing('topics/a.ts', 'schemas/b.ts'),
      ...importing('gateway/imports/a.ts', 'topics/b.ts'),
      'gateway/people/a.ts': "import '../imports/a.ts';\nimport 'express';\nimport 'node:fs';\n",
      'processors/runtime/b.ts': module,
      'processors/imports/a.ts': "import '../runtime/b.ts';\nimport './fold.ts';\n",
      'processors/imports/fold.ts': module,
      'infra/engines/embedded/a.ts': "import 'node:sqlite';\nimport '../../../topics/b.ts';\n",
      'infra/engines/kafka/a.ts': "import 'kafkajs';\n",
      'infra/service/a.ts': "import '../../gateway/imports/a.ts';\nimport '../../processors/imports/a.ts';\n",
      'infra/main.ts':
        "import './service/a.ts';\nimport '../gateway/people/a.ts';\nimport '../topics/a.ts';\nimport '../schemas/a.ts';\n",
      'infra/tools/service-process/service-process.ts': module,
      'infra/demo/demo.ts': "import './a.ts';\n",
      'infra/demo/a.ts':
        "import './b.ts';\nimport 'node:crypto';\nimport '../tools/service-process/service-process.ts';\n",
      'infra/demo/b.ts': module,
      'schemas/csv/testing/a.ts': "import 'node:fs';\nimport 'vitest';\n",
      'gateway/a.test.ts': "import '../infra/engines/embedded/a.ts';\nimport 'vitest';\n",
      'infra/testing/simulation/a.fixture.ts':
        "import '../../engines/embedded/a.ts';\nimport '../../../gateway/people/a.ts';\n",
      'infra/testing/contracts/a.contract.ts': "import 'vitest';\nimport '../../../topics/a.ts';\n",
      'infra/engines/embedded/a.test.ts':
        "import '../../testing/contracts/a.contract.ts';\nimport './a.ts';\n",
      'processors/imports/a.test.ts': "import '../../infra/service/a.ts';\n",
      'cli/svc-1.0.0.ts': "import '../schemas/a.ts';\n",
      'widgets/a.ts': "import '../schemas/a.ts';\n",
    };
    expect(await brokenRules(tree)).toEqual([]);
  });
});

/** The names of the rules that a tree breaks, each once. */
async function brokenRules(tree: Tree): Promise<string[]> {
  const baseDir = await realpath(await mkdtemp(join(tmpdir(), 'boundaries-')));
  folders.push(baseDir);
  await writeTree(baseDir, { ...packages(), ...tree });
  const result = await cruise([...new Set(Object.keys(tree).map((path) => path.split('/')[0]!))], {
    ...options,
    baseDir,
  });
  if (typeof result.output === 'string') throw new Error('reading the result of a cruise');
  return [...new Set(result.output.summary.violations.map((violation) => violation.rule.name))].sort();
}

/** Stand-ins for the packages that the trees import, so that the proof does not depend on what is installed. */
function packages(): Tree {
  const tracing = ['@opentelemetry/api', '@opentelemetry/sdk-trace'];
  const dependencies = [
    'zod',
    'express',
    'ioredis',
    'nodemailer',
    'kafkajs',
    'cassandra-driver',
    ...tracing,
    'prom-client',
  ];
  const devDependencies = ['vitest'];
  const listed = (names: string[]) => Object.fromEntries(names.map((name) => [name, '1.0.0']));
  const manifest = { dependencies: listed(dependencies), devDependencies: listed(devDependencies) };
  return {
    'package.json': JSON.stringify({ name: 'fixture', type: 'module', ...manifest }),
    ...Object.fromEntries(
      [...dependencies, ...devDependencies].flatMap((name) => [
        [`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' })],
        [`node_modules/${name}/index.js`, module],
      ]),
    ),
  };
}

async function writeTree(baseDir: string, tree: Tree): Promise<void> {
  for (const [path, text] of Object.entries(tree)) {
    await mkdir(dirname(join(baseDir, path)), { recursive: true });
    await writeFile(join(baseDir, path), text);
  }
}
