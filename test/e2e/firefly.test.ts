import { spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePortBase } from '../support/port-base.js';
import { type StockAnswer, stockClient } from '../support/stock-client.js';
import { startWebhookTarget } from '../support/webhook-target.js';
import { describeContracts } from './fixtures/firefly-contract-guide.js';
import { describeScript } from './fixtures/firefly-script.js';
import { describeTutorials } from './fixtures/firefly-tutorials.js';
import { createStackCli } from './fixtures/stack-cli.js';

/**
 * FireFly's tutorials, typed verbatim, and other differences under `profile: firefly`, on one stack created by `stack
 * init --firefly`. Bodies are sent as the guides print them.
 */

const cli = createStackCli('default');
const firefly = join(cli.directory, 'home', 'stacks', 'ff', 'firefly');
const ff = fileURLToPath(new URL('../../scripts/ff', import.meta.url));

interface Member {
  readonly address: string;
  readonly orgName: string;
  readonly exposedFireflyPort: number;
}
let members: readonly Member[] = [];

/** Returns the contents of the stack directory of FireFly's command line. */
async function stackFile<T>(name: string): Promise<T> {
  return JSON.parse(await readFile(join(firefly, name), 'utf8')) as T;
}

function runFf(...words: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [ff, ...words], {
    env: { ...cli.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })));
}

function hostOf(member: number): string {
  return `http://127.0.0.1:${members[member]?.exposedFireflyPort ?? 0}`;
}

const clientOf = (member: number) => stockClient(hostOf(member));
const ns = '/api/v1/namespaces/default';
const post = (path: string, body: string | FormData, member = 0) => clientOf(member).post(path, body);
const ask = (method: string, path: string, body?: string, member = 0) => clientOf(member).ask(method, path, body);
const get = async (path: string, member = 0) => (await clientOf(member).get(path)).body;
/** Returns the records of a list, once there are at least `count`. */
const list = (path: string, member = 0, count = 0) => clientOf(member).list(path, count);
const idOf = ({ body }: StockAnswer) => String((body['header'] as { id?: string } | undefined)?.id ?? body['id']);

/** Uploads the standard input of curl, which is a file named "-". */
function uploadAsCurl(content: string): Promise<StockAnswer> {
  const form = new FormData();
  form.append('autometa', 'true');
  form.append('file', new Blob([content]), '-');
  return post('data', form);
}

/** Returns the message once a member has confirmed it, with its data. */
async function confirmedAt(member: number, id: string): Promise<StockAnswer['body']> {
  let found: StockAnswer['body'] = {};
  await expect
    .poll(async () => {
      found = await get(`messages/${id}?data=true`, member);
      return found['state'];
    })
    .toBe('confirmed');
  return found;
}

beforeAll(async () => {
  await cli.ok('init', 'ff', '--firefly', '--port-base', await freePortBase(), '-q', '-y');
  expect(await runFf('start', 'ff', '-nb')).toMatchObject({ code: 0 });
  members = (await stackFile<{ members: Member[] }>('stack.json')).members;
});
afterAll(() => cli.remove());

describe('The stack directory', () => {
  test('has members, ports and funded accounts where readers of FireFly stacks look for them', async () => {
    expect(await stackFile('stack.json')).toMatchObject({
      name: 'ff',
      database: 'sqlite3',
      multiparty: true,
      chainID: 2021,
      tokenProviders: ['erc20_erc721', 'erc1155'],
      members: [{ id: '0', index: 0, orgName: 'org_0', nodeName: 'node_0', namespaces: [{ name: 'default' }] }, {}, {}],
    });
    for (const file of ['stack.json', 'stackState.json', 'runtime/stackState.json']) {
      expect((await stat(join(firefly, file))).mode & 0o777).toBe(0o600);
    }
    const state = await stackFile<{ accounts: { address: string; orgName: string }[] }>('stackState.json');
    expect(state.accounts.slice(0, 3)).toEqual(members.map(({ address, orgName }) => ({ address, orgName })));
    expect(state).toEqual(await stackFile('runtime/stackState.json'));
    for (const [index, { orgName }] of members.entries()) {
      const { body } = await clientOf(index).get('/api/v1/status');
      expect(body).toMatchObject({ org: { name: orgName, registered: true, did: `did:firefly:org/${orgName}` } });
    }
    const spare = state.accounts.find(({ orgName }, index) => index > 2 && orgName === 'org_1');
    const claim = JSON.stringify({ name: 'spare-of-org-1', key: spare?.address });
    expect(await post('identities?confirm=true', claim, 1)).toMatchObject({ status: 200 });
  });
});

