import { afterAll, beforeAll, it } from 'vitest';
import { describeWidget } from '../../widgets/testing/hosts/describe-widget.ts';
import { expectNoAxeViolations } from '../../widgets/testing/in-browser.ts';
import { freePort, ServiceProcess } from '../tools/service-process/service-process.ts';
import { AppProcess } from './app-process.ts';
import { prepareWorkspace } from './prepare.ts';

const TEAMS = 'name,seats\nHarbour masters,12\nPilots,8\n';

describeWidget("the page of the example, which is a customer's application", ({ open }) => {
  let service: ServiceProcess;
  let app: AppProcess;
  beforeAll(async () => {
    const port = await freePort();
    const environment = { SVC_ALLOW_LOOPBACK: '1', SVC_LOOPBACK_PORTS: String(port), LOG_LEVEL: 'warn' };
    service = await ServiceProcess.start({ environment });
    const prepared = await prepareWorkspace(service, `http://127.0.0.1:${port}`);
    app = new AppProcess(port, prepared.environment);
    await app.start();
  });
  afterAll(async () => {
    await app.stop();
    await app.dispose();
    await service.dispose();
  });

  it('shows progress after an action, takes over the rows of an imported file, and takes feedback', async () => {
    const { page, faults } = await open();
    faults.allow(/^asked another origin/);
    // The state of a person who has not signed in.
    faults.allow(/status of 401/);
    await page.goto(app.url);
    await expectNoAxeViolations(page);
    await page.getByLabel('Password').fill('ada at the example');
    await page.getByRole('button', { name: 'Sign in' }).click();
    const checklist = page.getByRole('group', { name: 'Getting started' });
    await checklist.getByText('0 of 2').waitFor();
    await expectNoAxeViolations(page);
    await page.getByLabel('Name of a new project').fill('Apollo');
    await page.getByRole('button', { name: 'Create project' }).click();
    await checklist.getByText('1 of 2').waitFor();
    const file = { name: 'teams.csv', mimeType: 'text/csv', buffer: Buffer.from(TEAMS) };
    await page.locator('#import input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: /^Check/ }).click();
    await page.getByRole('button', { name: 'Approve 2 rows' }).click();
    await page.getByText('2 teams are here.').waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Feedback', exact: true }).click();
    const feedback = page.getByRole('dialog', { name: 'Feedback' });
    await feedback.getByRole('textbox').fill('The rows arrived at once.');
    await feedback.getByRole('button', { name: 'Send' }).click();
    await page.locator('[data-svcfeedback][data-submission-id]').waitFor({ state: 'attached' });
    await feedback.getByText('Received').waitFor();
    await expectNoAxeViolations(page);
  });
});
