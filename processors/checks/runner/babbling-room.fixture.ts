// A room without a browser, for tests. The origin of a plan names what it writes in place of findings.
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { CHANNEL_FD } from './room-messages.ts';

const channel = new Socket({ fd: CHANNEL_FD });
const write = (text: string) => channel.write(text);
// The room may be killed in the middle.
channel.on('error', () => process.exit());

const BABBLE: Readonly<Record<string, () => void>> = {
  'no JSON': () => write('no JSON\n'),
  'another message': () => write('{"type":"open"}\n'),
  'a line without an end': () => {
    const piece = 'x'.repeat(64 * 1_024);
    const fill = () => {
      while (write(piece));
    };
    channel.on('drain', fill);
    fill();
  },
  'messages without an end': () => {
    const fill = () => {
      while (write('{"type":"asks","id":1,"origin":"https://site.example"}\n'));
    };
    channel.on('drain', fill);
    fill();
  },
};

createInterface(channel).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.type === 'launch') write(`{"type":"launched","pid":${process.pid}}\n`);
  if (message.type === 'drive') BABBLE[message.plan.origin]?.();
});