describe('Broadcast data', () => {
  const cases = [
    '{"data":[{"value":"a string"}]}',
    '{"header":{"tag":"new_widget_created","topics":["widget_id_12345"]},' +
      '"data":[{"value":{"id":"widget_id_12345","name":"superwidget"}}]}',
  ];
  test.each(cases)('%s', async (body) => {
    const answer = await post('messages/broadcast', body);
    expect(answer).toMatchObject({ status: 202, body: { state: 'ready', header: { type: 'broadcast' } } });
    const [{ value } = {}] = (await confirmedAt(1, idOf(answer)))['data'] as { value: unknown }[];
    expect(value).toEqual((JSON.parse(body) as { data: [{ value: unknown }] }).data[0].value);
  });

  test('of a blob, uploaded as curl does it', async () => {
    const uploaded = await uploadAsCurl('a picture');
    expect(uploaded).toMatchObject({ status: 201, body: { value: { filename: '-', size: 9 } } });
    const sent = await post('messages/broadcast', JSON.stringify({ data: [{ id: idOf(uploaded) }] }));
    await confirmedAt(2, idOf(sent));
    const blob = await fetch(`${hostOf(2)}${ns}/data/${idOf(uploaded)}/blob`);
    expect(await blob.text()).toBe('a picture');
  });

  test('with only a tag', async () => {
    const answer = await post('messages/broadcast', '{"header":{"tag":"ping"},"data":[]}');
    expect(await confirmedAt(1, idOf(answer))).toMatchObject({ header: { tag: 'ping' }, data: [] });
  });

  test('with a datatype as a label, which is not looked up', async () => {
    const item = '{"validator":"none","datatype":{"name":"widget"},"value":{"any":"thing"}}';
    const answer = await post('messages/broadcast', `{"data":[${item}]}`);
    const { data } = await confirmedAt(1, idOf(answer));
    expect(data).toMatchObject([{ validator: 'none', datatype: { name: 'widget' } }]);
  });
});

