import { expect, test } from 'vitest';
import { disturbExchange } from '../../../../src/node/faults/exchange.js';
import { createSystemClock } from '../../../../src/adapters/clock/system.js';
import { createMemoryExchange } from '../../../../src/adapters/data-exchange/memory.js';
import { createDisturbance } from '../../../../src/node/faults/disturbance.js';
import type { PeerAnswer, PeerReceiver } from '../../../../src/ports/data-exchange.js';
import type { Fault } from '../../../../src/wire/network/faults.js';
import { aFault, keyOf } from './a-fault.js';

const stored: PeerAnswer = { status: 'stored' };
const bob = { publicKeyHash: keyOf('bob'), endpoint: 'https://bob' };
const alice = { publicKeyHash: keyOf('alice'), endpoint: 'https://alice' };

test('A cut link carries no envelope, file or request until it is restored', async () => {
  let faults: readonly Fault[] = [];
  let answer = (): Promise<PeerAnswer> => new Promise(() => undefined);
  const receiver: PeerReceiver = {
    receiveEnvelope: () => answer(),
    offerBlob: () => Promise.resolve(stored),
    receiveBlob: () => Promise.resolve(stored),
    receiveRequest: () => Promise.resolve(stored),
  };
  const memory = createMemoryExchange();
  const there = memory.connect(bob);
  await there.listen(receiver);
  there.admit(new Set([alice.publicKeyHash]));
  const towards = (peer: string) => (peer === bob.publicKeyHash ? faults : []);
  const here = disturbExchange(memory.connect(alice), { towards }, (refuse) =>
    createDisturbance(createSystemClock(), refuse),
  );
  const underWay = here.send(bob, '{}');
  faults = [aFault('cut', 'alice', 'bob')];
  await expect(underWay).rejects.toMatchObject({ name: 'PeerError' });
  await expect(here.send(bob, '{}')).rejects.toThrow('is cut');
  const offer = { hash: keyOf('file'), sizeBytes: 1, source: keyOf('batch') };
  const waiting = [here.sendBlob(bob, offer, () => (async function* () {})()), here.request(bob, keyOf('batch'))];
  answer = () => Promise.resolve(stored);
  faults = [];
  expect([...(await Promise.all(waiting)), await here.send(bob, '{}')]).toEqual([stored, stored, stored]);
});
