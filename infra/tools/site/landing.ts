import { ADDRESS } from './examples.ts';
import { type Assets, CONSOLE_ADDRESS, document, searchDialog } from './layout.ts';
import { escaped } from './render.ts';

const PRODUCTS: readonly (readonly [title: string, path: string, text: string])[] = [
  [
    'Rate limits',
    'rate-limits',
    'One call says whether a request of your user is allowed. Exact for any number of callers.',
  ],
  [
    'Onboarding checklists',
    'checklist',
    'One to five steps for each user. Your backend reports them, your page shows them.',
  ],
  [
    'CSV import',
    'csv-import',
    'Files become validated batches that a person approves and your backend pulls.',
  ],
  ['Feedback', 'feedback', 'A button on your page, and an inbox for what visitors write.'],
  [
    'Browser checks',
    'browser-checks',
    'Pages of your origin, opened in a real browser. Only a seen result counts.',
  ],
  [
    'Agent workspaces',
    'tutorials/agent',
    'A coding agent starts without an account. A person claims what works.',
  ],
];

const FIRST_REQUEST = `curl -s ${ADDRESS}/v1/agent/workspaces \\
  -H 'content-type: application/json' \\
  -d '{"name":"First","cohort":"external","products":["svcactivate","svcimport"]}'`;

/** The page at `/` for a person who is not signed in: what this is, the first request, and the next pages. */
export function landingPage(assets: Assets): string {
  const products = PRODUCTS.map(
    ([title, path, text]) => `<li><a href="/docs/${path}">${title}</a><p>${text}</p></li>`,
  );
  return document(assets, {
    title: 'svc',
    links: '<link rel="alternate" type="text/plain" href="/llms.txt">',
    body: `<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="/" aria-current="page"><b>svc</b></a>
<button type="button" class="search-open" hidden>Search <kbd>/</kbd></button>
<a href="/docs">Docs</a>
<a href="${CONSOLE_ADDRESS}/sign-in">Sign in</a>
<button type="button" class="theme" hidden aria-label="Switch between light and dark">◐</button>
</header>
<main id="content" class="landing" tabindex="-1">
<h1>Rate limits, checklists and CSV import over HTTP</h1>
<p>One service for backends, coding agents and web pages. It counts requests, shows users their first steps, turns files into checked rows, and records every change in one log. You run it yourself.</p>
<p class="actions"><a href="/docs/quick-start">Quick start</a><a href="/docs/api">API</a><a href="${CONSOLE_ADDRESS}/sign-in">Open the console</a></p>
<h2>The first request needs no account</h2>
<div class="code"><pre tabindex="0" role="group" aria-label="Shell commands"><code>${escaped(FIRST_REQUEST)}</code></pre><button type="button" class="copy" hidden>Copy</button></div>
<p>The answer has a workspace for 72 hours and its credential. <a href="/docs/quick-start">What to send next</a>, also in JavaScript and Python. A backend limits a route in a few lines with the <a href="/docs/tutorials/backend">client library</a>.</p>
<h2>Products</h2>
<ul class="products">
${products.join('\n')}
</ul>
<h2>Run it</h2>
<p>The operator of a new service creates the first owner with the set-up link, which the service prints when it starts. <a href="${CONSOLE_ADDRESS}/set-up">Set up</a> · <a href="/docs/tutorials/operator">For operators</a> · <a href="/docs/security-model">Security</a> · <a href="/llms.txt">For agents: llms.txt</a></p>
</main>
${searchDialog(assets.search)}`,
  });
}
