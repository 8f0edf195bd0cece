// The customer's application as a process: reads its settings, serves its pages, delivers its outbox, pulls its imports.
import { once } from 'node:events';
import { events } from 'svc-client';
import { AcceptedBatches } from './accepted-batches.ts';
import { createApp } from './app.ts';
import { openDatabase } from './database.ts';
import { ImportDelivery } from './import-delivery.ts';
import { Outbox } from './outbox.ts';
import { OutboxDelivery } from './outbox-delivery.ts';
import { People } from './people.ts';
import { readSettings } from './settings.ts';

const settings = readSettings(process.env);
const database = openDatabase(settings.APP_DATA_FILE);
const people = new People(database);
await people.add('ada@app.example', 'ada at the example', true);
await people.add('bob@app.example', 'bob at the example', false);

const outbox = new Outbox(database);
const milestones = events({
  baseUrl: settings.SVC_URL,
  credential: settings.SVC_PROJECT_CREDENTIAL,
  installationId: settings.SVC_INSTALLATION_ID,
  checklistId: settings.SVC_CHECKLIST_ID,
  cohort: settings.SVC_COHORT,
  // The outbox repeats what was not accepted by then.
  deadlineMs: 5_000,
});
const outboxDelivery = new OutboxDelivery({
  outbox,
  milestones,
  subjectSecret: settings.APP_SUBJECT_SECRET,
});
const importDelivery = new ImportDelivery(
  new AcceptedBatches(database),
  {
    baseUrl: settings.SVC_URL,
    capability: settings.SVC_CAPABILITY,
    workspaceId: settings.SVC_WORKSPACE_ID,
    schemaId: settings.SVC_SCHEMA_ID,
  },
  (sentence) => process.stderr.write(`${sentence}\n`),
);
const app = createApp({
  settings,
  database,
  people,
  outbox,
  onIntent: () => outboxDelivery.notify(),
});
const server = app.listen(settings.APP_PORT, '127.0.0.1');
await once(server, 'listening');

await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
server.close();
server.closeIdleConnections();
await Promise.all([outboxDelivery.stop(), importDelivery.stop()]);
database.close();
process.exit(0);
