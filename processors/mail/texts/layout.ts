import type { MailMessage } from '../../../topics/ports/mailer.ts';
import type { MailText } from './mail-text.ts';

/** Renders the words of a mail as plain text and as a page without anything from elsewhere. */
export function renderMail(text: MailText): Omit<MailMessage, 'id' | 'to'> {
  return {
    subject: text.subject,
    text: plainText(text),
    html: page(text),
    // No program answers it, such as one for absences (RFC 3834, 5).
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

function plainText({ heading, paragraphs, action, notes, console }: MailText): string {
  const blocks = [heading, ...paragraphs, `${action.label}:\n${action.link}`, ...notes, `-- \n${console}`];
  return blocks.join('\n\n');
}

/** Colours of both looks. Programs that know no media queries show the light one. */
const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 24px 16px; background: #f4f4f2; color: #1c1c1a; font: 16px/1.5 -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
main { display: block; box-sizing: border-box; max-width: 560px; margin: 0 auto; padding: 24px; background: #ffffff; border-radius: 8px; overflow-wrap: anywhere; }
h1 { margin: 0 0 16px; font-size: 22px; line-height: 1.3; }
p { margin: 0 0 16px; }
a { color: #1f5bb5; }
a.action { display: inline-block; padding: 12px 20px; border-radius: 6px; background: #1f5bb5; color: #ffffff; text-decoration: none; font-weight: 600; }
.notes { color: #5a5a55; font-size: 14px; }
.notes p:last-child { margin: 0; }
@media (prefers-color-scheme: dark) {
  body { background: #141413; color: #ececea; }
  main { background: #1f1f1d; }
  a { color: #8ab4f8; }
  a.action { background: #8ab4f8; color: #10233f; }
  .notes { color: #b3b3ad; }
}`;

function page({ subject, heading, paragraphs, action, notes, console }: MailText): string {
  const link = escaped(action.link);
  const block = (lines: readonly string[]) => lines.map((line) => `<p>${escaped(line)}</p>`).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(subject)}</title>
<style>${STYLE}
</style>
</head>
<body>
<main>
<h1>${escaped(heading)}</h1>
${block(paragraphs)}
<p><a class="action" href="${link}">${escaped(action.label)}</a></p>
<div class="notes">
<p>If the button does not work, open this address: <a href="${link}">${link}</a></p>
${block([...notes, `Sent by ${console}`])}
</div>
</main>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
