import { createHttpClient } from '../../../src/bench/http.js';
import { readPending } from '../../../src/bench/record.js';
import { createVictimStack } from '../crash/victim-stack.js';
import { type Entry, inParallel, readHistory, send, until, type Verdicts } from './history.js';

const settleMs = 600_000;

/**
 * Four nodes send `each` broadcasts in parallel on one topic, and three members send from 32 parallel private senders
 * into one group and topic: one order everywhere, nothing lost or duplicated, nothing pending.
 */
export async function tryCrowd(
  root: string,
  { each, privates }: { readonly each: number; readonly privates: number },
  verdicts: Verdicts,
  print: (line: string) => void,
): Promise<void> {
  const stack = await createVictimStack(root, '4');
  const http = createHttpClient({ timeoutMs: 120_000 });
  try {
    const { parties } = stack;
    const members = parties.slice(0, 3);
    const group = { members: members.map(({ name }) => ({ identity: name })) };
    const startMs = performance.now();
    const broadcasts = parties.map(({ url, name }) =>
      inParallel(each, 16, (index) =>
        send(http, url, 'broadcast/message', { header: { topics: ['crowd'] }, data: [{ value: `${name} ${index}` }] }),
      ),
    );
    const sends = inParallel(privates, 32, (index) => {
      const { url = '', name = '' } = members[index % members.length] ?? {};
      const data = [{ value: `${name} in private ${index}` }];
      return send(http, url, 'send/message', { header: { topics: ['circle'] }, group, data });
    });
    const [sentBroadcasts, sentPrivates] = [(await Promise.all(broadcasts)).flat(), await sends];
    print(`accepted ${sentBroadcasts.length + sentPrivates.length} in ${secondsSince(startMs)} s`);
    await until('everything is decided', settleMs, async () => {
      const pending = await Promise.all(parties.map((party) => readPending(http, party)));
      return pending.every((count) => count === 0);
    });
    print(`decided everywhere after ${secondsSince(startMs)} s`);
    const histories = await Promise.all(parties.map(({ url }) => readHistory(http, url)));
    judge(verdicts, 'broadcasts', new Set(sentBroadcasts), histories);
    judge(verdicts, 'private messages', new Set(sentPrivates), histories.slice(0, 3));
    const stranger = histories[3]?.filter(({ message }) => sentPrivates.includes(message)) ?? [];
    verdicts.expect('the party outside the group has none of its messages', stranger.length === 0);
  } finally {
    http.close();
    await stack.remove();
  }
}

/** Checks that each history has each message once, confirmed, and that all histories have them in one order. */
export function judge(
  verdicts: Verdicts,
  what: string,
  sent: ReadonlySet<string>,
  histories: readonly (readonly Entry[])[],
): void {
  const orders = histories.map((history) => history.filter(({ message }) => sent.has(message)));
  const [first = []] = orders;
  const text = (order: readonly Entry[]) => order.map(({ message, type }) => `${message} ${type}`).join();
  verdicts.expect(`${what}: every one is there once`, first.length === sent.size, `${first.length} of ${sent.size}`);
  verdicts.expect(
    `${what}: none is doubled or rejected`,
    orders.every(
      (order) =>
        new Set(order.map(({ message }) => message)).size === order.length &&
        order.every(({ type }) => type === 'message_confirmed'),
    ),
  );
  verdicts.expect(
    `${what}: one order at ${orders.length} parties`,
    orders.every((order) => text(order) === text(first)),
  );
}

function secondsSince(startMs: number): string {
  return ((performance.now() - startMs) / 1_000).toFixed(1);
}
