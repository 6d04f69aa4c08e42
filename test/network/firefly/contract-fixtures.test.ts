import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { foreignContract } from '../../support/foreign-contracts.js';
import { stockClient } from '../../support/stock-client.js';
import { startTokenNetwork, type TokenNetwork } from '../../support/token-network.js';

/** Requests about contracts of FireFly's SDK 1.3, Sandbox and UI, reproduced by hand. */

let network: TokenNetwork;
let alice: ReturnType<typeof stockClient>;
const { abi, bytecode } = foreignContract('WordyCoin');
/** Ids and names from earlier requests. */
const known: Record<string, string> = {};
const filled = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name] ?? name);

beforeAll(async () => {
  network = await startTokenNetwork({ connectors: 1 });
  alice = stockClient(network.alice.url);
  const deployed = await alice.post('contracts/deploy?confirm=true', {
    definition: abi,
    contract: bytecode,
    input: [],
  });
  known['address'] = String(Object(Object(deployed.body['output']).contractLocation).address);
  known['key'] = network.alice.key;
  const { body: mine } = await alice.get('status');
  Object.assign(known, { org: Object(mine['org']).id, node: Object(mine['node']).id });
}, 60_000);
afterAll(async () => {
  expect(network.parties.flatMap(({ fatal }) => fatal)).toEqual([]);
  await network.stop();
});

describe('the contract forms of the Sandbox', () => {
  test('define an interface from an ABI, an API by the name of the interface, and a listener of the API', async () => {
    const asked = { name: 'wordy', version: '1', input: { abi } };
    const { body: ffi } = await alice.post('contracts/interfaces/generate', asked);
    const made = await alice.post('contracts/interfaces?confirm=true&publish=true', ffi);
    expect(made).toMatchObject({ status: 200, body: { name: 'wordy', message: expect.any(String) as string } });
    known['interface'] = String(made.body['id']);
    const location = { address: known['address'] };
    const api = { name: 'wordy', interface: { name: 'wordy', version: '1' }, location };
    const { status, body } = await alice.post('apis?confirm=true', api);
    expect({ status, body }).toMatchObject({ status: 200, body: { urls: { ui: expect.any(String) }, location } });
    const [event] = Object(
      (await alice.get(filled('contracts/interfaces/{interface}?fetchchildren=true'))).body,
    ).events;
    const listener = { topic: 'sandbox', name: 'sandbox', options: { firstEvent: 'newest' } };
    const answer = await alice.post(`apis/wordy/listeners/${String(event.pathname)}`, listener);
    expect(answer).toMatchObject({ status: 200, body: { name: 'sandbox', topic: 'sandbox', location } });
    known['listener'] = String(answer.body['id']);
    known['event'] = String(event.pathname);
  });

  test('list them as they are displayed, the listeners of an API by interface and location', async () => {
    expect(await alice.list('contracts/interfaces')).toMatchObject([{ name: 'wordy', version: '1' }]);
    expect(await alice.list('apis')).toMatchObject([{ name: 'wordy', location: { address: known['address'] } }]);
    const location = encodeURIComponent(JSON.stringify({ address: known['address'] }));
    for (const form of [`location=${location}`, filled('location[address]={address}')]) {
      const found = await alice.list(`${filled('contracts/listeners?interface={interface}')}&${form}`);
      expect(found).toMatchObject([{ id: known['listener'], event: { name: known['event'] } }]);
    }
    expect(await alice.list(`contracts/listeners?location=${encodeURIComponent('{"address":"0x00"}')}`)).toEqual([]);
  });

  test('show how far a listener has read the chain', async () => {
    const { body } = await alice.get('contracts/listeners/sandbox?fetchstatus');
    const place = { block: expect.any(Number) as number, transactionIndex: -1, logIndex: -1 };
    expect(body).toMatchObject({ name: 'sandbox', status: { checkpoint: place, catchup: expect.any(Boolean) } });
    await eventually(async () => {
      const later = await alice.get('contracts/listeners/sandbox?fetchstatus=true');
      const status: { catchup: boolean; checkpoint: { block: number } } = Object(later.body['status']);
      expect(status.catchup).toBe(false);
      expect(status.checkpoint.block).toBeGreaterThan(0);
    });
    expect((await alice.get('contracts/listeners/sandbox')).body).not.toHaveProperty('status');
  });

  test('look up the batch of a transaction, the keys of all parties and the connectors', async () => {
    const { body } = await alice.post('messages/broadcast?confirm=true', { data: [{ value: 1 }] });
    expect(await alice.list(`batches?tx.id=${String(body['txid'])}`)).toMatchObject([{ id: body['batch'] }]);
    const organizations = (await alice.list('network/organizations')).map(({ id }) => id);
    const identities = (await alice.list('verifiers')).map(({ identity }) => identity);
    expect(identities).toEqual(expect.arrayContaining(organizations));
    expect((await alice.get('status')).body).toMatchObject({ plugins: { tokens: [{ name: 'erc1155' }] } });
  });
});

