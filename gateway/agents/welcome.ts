// What `/` answers where there is no application: a small page for people, JSON for programs, a text for agents.
import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../schemas/base/json.ts';
import type { WelcomeContent } from '../http/pages/pages.ts';
import type { Guide, GuideStep } from './guide.ts';
import { guideText, PLACEHOLDERS, WHAT_IT_IS } from './guide-text.ts';

/** Makes the answers at `/` of a guide. */
export function welcomeContent(guide: Guide): WelcomeContent {
  return {
    json: welcomeJson(guide),
    html: welcomePage(guide),
    htmlPolicy: POLICY,
    text: guideText(guide),
  };
}

/** The answer to a program that requests `/`: where things are, and the requests that lead to a verified result. */
function welcomeJson({ hosts: { base, console }, links, steps, downloads, cli }: Guide): JsonObject {
  const [firstRequest] = steps;
  return {
    service: 'svc',
    description: WHAT_IT_IS,
    console: `${console}/`,
    documentation: links.documentation,
    openapi: links.openapi,
    health: { live: `${base}/livez`, ready: `${base}/readyz` },
    agents: {
      guide: links.guide,
      capabilities: links.capabilities,
      mcp: links.mcp,
      protectedResource: links.protectedResource,
      downloads: downloads.map((each) => ({ ...each })),
      ...(cli === null ? {} : { firstCommands: [...cli.commands], pageCommands: [...cli.pageCommands] }),
      ...(firstRequest === undefined ? {} : { firstRequest: stepJson(firstRequest) }),
      placeholders: PLACEHOLDERS,
      steps: steps.map(stepJson),
    },
  };
}

function stepJson(step: GuideStep): JsonObject {
  return { ...step, headers: { ...step.headers }, body: step.body as JsonValue };
}

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:42rem;padding:3rem 1rem}
pre{overflow-x:auto;padding:1rem;border:1px solid GrayText;border-radius:6px}`;

/** The policy of the page: its one style sheet, by digest, and nothing else. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page that leads a person on: to the console, to the description of the interface, and to an agent's first request. */
function welcomePage({ hosts: { console }, links, steps: [first] }: Guide): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>svc</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>svc</h1>
<p>${WHAT_IT_IS}</p>
<ul>
<li><a href="${console}/">Open the console</a> to claim workspaces, approve imports and manage API keys.</li>
<li><a href="${links.documentation}">Read the documentation</a>, with a quick start.</li>
<li><a href="${links.openapi}">Read the interface</a>, described in OpenAPI 3.1.</li>
<li><a href="${links.guide}">Read the guide for agents</a>, a plain text.</li>
</ul>
<h2>Agents</h2>
<p>An agent needs no account. This request creates a workspace, which lasts 72 hours, and its credential:</p>
<pre tabindex="0"><code>curl -s ${first?.url} \\
  -H 'content-type: application/json' \\
  -d '${JSON.stringify(first?.body)}'</code></pre>
</main>
</body>
</html>
`;
}
