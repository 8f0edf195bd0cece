// The boundaries of ARCHITECTURE.md, "Who may import whom". Each comment says what to do instead.
// Tests may wire anything together; infra/testing/config/boundaries.test.ts proves that every rule here fires.

/** Tests, benchmarks, disturbances and the faults, the contracts that they run, and what only they use. */
const TESTS = '\\.(test|contract|fixture)\\.ts$|/testing/';
/** All that may import from any folder. Fixtures keep to the order of the folders. */
const FREE_OF_ORDER = '\\.test\\.ts$|^infra/testing/';
/** The entry files of programs and of threads. */
const PROGRAMS =
  '^cli/(svc-[0-9.]+|client/svc-client(-examine)?)\\.ts$|^infra/(main|tools/(ops/main|check|code-size|release-notes|browser/(main|listed-packages)|interface/write|language/main|cluster/main|commits/main)|examples/(start|customer-app/main)|demo/(demo|data/build))\\.ts$|^processors/imports/threads/thread\\.ts$|^processors/checks/runner/room\\.ts$|^widgets/import/(check|fix|values)/main\\.ts$';
/** The rules for files that the import widget, the command-line tool and the client library share. */
const FILE_RULES =
  '^schemas/(base/error-codes\\.ts|imports/fix/|imports/file-fault-texts\\.ts|csv/limits\\.ts)';
/** Engines stand beside each other: which one a process opens is a setting, and each passes the contracts by itself. */
const ENGINES = '^infra/engines/(embedded|kafka|cassandra|redis)/';
const COMPOSITION_ROOT = '^infra/(main\\.ts$|tools/ops/|service/)';
const TRACING = '^infra/service/logging/tracing\\.ts$';
const METERING = '^infra/service/metrics/(metering|instruments|cells|group-metrics)\\.ts$';
/** The process that starts gateways with one port, which asks them only when a scrape comes. */
const GROUP_SCRAPE = '^infra/service/metrics/group-scrape\\.ts$';
const MAILER = '^infra/engines/smtp/mailer\\.ts$';
const FOLDERS = ['schemas', 'topics', 'gateway', 'processors', 'infra', 'cli', 'widgets'];
const ENGINE_CLIENTS = '^(node:)?sqlite$|(^|/)(kafkajs|cassandra-driver|ioredis)(/|$)';

/** Every folder of ours but the named ones. */
function foldersExcept(...allowed) {
  return `^(${FOLDERS.filter((folder) => !allowed.includes(folder)).join('|')})/`;
}

/** A rule that tests are exempt from. */
function forbid(name, comment, from, to, exempt = TESTS) {
  return {
    name,
    severity: 'error',
    comment,
    from: { ...from, pathNot: [exempt, ...(from.pathNot ?? [])] },
    to,
  };
}

/** A rule of the order of the folders. */
function forbidUpward(name, comment, from, to) {
  return forbid(name, comment, from, to, FREE_OF_ORDER);
}

const schemas = [
  forbidUpward(
    'schemas-stand-alone',
    'schemas imports nothing of ours: move what it needs into schemas, or the code that needs more out of it.',
    { path: '^schemas/' },
    { path: foldersExcept('schemas') },
  ),
  forbid(
    'schemas-do-no-io',
    'Of Node, schemas takes only node:buffer, node:crypto and node:zlib: hand in what was read elsewhere.',
    { path: '^schemas/' },
    { dependencyTypes: ['core'], pathNot: '^(node:)?(buffer|crypto|zlib)$' },
  ),
  forbid(
    'schemas-stay-light',
    'Of packages, schemas takes only zod: clients and browsers bundle it.',
    { path: '^schemas/' },
    { dependencyTypesNot: ['core', 'local'], pathNot: '(^|node_modules/)zod(/|$)' },
  ),
];

const topics = [
  forbidUpward(
    'topics-know-only-schemas',
    'topics imports schemas only: it names topics and ports, and implementations of a port live in infra.',
    { path: '^topics/' },
    { path: foldersExcept('topics', 'schemas') },
  ),
];

const gateway = [
  forbidUpward(
    'gateway-knows-only-schemas-and-topics',
    'The gateway reads state through ports and writes by appending commands: move shared code into schemas or topics.',
    { path: '^gateway/' },
    { path: foldersExcept('gateway', 'schemas', 'topics') },
  ),
  forbid(
    'http-knows-no-product',
    'gateway/http serves any route: move what it needs into gateway/http, or hand it in as one of gateway/services.ts.',
    { path: '^gateway/http/' },
    { path: '^gateway/[^/]+/', pathNot: '^gateway/http/' },
  ),
];

const processors = [
  forbidUpward(
    'processors-know-only-schemas-and-topics',
    'Processors reach engines through ports and gateways through outcomes: move shared code into schemas or topics.',
    { path: '^processors/' },
    { path: foldersExcept('processors', 'schemas', 'topics') },
  ),
  forbid(
    'products-stay-apart',
    'A product reaches another one by a follow-up command, never by an import: send a command to its topic.',
    { path: '^processors/([^/]+)/', pathNot: ['^processors/runtime/'] },
    { path: '^processors/[^/]+/', pathNot: ['^processors/$1/', '^processors/runtime/'] },
  ),
  forbidUpward(
    'runtime-knows-no-product',
    'The runtime runs any fold: let the composition root hand the product in.',
    { path: '^processors/runtime/' },
    { path: '^processors/[^/]+/', pathNot: '^processors/runtime/' },
  ),
];

