// schemathesis against the real service, as every kind of caller: `npm run test:schemathesis`. Ends with `N passed, N failed`.

import { type Finding, NOT_LET_IN, perform } from './perform.ts';
import { hasPython, installSchemathesis } from './python.ts';
import { type Run, runsOn } from './runs.ts';
import { type Scene, setScene } from './scene.ts';

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
      const { operations, failing, text } = await performOnLastingSession(program, run, scene);
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

/**
 * Performs a run, and repeats it once on a new scene if its only finding is that the caller was let in nowhere: a drawn request
 * can end the session of its caller, and then the run has tested nothing after that request.
 */
async function performOnLastingSession(program: string, run: Run, scene: Scene): Promise<Finding> {
  const finding = await perform(program, run, scene);
  const isSessionLost =
    finding.failing.length > 0 && finding.failing.every((line) => line.endsWith(NOT_LET_IN));
  if (!isSessionLost) return finding;
  process.stdout.write(`${run.name}: the session ended; once more on a new scene\n`);
  const another = await setScene();
  try {
    const again = (await runsOn(another)).find(({ name }) => name === run.name) ?? run;
    return await perform(program, again, another);
  } finally {
    await another.world.service.dispose();
  }
}
