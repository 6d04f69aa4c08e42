import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { followAddress } from '../../../../src/cli/party/same-node.js';
import { aLayout, aPlace } from '../../stack/fixtures/place.js';
import { aSilentSupervisor } from '../../stack/fixtures/processes.js';

/** The node of alice as its supervisor has recorded it. */
function aliceAt(url: string | null, pid: number | null) {
  const view = { name: 'alice', type: 'service', kind: 'node', state: 'healthy', isContainer: true, identity: null };
  return {
    ...view,
    pid,
    url,
    port: null,
    restarts: 0,
    startedAt: null,
    readyAfterMs: null,
    message: null,
    result: null,
  };
}

test('a connection is repeated only to the node of the party, at its present port', async () => {
  const layout = aLayout(aPlace());
  const { find, urlOf } = followAddress({ stack: 'dev', party: 'alice', layout }, 'http://127.0.0.1:16010');
  const recorded = await aSilentSupervisor(layout);
  await recorded(aliceAt('http://127.0.0.1:16010', 1));
  await find();
  for (const away of [aliceAt('http://127.0.0.1:16010', null), aliceAt(null, 1)]) {
    await recorded(away);
    await expect(find()).rejects.toMatchObject({ name: 'UnreachableError' });
  }
  await recorded(aliceAt('http://127.0.0.1:16011', 1));
  const socket = 'ws://127.0.0.1:16010/ws?namespace=default';
  expect(urlOf(socket)).toBe(socket);
  await find();
  expect(urlOf(socket)).toBe('ws://127.0.0.1:16011/ws?namespace=default');
  await recorded();
  await find();
  await rm(layout.state);
  await expect(find()).rejects.toMatchObject({ name: 'UnreachableError' });
  await rm(layout.directory, { recursive: true });
  await expect(find()).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
