/**
 * Tests that take long: they kill processes, move clocks, wait for real bounds to end, attack a browser, or visit every page in
 * every look. `npm run test:all` runs them with all others; `npm test` leaves them out unless it is given the name of one.
 */
export const LONG_TESTS: readonly string[] = [
  'cli/testing/interrupts.test.ts',
  'infra/demo/demo.test.ts',
  'infra/examples/customer-app.test.ts',
  'infra/testing/disturbances/embedded.test.ts',
  'infra/testing/e2e/checklists-kill.test.ts',
  'infra/testing/e2e/clock-month.test.ts',
  'infra/testing/e2e/clock-steps.test.ts',
  'infra/testing/e2e/disk.test.ts',
  'infra/testing/e2e/failed-starts.test.ts',
  'infra/testing/e2e/identity-secret.test.ts',
  'infra/testing/e2e/kill.test.ts',
  'infra/testing/new-product/new-product.test.ts',
  'processors/checks/runner/egress.test.ts',
  'processors/checks/runner/failing-pages.test.ts',
  'processors/checks/runner/hostile-pages.test.ts',
  'widgets/console/app/disturbances.test.ts',
  'widgets/console/foreign-text.test.ts',
  'widgets/console/member-privacy.test.ts',
  'widgets/testing/budgets.test.ts',
  'widgets/testing/hosts/page-matrix.test.ts',
];
