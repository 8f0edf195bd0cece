// Consumers of kafkajs as it is published, without any repair of ours, on the topics of a service that runs.
import { Kafka, logLevel } from 'kafkajs';

const brokers = [process.env['KAFKA_BROKERS'] ?? ''];
const prefix = `${process.env['SVC_NAMESPACE']}.`;

const kafka = new Kafka({ brokers, clientId: 'stock', logLevel: logLevel.NOTHING });
const admin = kafka.admin();
await admin.connect();
const { groups } = await admin.listGroups();
const ours = groups.map(({ groupId }) => groupId).filter((groupId) => groupId.startsWith(prefix));
const names = (await admin.listTopics()).filter((name) => name.startsWith(prefix));
await admin.disconnect();

for (const groupId of ours) {
  const topic = names.find((name) => groupId.endsWith(name.slice(prefix.length).replace(/\.v\d+$/, '')));
  const consumer = kafka.consumer({ groupId: `stock-${groupId}` });
  await consumer.connect();
  await consumer.subscribe({ topics: [topic ?? ''] });
  await consumer.run({ eachMessage: async () => undefined });
}
process.stdout.write(`${ours.length} consumers\n`);
