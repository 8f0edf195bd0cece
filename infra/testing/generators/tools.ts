import { join } from 'node:path';

export type Command = readonly [program: string, ...words: string[]];

/** A generator of clients. Its folder has the document as `openapi.json`, and the jar of openapi-generator above it. */
export interface Tool {
  readonly name: string;
  readonly language: 'TypeScript' | 'Python' | 'Go' | 'Java' | 'Rust';
  /** Settings, by file. */
  readonly files?: Readonly<Record<string, string>>;
  /** Bring the tool, and what its output depends on. */
  readonly install: readonly Command[];
  readonly generate: readonly Command[];
  /** The folder of the output. */
  readonly output: string;
  /** The program of `programs/` that makes a check, an event and an upload, and its place in the folder. */
  readonly program?: readonly [source: string, place: string];
  readonly compile?: Command;
  readonly run?: Command;
}

/** Each language, and the command that succeeds where its tools are installed. */
export const LANGUAGES: Readonly<Record<Tool['language'], Command>> = {
  TypeScript: ['npm', '--version'],
  Python: ['python3', '-m', 'venv', '--help'],
  Go: ['go', 'version'],
  Java: ['mvn', '--version'],
  Rust: ['cargo', '--version'],
};

export const JAR = {
  url: 'https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli/7.25.0/openapi-generator-cli-7.25.0.jar',
  sha256: '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae',
};

const BUN = join(import.meta.dirname, '../../../node_modules/.bin/bun');
const PYTHON = 'python/bin/python';
const TSC = 'node_modules/.bin/tsc';
const STRICT = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext'];
const BUNDLER = ['--moduleResolution', 'bundler', '--lib', 'es2022,dom,dom.iterable', '--types', 'node'];

