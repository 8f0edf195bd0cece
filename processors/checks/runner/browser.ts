// Starts and ends: Chromium, each in a separate process group and folder.
import { fileURLToPath } from 'node:url';
import type { Browser, CDPSession } from 'playwright-core';
import { settlesWithin } from '../../../schemas/base/timeout.ts';
import { NamespaceDoor } from './namespace-door.ts';
import { killGroup } from './processes.ts';
import { makeProfileFolder, removeProfileFolder } from './profile-folders.ts';
import type { BrowserProgram } from './program.ts';

/** From the start of the program to its first answer. */
const LAUNCH_TIMEOUT_MS = 30_000;
/** An orderly end; what is left of the process group is killed then. */
const CLOSE_TIMEOUT_MS = 3_000;
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

/** The path of the script that starts a program as another user. */
const AS_USER = fileURLToPath(new URL('./as-user.sh', import.meta.url));

/** A running browser. It is used by one run at a time. */
export class RunningBrowser {
  readonly browser: Browser;
  /** The process of the browser, which leads its process group. */
  readonly pid: number;
  /** The way out of its network namespace; null: it shares the network of this process. */
  readonly door: NamespaceDoor | null;
  readonly #session: CDPSession;
  readonly #folder: string;

  private constructor({ browser, session, pid, door, folder }: Started) {
    this.browser = browser;
    this.#session = session;
    this.pid = pid;
    this.door = door;
    this.#folder = folder;
  }

  /** Starts a browser. It inherits no variable of this process, so no secret. */
  static async launch(program: BrowserProgram): Promise<RunningBrowser> {
    // Only here: a service that runs no check starts without the library.
    const { chromium } = await import('playwright-core');
    const folder = makeProfileFolder();
    try {
      const context = await chromium.launchPersistentContext(folder, launchOptions(program, folder));
      const browser = context.browser();
      if (browser === null) throw new Error('starting a browser without a handle');
      const session = await browser.newBrowserCDPSession();
      const [pid] = (await processesOf(session)).filter(({ type }) => type === 'browser').map(({ id }) => id);
      if (pid === undefined) throw new Error('starting a browser without a process');
      browser.once('disconnected', () => killGroup(pid));
      try {
        const door = program.namespace ? await NamespaceDoor.open(pid) : null;
        return new RunningBrowser({ browser, session, pid, door, folder });
      } catch (error) {
        killGroup(pid);
        throw error;
      }
    } catch (error) {
      removeProfileFolder(folder);
      throw error;
    }
  }

  /** The processes of the browser; empty if it does not answer. */
  async processIds(): Promise<readonly number[]> {
    const processes = await processesOf(this.#session).catch(() => []);
    return processes.map(({ id }) => id);
  }

  /** Kills every process of the browser at once. */
  kill(): void {
    killGroup(this.pid);
  }

  /** Ends the browser, by force if it does not end in time, and removes its folder. Never rejects. */
  async close(): Promise<void> {
    await settlesWithin(CLOSE_TIMEOUT_MS, this.browser.close());
    killGroup(this.pid);
    this.door?.close();
    removeProfileFolder(this.#folder);
  }
}

interface Started {
  readonly browser: Browser;
  readonly session: CDPSession;
  readonly pid: number;
  readonly door: NamespaceDoor | null;
  readonly folder: string;
}

function launchOptions({ path, user, sandbox, namespace }: BrowserProgram, folder: string) {
  return {
    executablePath: user === null ? path : AS_USER,
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
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      TMPDIR: folder,
      LANG: 'C.UTF-8',
      ...(user !== null && { SVC_RUNNER_USER: user, SVC_CHROMIUM: path }),
      ...(namespace && { SVC_RUNNER_NAMESPACE: '1' }),
    },
  };
}

async function processesOf(
  session: CDPSession,
): Promise<readonly { readonly type: string; readonly id: number }[]> {
  return (await session.send('SystemInfo.getProcessInfo')).processInfo;
}
