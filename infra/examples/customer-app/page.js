// The page of the example: it acts through its own backend, and reads progress with a token that it keeps in memory.
const LOOK_AGAIN_MS = 2_000;

const byId = (id) => document.getElementById(id);
let progress = null;

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

async function showProgress() {
  progress ??= await post('/onboarding/session');
  const response = await fetch(progress.progressUrl, {
    headers: { authorization: `Bearer ${progress.token}` },
  });
  if (response.status === 401) progress = null;
  if (!response.ok) throw new Error('Your progress is not available right now.');
  const { steps, completedSteps, totalSteps } = await response.json();
  byId('progress-text').textContent = `${completedSteps} of ${totalSteps} steps are done.`;
  byId('steps').replaceChildren(
    ...steps.map(({ label, completed }) => item(`${completed ? 'Done' : 'To do'}: ${label}`)),
  );
}

async function showState() {
  const response = await fetch('/api/state');
  byId('sign-in').hidden = response.ok;
  byId('inside').hidden = !response.ok;
  if (!response.ok) return;
  const { projects, imported, outbox } = await response.json();
  byId('work-text').textContent =
    projects.length === 0
      ? 'No project yet: the first one completes a step.'
      : `Projects: ${projects.map(({ name }) => name).join(', ')}. Imported rows: ${imported}.`;
  const lines = outbox.map(({ state, reason, intents }) =>
    item(`${intents} ${state}${reason ? ` (${reason})` : ''}`),
  );
  byId('outbox').replaceChildren(...(lines.length === 0 ? [item('Nothing yet.')] : lines));
  const waits = ({ state, reason }) => state === 'parked' || (state === 'pending' && reason !== null);
  byId('send-again').hidden = !outbox.some(waits);
  await showProgress();
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
