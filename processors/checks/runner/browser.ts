// Starts and ends: Chromium, in a separate process group.
import { join } from 'node:path';
import type { Browser, BrowserType } from 'playwright-core';
import { killGroup } from './processes.ts';
import type { BrowserProgram } from './program.ts';

/** From the start of the program to its first answer. */
export const LAUNCH_TIMEOUT_MS = 30_000;
/** JavaScript heap of one page. */
const HEAP_MAX_MB = 512;

/** No server listens there: a request that belongs to no run leads nowhere. */
const NO_PROXY = 'http://127.0.0.1:1';

/** Options of playwright-core that open what a run keeps closed. */
const REFUSED_DEFAULTS = [
  '--disable-popup-blocking',
  '--disable-hang-monitor',
  '--disable-ipc-flooding-protection',
  '--enable-unsafe-swiftshader',
];

/**
 * The ways around the proxy, closed: names are not resolved at all, UDP (QUIC, WebRTC, WebTransport) is off, loopback addresses go
 * through the proxy as well (playwright-core adds `<-loopback>` to the bypass list), and nothing is fetched ahead.
 */
const CLOSED = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--dns-prefetch-disable',
  '--no-pings',
  '--disable-domain-reliability',
  '--disable-client-side-phishing-detection',
  '--disable-background-networking',
  '--block-new-web-contents',
  '--disable-gpu',
  '--disable-webgl',
  '--disable-3d-apis',
  '--disable-file-system',
  '--disable-notifications',
  '--disable-speech-api',
  '--deny-permission-prompts',
  '--origin-agent-cluster=true',
  `--js-flags=--max-old-space-size=${HEAP_MAX_MB}`,
];

export interface RunningBrowser {
  readonly browser: Browser;
  /** The process of the browser, which leads its process group. */
  readonly pid: number;
  /** The one of Chrome with a window: a run names itself in another way. */
  readonly userAgent: string;
  /** Asks for the processes of the browser. */
  readonly processIds: () => Promise<readonly number[]>;
}

/**
 * Starts a browser as the user of this process. It inherits no variable, so no secret.
 *
 * @param chromium the library's, loaded by the caller: the user of this process may not be able to read its files any more
 * @param folder its profile, its home and its temporary files
 */
export async function launchBrowser(
  chromium: BrowserType,
  { path, sandbox }: Pick<BrowserProgram, 'path' | 'sandbox'>,
  folder: string,
): Promise<RunningBrowser> {
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: path,
    chromiumSandbox: sandbox,
    headless: true,
    timeout: LAUNCH_TIMEOUT_MS,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    proxy: { server: NO_PROXY },
    artifactsDir: folder,
    ignoreDefaultArgs: REFUSED_DEFAULTS,
    args: CLOSED,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' },
  });
  const browser = context.browser();
  if (browser === null) throw new Error('starting a browser without a handle');
  const session = await browser.newBrowserCDPSession();
  const processes = async () => (await session.send('SystemInfo.getProcessInfo')).processInfo;
  const { userAgent } = await session.send('Browser.getVersion');
  const pid = (await processes()).find(({ type }) => type === 'browser')?.id;
  if (pid === undefined) throw new Error('starting a browser without a process');
  browser.once('disconnected', () => killGroup(pid));
  return {
    browser,
    pid,
    userAgent: userAgent.replace('HeadlessChrome', 'Chrome'),
    processIds: async () => (await processes()).map(({ id }) => id),
  };
}
