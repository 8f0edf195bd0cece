// The customer's application as a process: reads its settings, serves its pages, delivers its outbox, pulls its imports.
import { once } from 'node:events';
import { AcceptedBatches } from './accepted-batches.ts';
import { createApp } from './app.ts';
import { openDatabase } from './database.ts';
import { ImportDelivery } from './import-delivery.ts';
import { Outbox } from './outbox.ts';
import { OutboxDelivery } from './outbox-delivery.ts';
import { People } from './people.ts';
import { ServiceClient } from './service-client.ts';
import { readSettings } from './settings.ts';
import { subjectDigest } from './subject-digest.ts';

const settings = readSettings(process.env);
const database = openDatabase(settings.APP_DATA_FILE);
const people = new People(database);
await people.add('ada@app.example', 'ada at the example', true);
await people.add('bob@app.example', 'bob at the example', false);

const project = new ServiceClient(settings.SVC_URL, settings.SVC_PROJECT_CREDENTIAL);
const capability = new ServiceClient(settings.SVC_URL, settings.SVC_CAPABILITY);
const outbox = new Outbox(database);
const outboxDelivery = new OutboxDelivery({
  outbox,
  service: project,
  checklist: {
    installationId: settings.SVC_INSTALLATION_ID,
    checklistId: settings.SVC_CHECKLIST_ID,
    cohort: settings.SVC_COHORT,
  },
  digestOf: (userId) => subjectDigest(settings.APP_SUBJECT_SECRET, userId),
});
const importDelivery = new ImportDelivery(
  new AcceptedBatches(database),
  capability,
  { workspaceId: settings.SVC_WORKSPACE_ID, schemaId: settings.SVC_SCHEMA_ID },
  (sentence) => process.stderr.write(`${sentence}\n`),
);
const app = createApp({
  settings,
  database,
  people,
  outbox,
  project,
  capability,
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
