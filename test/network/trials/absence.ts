import { createHttpClient } from '../../../src/bench/http.js';
import { createVictimStack } from '../crash/victim-stack.js';
import { judge } from './crowd.js';
import { inParallel, readHistory, readJson, send, until, type Verdicts } from './history.js';

const settleMs = 900_000;

/**
 * Checks that a member that was down while the others exchanged `count` messages, one in ten of them private with it,
 * catches up without help and ends with the same sequences.
 */
export async function tryAbsence(
  root: string,
  { count }: { readonly count: number },
  verdicts: Verdicts,
  print: (line: string) => void,
): Promise<void> {
  const stack = await createVictimStack(root, '3');
  const http = createHttpClient({ timeoutMs: 120_000 });
  try {
    const [alice, bob, carol] = stack.parties;
    if (alice === undefined || bob === undefined || carol === undefined) throw new Error('there are three parties');
    await stack.stop(carol.name);
    const startMs = performance.now();
    const sent = await inParallel(count, 32, async (index) => {
      const { url } = index % 2 === 0 ? alice : bob;
      const isPrivate = index % 10 === 0;
      const group = { members: [alice, bob, carol].map(({ name }) => ({ identity: name })) };
      const body = { header: { topics: [isPrivate ? 'letters' : 'news'] }, data: [{ value: `number ${index}` }] };
      const id = await (isPrivate
        ? send(http, url, 'send/message', { ...body, group })
        : send(http, url, 'broadcast/message', body));
      return { id, isPrivate };
    });
    print(`accepted ${count} in ${((performance.now() - startMs) / 1_000).toFixed(1)} s while ${carol.name} was down`);
    await stack.start();
    const isThere = async (url: string) => {
      const path = 'messages?state=confirmed&topics=^news&topics=^letters&count&limit=0';
      const { total } = await readJson<{ readonly total: number }>(http, url, path);
      return total >= count;
    };
    const tookMs = await until(`${carol.name} has everything`, settleMs, () => isThere(carol.url));
    print(
      `${carol.name} caught up in ${(tookMs / 1_000).toFixed(1)} s: ${Math.round((count * 1_000) / tookMs)} messages/s`,
    );
    await until('the others have everything', settleMs, async () => (await isThere(alice.url)) && isThere(bob.url));
    const histories = await Promise.all(stack.parties.map(({ url }) => readHistory(http, url)));
    for (const isPrivate of [false, true]) {
      const ids = sent.filter((each) => each.isPrivate === isPrivate).map(({ id }) => id);
      judge(verdicts, isPrivate ? 'private messages' : 'broadcasts', new Set(ids), histories);
    }
  } finally {
    http.close();
    await stack.remove();
  }
}