describe('Privately send data', () => {
  test('pinned, to an organisation by its name', async () => {
    const body = '{"data":[{"value":"a string"}],"group":{"members":[{"identity":"org_1"}]}}';
    const answer = await post('messages/private', body);
    expect(await confirmedAt(1, idOf(answer))).toMatchObject({ header: { author: 'did:firefly:org/org_0' } });
    expect(await clientOf(2).get(`messages/${idOf(answer)}`)).toMatchObject({ status: 404 });
  });

  test.each(['none', 'unpinned'])(
    'unpinned, asked for as %s, is shown as unpinned and found by either',
    async (word) => {
      const to = '"group":{"members":[{"identity":"org_1"}]}';
      const body = `{"header":{"txtype":"${word}"},"data":[{"value":"a string"}],${to}}`;
      const answer = await post('messages/private', body);
      expect(answer.body).toMatchObject({ state: 'confirmed', header: { txtype: 'unpinned' } });
      expect(await confirmedAt(1, idOf(answer))).toMatchObject({ header: { txtype: 'unpinned' } });
      for (const asked of ['none', 'unpinned']) {
        expect(await list(`messages?txtype=${asked}&id=${idOf(answer)}`, 1)).toHaveLength(1);
      }
      expect(await get(`messages/${idOf(answer)}/transaction`)).toMatchObject({ type: 'unpinned' });
    },
  );

  test('of a blob that was uploaded before, only to its group', async () => {
    const uploaded = await uploadAsCurl('a secret picture');
    const group = '"group":{"members":[{"identity":"org_1"}]}';
    const sent = await post('messages/private', `{"data":[{"id":"${idOf(uploaded)}"}],${group}}`);
    expect(await confirmedAt(1, idOf(sent))).toMatchObject({ data: [{ value: { filename: '-', size: 16 } }] });
    const blobAt = (member: number) => fetch(`${hostOf(member)}${ns}/data/${idOf(uploaded)}/blob`);
    expect(await (await blobAt(1)).text()).toBe('a secret picture');
    expect((await blobAt(2)).status).toBe(404);
    expect((await list('messages?pending=false&limit=100', 1)).map((each) => each['state'])).not.toContain('ready');
  });

  test('of a datatype that was defined before', async () => {
    const schema =
      '{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",' +
      '"properties":{"id":{"type":"string"}}}';
    const definition = `{"name":"widget","version":"0.0.2","value":${schema}}`;
    expect(await post('datatypes?confirm=true', definition)).toMatchObject({ status: 200 });
    expect(await list('datatypes?name=widget&version=0.0.2', 1, 1)).toMatchObject([{ validator: 'json' }]);
    const body =
      '{"header":{"tag":"new_widget_created","topic":["widget_id_12345"]},"group":{"members":[{"identity":"org_1"}]},' +
      '"data":[{"datatype":{"name":"widget","version":"0.0.2"},"value":{"id":"widget_id_12345"}}]}';
    await confirmedAt(1, idOf(await post('send/message', body)));
    expect(await post('send/message', body.replace('"widget_id_12345"}}', '5}}'))).toMatchObject({ status: 400 });
  });
});

test('DIDs are did:firefly:, and both spellings are accepted', async () => {
  for (const method of ['firefly', 'parley']) {
    expect(await get(`identities/did:${method}:org/org_1`)).toMatchObject({ did: 'did:firefly:org/org_1' });
    expect(await get(`network/diddocs/did:${method}:org/org_1`)).toMatchObject({
      verificationMethod: [{ blockchainAcountId: expect.stringMatching(/^0x[0-9a-f]{40}$/) as string }],
    });
    const count = await get(`messages?author=did:${method}:org/org_0&count&limit=1`, 1);
    expect(Number(count['total'])).toBeGreaterThan(0);
    const group = `{"members":[{"identity":"did:${method}:org/org_2"}]}`;
    const { body } = await post('messages/private', `{"group":${group},"data":[{"value":1}]}`);
    expect(body).toMatchObject({ header: { author: 'did:firefly:org/org_0' } });
  }
});

test('registering the own organisation again answers 202', async () => {
  expect(await post('network/organizations/self', '{}')).toMatchObject({ status: 202, body: { name: 'org_0' } });
  expect(await post('network/nodes/self', '{}')).toMatchObject({ status: 202, body: { name: 'node_0' } });
});

test('a second claim of a name answers 202 and is rejected at every party', async () => {
  expect(await post('identities?confirm=true', '{"name":"counter"}')).toMatchObject({ status: 200 });
  const { status, body } = await post('identities', '{"name":"counter","description":"another"}', 1);
  expect(status).toBe(202);
  const { claim } = body['messages'] as { claim: string };
  for (const member of [0, 1, 2]) {
    expect(await list(`events?reference=${claim}&fetchreferences`, member, 1)).toMatchObject([
      { type: 'message_rejected', message: { rejectReason: expect.stringMatching(/^FF10407: /) as string } },
    ]);
  }
  expect(await list('identities?name=counter', 2)).toMatchObject([
    { parent: (await get('identities/did:firefly:org/org_0'))['id'] },
  ]);
});

