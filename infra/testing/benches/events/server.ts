// The process that is measured: one service, or with `unmetered` questions a second one beside it that counts nothing.
import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { dirname, join } from 'node:path';
import { keepRequestsYoung } from '../../../service/gc-flags.ts';
import { MeasuredService } from './measured-service.ts';
import type { Answer, Question, Reply, Request, ServiceName } from './protocol.ts';

keepRequestsYoung();

const services = new Map<ServiceName, MeasuredService>();

function serviceOf(name: ServiceName): MeasuredService {
  const { env } = process;
  const settings =
    name === 'usual'
      ? env
      : { ...env, METRICS: 'off', SVC_DATA_FOLDER: `${env['SVC_DATA_FOLDER']}-unmetered` };
  const service = services.get(name) ?? new MeasuredService(settings);
  services.set(name, service);
  return service;
}

async function answer({ question, service: name }: Request): Promise<Answer> {
  const service = serviceOf(name);
  const folder = process.env['SVC_BENCH_PROFILES'];
  if (folder === undefined || question.kind === 'close') return await measured(question, service);
  const file = join(folder, `${question.kind}-${Date.now()}.cpuprofile`);
  if (question.kind === 'serve') {
    const served = await measured(question, service);
    service.onClose(await startProfile(file));
    return served;
  }
  const stop = await startProfile(file);
  const result = await measured(question, service);
  await stop();
  return result;
}

/** Profiles the CPU from now on. Resolves with a function that ends it and leaves the profile. */
async function startProfile(file: string): Promise<() => Promise<void>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  return async () => {
    const { profile } = await session.post('Profiler.stop');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(profile));
    session.disconnect();
  };
}

async function measured(question: Question, service: MeasuredService): Promise<Answer> {
  const begun = performance.now();
  const before = process.cpuUsage();
  let port = 0;
  let memory: number[] = [];
  switch (question.kind) {
    case 'open':
      await service.open();
      break;
    case 'fill':
      await service.fill(question.aggregates, question.commands);
      break;
    case 'fold':
      await service.fold(question.commands);
      break;
    case 'soak':
      memory = await service.soak(question.aggregates, question.commands);
      break;
    case 'grow':
      await service.grow(question);
      break;
    case 'serve':
      port = await service.serve();
      break;
    case 'close':
      for (const each of services.values()) await each.close();
      break;
  }
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - begun, cpuMs: (user + system) / 1_000, port, memory };
}

process.on('message', (request: Request) => {
  const reply = (sent: Reply): void => void process.send?.(sent);
  answer(request).then(
    (found) => {
      reply({ answer: found });
      if (request.question.kind === 'close') process.exit();
    },
    (error: unknown) => reply({ error: error instanceof Error ? String(error.stack) : String(error) }),
  );
});

// The parent is gone, and no other process would end this one.
process.on('disconnect', () => process.exit());
