import { z } from 'zod';
import type { PrivateFolder } from './private-folder.ts';

/** The page that leads a browser to the claim link. The link is secret, so it is in no argument list. */
const PAGE = 'claim.html';
/** The end of the link, so that a later command can remove the page. */
const END = 'claim.json';

const endSchema = z.object({ expiresAt: z.iso.datetime() });

interface Link {
  readonly claimUrl: string;
  readonly expiresAt: string;
}

/** Writes the page of a link, and returns its path. */
export function writeLinkPage(folder: PrivateFolder, { claimUrl, expiresAt }: Link): string {
  folder.write(END, `${JSON.stringify({ expiresAt })}\n`);
  folder.write(PAGE, pageOf(claimUrl));
  return folder.pathOf(PAGE);
}

/** Removes the page of a link that has ended. */
export function removeEndedLink(folder: PrivateFolder, now: number): void {
  const text = folder.read(END);
  if (text === null) return;
  const end = endSchema.safeParse(parseJson(text));
  if (end.success && Date.parse(end.data.expiresAt) > now) return;
  folder.remove(PAGE);
  folder.remove(END);
}

function pageOf(claimUrl: string): string {
  const link = claimUrl.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${link}">
<title>Claim the workspace</title>
</head>
<body>
<p><a rel="noreferrer" href="${link}">Open the console to claim the workspace.</a> The link is private.</p>
</body>
</html>
`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
