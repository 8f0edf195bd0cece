import { useHost } from '../../api/hosts.ts';
import { lines } from '../../parts/frame/commands.ts';
import { Empty, Way } from '../../parts/loading/empty.tsx';

/** The list before the first key. */
export function NoKeys() {
  const limiter = useHost('limiter');
  return (
    <Empty
      title="Your backend checks each request with a key"
      guide="rate limits"
      ways={
        <Way
          title="Then a check takes one request"
          command={checkCommand(limiter)}
          hint="The answer says if the request is allowed, and how many are left in the window."
        />
      }
    >
      A test key works at once and needs no subscription. A key is shown once.
    </Empty>
  );
}

/** A check with a key that the shell keeps. */
export function checkCommand(origin: string): string {
  const body = '{"namespace":"login","identifier":"user-42","limit":5,"window":60000}';
  return lines(
    `curl ${origin}/v1/check`,
    '-H "Authorization: Bearer $KEY"',
    "-H 'Content-Type: application/json'",
    `-d '${body}'`,
  );
}
