import { expect } from 'vitest';
import { eventually } from '../eventually.js';
import { openSocket } from '../../../src/cli/requests/open-socket.js';
import { type Client, createClient } from '../../../src/client/client.js';
import { events } from '../../../src/client/events/stream.js';
import { uploadData } from '../../../src/client/upload.js';
import { Type } from '@sinclair/typebox';
import { assertConforms } from '../../../src/wire/check.js';
import { Data } from '../../../src/wire/data/data.js';
import { write } from '../../../src/wire/json/json.js';
import { compact } from '../../../src/wire/json/json-reader.js';
import { putFailures } from '../failures.js';
import { putHeard } from '../heard.js';
import type { TestNetwork } from '../node.js';
import { putContracts } from './contract-scene.js';
import { exampleFile, exampleSchema, exampleValue, type Scene } from './example.js';

/** Sends the records of the scene through a network's first node, and waits until they are confirmed there. */
export async function setScene(network: TestNetwork): Promise<Scene> {
  const client = createClient({ url: network.node.url });
  const { value: sent } = await client.broadcastMessage({ body: { data: [{ value: exampleValue }] } });
  const group = { members: [{ identity: 'bob' }] };
  const { value: privateMessage } = await client.sendMessage({
    body: { header: { txtype: 'none' }, group, data: [{ value: exampleValue }] },
  });
  const { file, spareData } = await putData(client);
  const path = { msgid: sent.header.id };
  const message = await eventually(async () => {
    const { value } = await client.getMessage({ path });
    expect(value.state).toBe('confirmed');
    return value;
  });
  await client.createDatatype({
    body: { name: 'number', version: '1.0', value: exampleSchema },
    query: { confirm: true },
  });
  const datatype = await client.getDatatype({ path: { name: 'number', version: '1.0' } });
  const itsEvents = await client.listMessageEvents({ path });
  const operations = await client.listMessageOperations({ path, query: { type: 'blockchain_pin_batch' } });
  const batch = await client.getBatch({ path: { batchid: message.batch ?? '' } });
  const identity = await client.getOrganization({ path: { nameOrId: 'alice' } });
  const desk = await client.createIdentity({ body: { name: 'desk' }, query: { confirm: true } });
  const verifiers = await client.listIdentityVerifiers({ path: { iid: identity.value.id } });
  return {
    client,
    message,
    event: theFirst(itsEvents.value),
    batch: batch.value,
    operation: theFirst(operations.value),
    privateMessage,
    file,
    spareData,
    datatype: datatype.value,
    alice: identity.value,
    desk: desk.value,
    verifier: theFirst(verifiers.value),
    ...(await putSubscriptions(client)),
    ...(await putTokens(client)),
    failures: await putFailures(network.node.database, network.node.spareKey),
    contracts: await putContracts(client),
    contract: await putHeard(network.node.database),
  };
}

/** Replies to every request that arrives at a node, until the signal is aborted. Resolves once it listens. */
export async function answerRequests(url: string, signal: AbortSignal): Promise<void> {
  const client = createClient({ url });
  const filters = { events: '^message_confirmed$', 'message.tag': '^ask$' };
  const asked = events({ url, namespace: 'default', filters, openSocket, retry: 'always', signal });
  await asked.next();
  void (async () => {
    for await (const item of asked) {
      const header = item.kind === 'event' ? item.event.message?.header : undefined;
      if (header?.group === undefined) continue;
      const { id: cid, group } = header;
      await client.sendMessage({ body: { header: { cid, group, tag: 'reply' }, data: [{ value: exampleValue }] } });
    }
  })();
}

/** Opens a socket that listens until the signal is aborted. */
export async function listenToRejections(url: string, signal: AbortSignal): Promise<void> {
  const filters = { events: '^message_rejected$' };
  await events({ url, namespace: 'default', filters, openSocket, retry: 'always', signal }).next();
}

/** Creates a subscription to the events of messages, and others that may be deleted. */
async function putSubscriptions(client: Client): Promise<Pick<Scene, 'subscription' | 'spareSubscription'>> {
  const [filter, options] = [compact('{"events":"^message_"}'), compact('{"firstEvent":"oldest"}')];
  const subscription = await client.createSubscription({ body: { name: 'app', filter, options } });
  const spares: string[] = [];
  for (let number = 0; number < 10; number++) {
    spares.push((await client.createSubscription({ body: { name: `spare-${number}` } })).value.name);
  }
  return { subscription: subscription.value, spareSubscription: () => spares.pop() ?? '' };
}

/** Creates a pool with a mint and an approval, and local pools. */
async function putTokens(client: Client): Promise<Pick<Scene, 'pool' | 'transfer' | 'approval' | 'spareDraft'>> {
  const query = { confirm: true } as const;
  const { value: pool } = await client.createTokenPool({ body: { name: 'coins', type: 'fungible' }, query });
  const { value: transfer } = await client.mintTokens({ body: { pool: 'coins', amount: compact('100') }, query });
  const { value: approval } = await client.approveTokens({ body: { pool: 'coins', operator: 'bob' }, query });
  const spares = Array.from({ length: 16 }, (_, number) => `spare-draft-${number}`);
  const make = (name: string) =>
    client.createTokenPool({ body: { name, type: 'fungible' }, query: { ...query, publish: false } });
  await Promise.all(spares.map(make));
  return { pool, transfer, approval, spareDraft: () => spares.pop() ?? '' };
}

/** Creates two files in directories, and items that may be deleted. */
async function putData(client: Client): Promise<Pick<Scene, 'file' | 'spareData'>> {
  const file = await putFile(client, 'dir/hello.txt');
  await putFile(client, 'dir/sub/hello.txt');
  const spares: string[] = [];
  for (let number = 0; number < 10; number++) {
    spares.push((await client.uploadData({ body: { value: exampleValue } })).value.id);
  }
  return { file, spareData: () => spares.pop() ?? '' };
}

async function putFile(client: Client, name: string): Promise<Data> {
  const content = ReadableStream.from([Buffer.from(exampleFile)]);
  const metadata = write(Type.Object({ name: Type.String() }), { name });
  const { value } = await uploadData(client, {
    fileName: 'hello.txt',
    mediaType: 'application/octet-stream',
    fields: { metadata },
    content,
  });
  assertConforms(Data, value, 'the answer');
  return value;
}

function theFirst<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined) throw new Error('The list has nothing that an example could stand on');
  return first;
}
