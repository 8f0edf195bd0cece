import { expect, it } from 'vitest';
import { freePort } from '../../../infra/tools/service-process/service-process.ts';
import { describeInBrowser } from '../../testing/in-browser.ts';

const port = await freePort();
const CONSOLE = `http://127.0.0.1:${port}`;

describeInBrowser(
  'a service whose hosts are set apart',
  ({ open }) => {
    it('is named by its base and limiter hosts in the commands to copy', async () => {
      const { page } = await open();
      await page.goto('/agent-workspaces');
      await page.getByText('curl -fsSO https://api.example.com/downloads/').waitFor();
      await page.getByText('--base-url https://api.example.com').waitFor();
      await page.goto('/keys');
      await page.getByText('curl https://limiter.example.com/v1/check').waitFor();
      expect(await page.locator('.cmd', { hasText: CONSOLE }).count()).toBe(0);
    });
  },
  {
    port,
    environment: {
      BASE_URL: 'https://api.example.com',
      INGEST_URL: 'https://api.example.com',
      LIMITER_URL: 'https://limiter.example.com',
      CONSOLE_URL: CONSOLE,
      DASHBOARD_URL: CONSOLE,
    },
  },
);