export const TOOLS: readonly Tool[] = [
  typescript('openapi-typescript', {
    install: [npm('openapi-typescript@7.13.0', 'openapi-fetch@0.17.0')],
    generate: [['node_modules/.bin/openapi-typescript', 'openapi.json', '--output', 'svc/index.ts']],
    program: ['openapi-fetch.ts.txt', 'program.ts'],
  }),
  typescript('orval', {
    install: [npm('orval@8.38.0', 'zod@4.6.7')],
    generate: [orval('svc', 'fetch'), orval('zod', 'zod')],
    program: ['orval.ts.txt', 'program.ts'],
  }),
  typescript('hey-api', {
    install: [npm('@hey-api/openapi-ts@0.99.0', 'zod@4.6.7')],
    generate: [
      [
        'node_modules/.bin/openapi-ts',
        '--input',
        'openapi.json',
        '--output',
        'svc',
        '--plugins',
        ...heyPlugins(),
      ],
    ],
    program: ['hey-api.ts.txt', 'program.ts'],
  }),
  typescript('swagger-typescript-api', {
    install: [npm('swagger-typescript-api@13.13.0')],
    generate: [
      [
        'node_modules/.bin/swagger-typescript-api',
        'generate',
        '--path',
        'openapi.json',
        '--output',
        'svc',
        '--name',
        'index.ts',
      ],
    ],
  }),
  typescript('openapi-generator-typescript', {
    install: [npm()],
    generate: [openapiGenerator('typescript-fetch', 'svc')],
  }),
  python('openapi-generator-python', {
    install: [],
    generate: [openapiGenerator('python', 'svc'), [PYTHON, '-m', 'pip', 'install', '--quiet', './svc']],
    program: ['openapi_generator.py', 'program.py'],
  }),
  python('openapi-python-client', {
    files: {
      'config.yml':
        'content_type_overrides:\n  text/csv: application/octet-stream\n  image/png: application/octet-stream\n',
    },
    install: [[PYTHON, '-m', 'pip', 'install', '--quiet', 'openapi-python-client==0.29.1']],
    generate: [
      [
        'python/bin/openapi-python-client',
        'generate',
        '--path',
        'openapi.json',
        '--meta',
        'none',
        '--config',
        'config.yml',
        '--output-path',
        'svc',
      ],
    ],
    program: ['openapi_python_client.py', 'program.py'],
  }),
  {
    name: 'openapi-generator-go',
    language: 'Go',
    install: [],
    generate: [openapiGenerator('go', 'svc', '--additional-properties=enumClassPrefix=true')],
    output: 'svc',
    program: ['openapi-generator.go.txt', 'svc/program/main.go'],
    compile: ['go', '-C', 'svc', 'build', '-mod=mod', '-o', '../main', './program'],
    run: ['./main'],
  },
  go('oapi-codegen', {
    files: {
      'config.yml': 'package: svc\noutput: svc/client.go\ngenerate:\n  models: true\n  client: true\n',
    },
    install: [['go', 'get', '-tool', 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2']],
    generate: [
      ['go', 'tool', 'oapi-codegen', '-config', 'config.yml', 'openapi.json'],
      ['go', 'get', 'github.com/oapi-codegen/runtime@v1.9.0'],
    ],
    program: ['oapi-codegen.go.txt', 'main.go'],
  }),
  go('ogen', {
    install: [['go', 'get', '-tool', 'github.com/ogen-go/ogen/cmd/ogen@v1.25.0']],
    generate: [['go', 'tool', 'ogen', '--target', 'svc', '--package', 'svc', '--clean', 'openapi.json']],
    program: ['ogen.go.txt', 'main.go'],
  }),
  {
    name: 'openapi-generator-java',
    language: 'Java',
    install: [],
    generate: [openapiGenerator('java', 'svc')],
    output: 'svc',
    program: ['Main.java', 'svc/src/main/java/Main.java'],
    compile: [
      'mvn',
      '--quiet',
      '--file',
      'svc',
      'compile',
      'dependency:copy-dependencies',
      '-DincludeScope=runtime',
    ],
    run: ['java', '-cp', 'svc/target/classes:svc/target/dependency/*', 'Main'],
  },
  {
    name: 'openapi-generator-rust',
    language: 'Rust',
    files: {
      'Cargo.toml':
        '[package]\nname = "program"\nedition = "2024"\n\n[dependencies]\nopenapi = { path = "svc" }\nreqwest = { version = "0.13", default-features = false }\ntokio = { version = "1", features = ["macros", "rt-multi-thread"] }\n',
    },
    install: [],
    generate: [openapiGenerator('rust', 'svc')],
    output: 'svc',
    program: ['main.rs', 'src/main.rs'],
    compile: ['cargo', 'build', '--quiet'],
    run: ['target/debug/program'],
  },
];

type Own = Pick<Tool, 'files' | 'install' | 'generate' | 'program'>;

function typescript(name: string, own: Own): Tool {
  const files = { 'package.json': '{ "private": true, "type": "module" }' };
  const entry = own.program === undefined ? 'svc/index.ts' : 'program.ts';
  return {
    ...{ name, language: 'TypeScript', output: 'svc', files, ...own },
    compile: [TSC, ...STRICT, ...BUNDLER, entry],
    ...(own.program === undefined ? {} : { run: [BUN, 'program.ts'] }),
  };
}

function python(name: string, { install, ...own }: Own): Tool {
  const venv: Command = ['python3', '-m', 'venv', 'python'];
  return {
    ...{ name, language: 'Python', output: 'svc', ...own },
    install: [venv, ...install],
    compile: [PYTHON, '-m', 'compileall', '-q', 'svc'],
    run: [PYTHON, 'program.py'],
  };
}

function go(name: string, own: Own): Tool {
  const files = { 'go.mod': 'module example\n\ngo 1.26\n', ...own.files };
  return {
    ...{ name, language: 'Go', output: 'svc', ...own, files },
    compile: ['go', 'build', '-mod=mod', '-o', 'main', '.'],
    run: ['./main'],
  };
}

function npm(...packages: string[]): Command {
  return [
    'npm',
    'install',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    'typescript@5.9.3',
    '@types/node@24',
    ...packages,
  ];
}

function orval(output: string, client: string): Command {
  return [
    'node_modules/.bin/orval',
    '--input',
    'openapi.json',
    '--output',
    `${output}/index.ts`,
    '--client',
    client,
  ];
}

function heyPlugins(): string[] {
  return ['@hey-api/typescript', '@hey-api/client-fetch', '@hey-api/sdk', 'zod'];
}

function openapiGenerator(generator: string, output: string, ...words: string[]): Command {
  return [
    'java',
    '-jar',
    '../generator.jar',
    'generate',
    '-i',
    'openapi.json',
    '-g',
    generator,
    '-o',
    output,
    ...words,
  ];
}
