// The page of the example. Everything goes through its own backend but the widgets. Two of them get a session from there.
const LOOK_AGAIN_MS = 2_000;

const byId = (id) => document.getElementById(id);
let checklist = null;

async function post(path, json = {}) {
  const response = await fetch(`/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
  const body = response.status === 204 ? null : await response.json();
  if (!response.ok) throw new Error(body.error);
  return body;
}

/** Mounts the widgets of a user who has signed in. A page without them, because of a blocker for example, works too. */
async function mountWidgets({ mayImport }) {
  checklist = globalThis.SvcActivate?.mount(byId('first-steps'), { sessionPath: '/api/onboarding/session' });
  byId('teams').hidden = !mayImport;
  if (!mayImport) return;
  const { workspaceId, schemaId, sessionToken, ingestOrigin, maxBytes } = await post('/import-session');
  const labels = { title: 'Import teams' };
  const host = byId('import');
  globalThis.SvcImport?.mount({
    host,
    workspaceId,
    schemaId,
    sessionToken,
    ingestOrigin,
    maxBytes,
    labels,
  });
}

let delivered = 0;

async function showState() {
  const response = await fetch('/api/state');
  const isInside = byId('inside').hidden === false;
  byId('sign-in').hidden = response.ok;
  byId('inside').hidden = !response.ok;
  if (!response.ok) return;
  const { user, projects, imported, outbox } = await response.json();
  byId('user').textContent = user.email;
  byId('welcome').textContent = `Welcome, ${user.email.split('@')[0]}`;
  byId('projects').replaceChildren(...projects.map(({ name }) => item(name)));
  byId('imported').textContent = `${imported} ${imported === 1 ? 'team is' : 'teams are'} here.`;
  const waits = outbox.filter(({ state, reason }) => state !== 'delivered' && reason !== null);
  byId('outbox').replaceChildren(...waits.map(({ reason, intents }) => item(`${intents}: ${reason}`)));
  byId('waiting').hidden = waits.length === 0;
  if (!isInside) await mountWidgets(user);
  // The service has another milestone now, so the checklist is worth a look.
  const now = outbox.find(({ state }) => state === 'delivered')?.intents ?? 0;
  if (isInside && now > delivered) await checklist?.refresh();
  delivered = now;
}

function item(text) {
  const element = document.createElement('li');
  element.textContent = text;
  return element;
}

async function attempt(step) {
  try {
    await step();
    byId('trouble').textContent = '';
  } catch (error) {
    byId('trouble').textContent = error.message;
  }
}

function onSubmit(form, step) {
  byId(form).addEventListener('submit', (event) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(event.target));
    void attempt(async () => {
      await step(fields);
      event.target.reset();
      await showState();
    });
  });
}

onSubmit('sign-in', (fields) => post('/sign-in', fields));
onSubmit('project', (fields) => post('/projects', fields));
byId('invite').addEventListener('click', () => void attempt(() => post('/invitations').then(showState)));
byId('send-again').addEventListener(
  'click',
  () => void attempt(() => post('/outbox/send-again').then(showState)),
);
setInterval(() => {
  if (!document.hidden && byId('sign-in').hidden) void attempt(showState);
}, LOOK_AGAIN_MS);
void attempt(showState);