describe('the contract pages of the UI', () => {
  const page = 'limit=25&count&skip=0$';
  test.each([
    'apis/wordy',
    `apis?${page}&interface={interface}`,
    'contracts/interfaces/{interface}?fetchchildren=true',
    'contracts/interfaces/wordy/1?fetchchildren',
    `contracts/listeners?${page}&interface={interface}`,
    'contracts/listeners/{listener}',
    'contracts/listeners/sandbox?fetchstatus=true',
    `blockchainevents?${page}&listener={listener}`,
    'identities/{org}?fetchverifiers=true',
    `identities/{org}/verifiers?${page}`,
    'network/organizations/{org}',
    'network/nodes/{node}',
    `tokens/accounts/{key}/pools?${page}`,
    `tokens/approvals?${page}`,
    'status/multiparty',
  ])('open with %s', async (path) => {
    const { status, body } = await alice.get(filled(path));
    expect({ path: filled(path), status, body }).toMatchObject({ status: 200 });
  });
});

describe('the methods about contracts that the SDK has added', () => {
  test('deploy, publish local records, and delete unused ones', async () => {
    const local = { name: 'draft', version: '1', methods: [], events: [] };
    const made = await alice.post('contracts/interfaces?publish=false&confirm=true', local);
    expect(made).toMatchObject({ status: 200, body: { published: false } });
    const id = String(made.body['id']);
    const published = await alice.post(`contracts/interfaces/draft/1/publish?confirm=true`, { networkName: 'public' });
    expect(published).toMatchObject({ status: 200, body: { id, networkName: 'public', published: true } });
    const unused = await alice.post('contracts/interfaces?publish=false&confirm=true', {
      name: 'unused',
      version: '1',
    });
    expect((await alice.ask('DELETE', `contracts/interfaces/${String(unused.body['id'])}`)).status).toBe(204);
    const api = { name: 'unused', interface: { id }, location: { address: known['address'] } };
    const { body } = await alice.post('apis?publish=false&confirm=true', api);
    expect((await alice.ask('DELETE', `apis/${String(body['name'])}`)).status).toBe(204);
    expect((await alice.get('apis/unused')).status).toBe(404);
  });

  test('read one subscription with its status, and delete a local pool', async () => {
    await alice.ask('PUT', 'subscriptions', { name: 'sdk', transport: 'websockets' });
    const { body } = await alice.get('subscriptions/sdk?fetchstatus=true');
    expect(body).toMatchObject({ name: 'sdk', status: { currentOffset: expect.any(Number) as number } });
    const pool = { name: 'local', type: 'fungible' };
    const { status } = await alice.post('tokens/pools?publish=false&confirm=true', pool);
    expect(status).toBe(200);
    expect((await alice.ask('DELETE', 'tokens/pools/local')).status).toBe(204);
  });
});