test('pins are reported in their namespace only to nodes that have the batch', async () => {
  const body = '{"data":[{"value":1}],"group":{"members":[{"identity":"org_1"}]}}';
  const { batch } = await confirmedAt(1, idOf(await post('messages/private', body)));
  const { tx } = (await get(`batches/${String(batch)}`)) as { tx: { id: string } };
  // A node that has confirmed a later broadcast has read the pin.
  await confirmedAt(2, idOf(await post('messages/broadcast', '{"data":[{"value":2}]}')));
  for (const [member, count] of [
    [0, 1],
    [1, 1],
    [2, 0],
  ] as const) {
    const events = await list(`events?type=blockchain_event_received&tx=${tx.id}`, member, count);
    expect(events).toHaveLength(count);
    for (const event of events) {
      expect(event).toMatchObject({ topic: 'ff_batch_pin', namespace: 'default' });
      expect(await get(`blockchainevents/${String(event['reference'])}`, member)).toMatchObject({ name: 'BatchPin' });
      const ofTransaction = await list(`transactions/${tx.id}/blockchainevents`, member, 1);
      expect(ofTransaction.map(({ id }) => id)).toEqual([event['reference']]);
    }
  }
});

test('Webhooks get the data of messages unless the subscription says otherwise', async () => {
  const target = await startWebhookTarget();
  onTestFinished(() => target.goDown());
  target.answers((_, response) => void response.end('{}'));
  const url = `${target.url}/hook`;
  const filter = '{"events":"message_confirmed","message":{"tag":"hooked","author":"^did:parley:org/org_0$"}}';
  const body = `{"transport":"webhooks","name":"hook","filter":${filter},"options":{"url":"${url}"}}`;
  expect(await post('subscriptions', body)).toMatchObject({ status: 201, body: { options: { withData: true } } });
  for (const value of ['{"some":"data"}', '"hello"'])
    await post('messages/broadcast', `{"header":{"tag":"hooked"},"data":[{"value":${value}}]}`);
  const bodies = () => target.calls.map(({ body: said }) => JSON.parse(said) as unknown);
  await expect.poll(bodies).toEqual([{ some: 'data' }, { value: 'hello' }]);
});

describe('Listen for events', () => {
  test('with an ephemeral socket, and a durable one that acknowledges', async () => {
    const filter =
      '{"blockchainevent":{"listener":".*","name":".*"},"events":".*","message":{"author":".*","group":".*",' +
      '"tag":".*","topics":".*"},"transaction":{"type":".*"}}';
    const options = '{"firstEvent":"newest","readAhead":50}';
    const subscription = `{"transport":"websockets","name":"app1","filter":${filter},"options":${options}}`;
    expect(await post('/namespaces/default/subscriptions', subscription)).toMatchObject({ status: 201 });
    const base = hostOf(0).replace('http', 'ws');
    const heard = new Map<string, string[]>();
    const sockets = [
      'namespace=default&ephemeral&autoack&filter.events=message_confirmed',
      'namespace=default&name=app1',
    ].map((query) => {
      const socket = new WebSocket(`${base}/ws?${query}`);
      socket.on('message', (data: Buffer) => {
        const { id, type, reference } = JSON.parse(data.toString()) as Record<string, string>;
        if (!query.includes('autoack')) socket.send(JSON.stringify({ type: 'ack', id }));
        if (type === 'message_confirmed') heard.set(query, [...(heard.get(query) ?? []), String(reference)]);
      });
      return new Promise<WebSocket>((resolve) => socket.once('open', () => resolve(socket)));
    });
    const open = await Promise.all(sockets);
    const ids = [await post('messages/broadcast', '{"data":[{"value":1}]}')].map(idOf);
    await expect.poll(() => [...heard.values()]).toEqual([ids, ids]);
    for (const socket of open) socket.terminate();
  });
});

const keyOf = (member: number) => members[member]?.address ?? '';
describeTutorials({ ask, post, get, list, confirmedAt, hostOf, keyOf, ff: runFf });
describeContracts({ ask, post, get, list, hostOf });
describeScript({ ff: runFf, stackFile, directory: cli.directory, freePorts: freePortBase });
