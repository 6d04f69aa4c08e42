import { expect, vi } from 'vitest';
import { createClient } from '../../../src/client/client.js';
import { putFailures } from '../failures.js';
import type { TestNetwork } from '../node.js';
import { exampleValue, type Scene } from './example.js';

/** Sends what the examples stand on through the first node of a network, and waits until it is confirmed there. */
export async function setScene(network: TestNetwork): Promise<Scene> {
  const client = createClient({ url: network.node.url });
  const { value: sent } = await client.broadcastMessage({ body: { data: [{ value: exampleValue }] } });
  const group = { members: [{ identity: 'bob' }] };
  const { value: privateMessage } = await client.sendMessage({
    body: { header: { txtype: 'none' }, group, data: [{ value: exampleValue }] },
  });
  const path = { msgid: sent.header.id };
  const message = await vi.waitFor(
    async () => {
      const { value } = await client.getMessage({ path });
      expect(value.state).toBe('confirmed');
      return value;
    },
    { timeout: 20_000 },
  );
  const events = await client.listMessageEvents({ path });
  const operations = await client.listMessageOperations({ path, query: { type: 'blockchain_pin_batch' } });
  const batch = await client.getBatch({ path: { batchid: message.batch ?? '' } });
  const identity = await client.getOrganization({ path: { nameOrId: 'alice' } });
  const verifiers = await client.listIdentityVerifiers({ path: { iid: identity.value.id } });
  return {
    client,
    message,
    event: theFirst(events.value),
    batch: batch.value,
    operation: theFirst(operations.value),
    privateMessage,
    alice: identity.value,
    verifier: theFirst(verifiers.value),
    failures: await putFailures(network.node.database, network.node.spareKey),
  };
}

function theFirst<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined) throw new Error('The list has nothing that an example could stand on');
  return first;
}
