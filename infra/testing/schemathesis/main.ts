// schemathesis against the real service, as every kind of caller.
import { readCommandLine } from '../../tools/command-line.ts';
import { perform } from './perform.ts';
import { hasPython, installSchemathesis } from './python.ts';
import { runsOn } from './runs.ts';
import { setScene } from './scene.ts';

const HELP = `
npm run test:schemathesis

Sends drawn requests to every operation of the real service, with the credential of every kind of caller. It ends with
\`N passed, N failed\`. It needs Python 3.10 with its module venv, and installs schemathesis for itself.

  SCHEMATHESIS_SEED=7        draws other requests; 1 by default
  SCHEMATHESIS_EXAMPLES=50   draws more requests of each operation; 4 by default
`;

readCommandLine(HELP, {});
process.exitCode = await main();

async function main(): Promise<number> {
  if (!hasPython()) {
    const missing = 'test:schemathesis needs Python 3.10 or later with its module venv.';
    // A run of everything that leaves something out fails; on a machine without Python it is only shorter.
    const isComplete = process.env['CI'] === undefined;
    process.stdout.write(
      `${isComplete ? 'Left out: ' : ''}${missing}\n0 passed, ${isComplete ? 0 : 1} failed\n`,
    );
    return isComplete ? 0 : 1;
  }
  const program = installSchemathesis();
  const scene = await setScene();
  let passed = 0;
  let failed = 0;
  try {
    for (const run of await runsOn(scene)) {
      const { operations, failing, text } = await perform(program, run, scene);
      process.stdout.write(`${run.name}: ${operations} operations, ${failing.length} with failures\n`);
      if (failing.length > 0) process.stdout.write(`${text}\n${failing.join('\n')}\n`);
      passed += operations - failing.length;
      failed += failing.length;
    }
  } finally {
    await scene.world.service.dispose();
  }
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}