const engines = [
  forbid(
    'engines-behind-ports',
    'Only infra talks to an engine: use a port of topics/ports, or add a method to one and implement it there.',
    { path: foldersExcept('infra') },
    { path: ENGINE_CLIENTS },
  ),
  forbid(
    'traces-behind-a-port',
    'Only infra/service/logging/tracing.ts talks to OpenTelemetry: use topics/ports/tracer.ts.',
    { path: foldersExcept(), pathNot: [TRACING] },
    { path: '(^|/)@opentelemetry/' },
  ),
  forbid(
    'traces-load-late',
    'OpenTelemetry is loaded only where traces are on: import infra/service/logging/tracing.ts with import().',
    { path: foldersExcept() },
    { path: TRACING, dynamic: false },
  ),
  forbid(
    'metrics-behind-a-port',
    'Only infra/service/metrics/ talks to prom-client: use topics/ports/meter.ts.',
    { path: foldersExcept(), pathNot: [METERING, GROUP_SCRAPE] },
    { path: '(^|/)prom-client(/|$)' },
  ),
  forbid(
    'metrics-load-late',
    'prom-client is loaded only where metrics are on: import infra/service/metrics/metering.ts with import().',
    { path: foldersExcept(), pathNot: ['^infra/service/metrics/'] },
    { path: METERING, dynamic: false, dependencyTypesNot: ['type-only'] },
  ),
  forbid(
    'mail-behind-a-port',
    'Only infra/engines/smtp/mailer.ts talks to nodemailer: use topics/ports/mailer.ts.',
    { path: foldersExcept(), pathNot: [MAILER] },
    { path: '(^|/)nodemailer(/|$)' },
  ),
  forbid(
    'mail-loads-late',
    'nodemailer is loaded only where mail is sent: import infra/engines/smtp/mailer.ts with import().',
    { path: foldersExcept() },
    { path: MAILER, dynamic: false, dependencyTypesNot: ['type-only'] },
  ),
  forbid(
    'one-composition-root',
    'Only infra/main.ts, infra/service and tests wire gateway and processors: implement a port and let them hand it in.',
    { path: '^infra/', pathNot: [COMPOSITION_ROOT] },
    { path: '^(gateway|processors)/' },
  ),
  forbid(
    'demo-speaks-http',
    'The demo does what a user could do: it starts the service as a process and speaks HTTP with it, without our code.',
    { path: '^infra/demo/' },
    { path: foldersExcept(), pathNot: '^infra/(demo/|tools/(service-process/|command-line\\.ts$))' },
  ),
];

const clients = [
  forbid(
    'examples-stand-alone',
    'The example application is what a customer copies: of ours it uses the client library only, as the package that it is.',
    { path: '^infra/examples/customer-app/' },
    { path: foldersExcept(), pathNot: '^infra/examples/customer-app/|^cli/client/svc-client\\.ts$' },
  ),
  forbid(
    'cli-knows-only-schemas',
    'The command-line tool speaks HTTP: of ours it imports schemas only.',
    { path: '^cli/' },
    { path: foldersExcept('cli', 'schemas') },
  ),
  forbid(
    'client-has-no-dependencies',
    'The client library is small modules that run anywhere: besides types, it takes the codes of errors and the rules for files, and nothing else.',
    { path: '^cli/client/' },
    { path: '', pathNot: `^cli/client/|${FILE_RULES}`, dependencyTypesNot: ['type-only'] },
  ),
  forbid(
    'widgets-know-only-schemas',
    'Widgets speak HTTP: of ours they import schemas only.',
    { path: '^widgets/' },
    { path: foldersExcept('widgets', 'schemas') },
  ),
];

const everywhere = [
  {
    name: 'no-cycles',
    severity: 'error',
    comment:
      'Two modules that need each other are one module, or hide a third: move the shared part into its own file.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-dead-modules',
    severity: 'error',
    comment:
      'No program reaches this file: wire it in or delete it; if only tests use it, name it .fixture.ts.',
    from: { path: PROGRAMS },
    to: {
      reachable: false,
      path: '^(schemas|topics|gateway|processors|infra|cli)/.*\\.ts$',
      pathNot: [TESTS, PROGRAMS, ENGINES],
    },
  },
  forbid(
    'tests-are-leaves',
    'A test is not a library: move what both need into a third module.',
    { pathNot: ['^infra/testing/config/'] },
    { path: TESTS },
  ),
  {
    name: 'checker-shares-no-code',
    severity: 'error',
    comment:
      'The checker of faults finds bugs of the product, so it has none of its code: take types only, or write it a second time.',
    from: { path: '^infra/testing/faults/(calls|check|check-calls|history|order|state)\\.ts$' },
    to: {
      path: foldersExcept(),
      pathNot: '^infra/testing/faults/(calls|check|check-calls|history|order|state)\\.ts$',
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'no-unresolved-imports',
    severity: 'error',
    comment: 'This import leads nowhere: install the package, or correct the path.',
    from: {},
    to: { couldNotResolve: true },
  },
  forbid(
    'no-development-packages',
    'A package of devDependencies is not there in production: move it to dependencies, or do without it.',
    {
      pathNot: [
        '^infra/(testing/config|dashboards)/',
        '^infra/tools/(language|browser|site|openapi-types)/',
        '^widgets/',
        '^cli/',
      ],
    },
    { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '(^|/)@types/' },
  ),
];

export default {
  forbidden: [...schemas, ...topics, ...gateway, ...processors, ...engines, ...clients, ...everywhere],
  options: {
    // swc sees imports of types without further options; a boundary holds for types, too.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    // The first import from the folders that their test copies them to; the second are built.
    exclude: { path: '^infra/testing/new-product/files/|^widgets/dist/(console|widgets)/|^cli/dist/' },
    // Packages are found the way Node finds them for an import.
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['node', 'import', 'default'] },
  },
};
