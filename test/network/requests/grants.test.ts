import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthentication } from '../../../src/http/access/auth.js';
import { callLane, newOperation } from '../../../src/pipeline/operations/operation.js';
import { absolutePaths, grants, type Route } from '../../../src/wire/route.js';
import { routes } from '../../../src/wire/routes.js';
import { aMessage, anOperation } from '../../compliance/database/rows.js';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';
import { aPool } from '../../unit/pipeline/accept/tokens/a-token-scene.js';

let network: TestNetwork;
/** The key of the organisation. */
const ownKey = `0x${'1'.padStart(40, '0')}`;

beforeAll(async () => {
  network = await startTestNetwork(['alice'], {
    namespaces: ['default', 'blue'],
    authenticationOf: () =>
      createAuthentication([
        credential('owner'),
        { ...credential('limited'), namespaces: ['blue'] },
        { ...credential('trusted'), namespaces: ['blue'], grants },
        {
          ...credential('signer'),
          namespaces: ['blue'],
          grants: [...grants, `key:0x${'5'.repeat(8)}${'0'.repeat(32)}`],
        },
      ]),
  });
});
afterAll(() => network.stop());

/** A credential whose token is its name. */
function credential(name: string) {
  return { name, secret: { kind: 'token', sha256: createHash('sha256').update(name).digest() } } as const;
}

async function ask(
  path: string,
  name: string,
  method: string,
  sent: unknown = {},
): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${name}`, 'content-type': 'application/json' };
  const body = method === 'GET' ? {} : { body: JSON.stringify(sent) };
  const response = await fetch(`${network.node.url}${path}`, { method, headers, ...body });
  return { status: response.status, text: await response.text() };
}

const id = '3fa85f64-5717-4562-b3fc-2c963f66afa6';

describe('a namespace that a credential does not name', () => {
  const inside = Object.entries<Route>(routes).filter(([, { path }]) => !path.startsWith('/') || path.includes('{ns}'));

  it.each(inside)('is refused to it by %s, under each of its paths', async (_, { method, path, also = [] }) => {
    for (const each of [path, ...also].flatMap(absolutePaths)) {
      const at = each.replaceAll('{ns}', 'default').replaceAll(/\{\w+\}/g, id);
      for (const name of ['limited', 'signer']) {
        const { status, text } = await ask(at, name, method.toUpperCase());
        expect([at, status, text]).toEqual([at, 403, expect.stringContaining('FF00170: ')]);
      }
    }
  });
});

describe('what the key of the organisation signs beyond namespaces', () => {
  const asked = Object.entries<Route>(routes).filter(([, { grant }]) => grant !== undefined);

  it.each(asked)('%s needs a grant', async (_, { path, method }) => {
    const at = `/api/v1/namespaces/blue/${path.replaceAll(/\{\w+\}/g, id)}`;
    const { status, text } = await ask(at, 'limited', method.toUpperCase());
    expect([status, text]).toEqual([403, expect.stringMatching(/FF00170: .*grants/)]);
    for (const name of ['trusted', 'owner']) {
      const refusal = await ask(at, name, method.toUpperCase());
      expect([refusal.status >= 400, refusal.text]).toEqual([true, expect.not.stringContaining('FF00170')]);
    }
  });

  const signing = Object.entries<Route>(routes).filter(([, { signs }]) => signs === true);

  it.each(signing)('%s with a key of the wallet needs a grant for that key', async (_, { path, method }) => {
    const at = `/api/v1/namespaces/blue/${path.replaceAll(/\{\w+\}/g, id)}`;
    const { spareKey: key } = network.node;
    const { status, text } = await ask(at, 'trusted', method.toUpperCase(), { key });
    expect([status, text]).toEqual([403, expect.stringContaining(`key:${key}`)]);
    for (const name of ['signer', 'owner']) {
      const { text: other } = await ask(at, name, method.toUpperCase(), { key });
      expect(other).not.toContain('FF00170');
    }
  });

  it('messages, definitions and calls of another identity of the wallet need a grant for its key', async () => {
    const { spareKey: key } = network.node;
    const claim = { name: 'desk', key };
    expect(await ask('/api/v1/namespaces/blue/identities?confirm=true', 'owner', 'POST', claim)).toMatchObject({
      status: 200,
    });
    const data = [{ value: 1 }];
    const group = { members: [{ identity: 'alice' }] };
    const schema = { version: '1', value: { type: 'object' } };
    const message = (header: object) => ({ header, data });
    for (const signer of [
      { author: 'desk' },
      { author: 'did:firefly:desk' },
      { key },
      { key: key.slice(2) },
      { author: 'desk', key },
    ]) {
      for (const [path, body] of [
        ['messages/broadcast', message(signer)],
        ['messages/private', { ...message(signer), group }],
        ['messages/requestreply', { ...message({ ...signer, tag: 'ask' }), group }],
        ['broadcast/datatype', { name: `of-${Object.keys(signer).join('-')}`, ...schema, ...signer }],
        ['tokens/mint', { pool: 'none', amount: '1', message: message(signer) }],
      ] as const) {
        const refused = await ask(`/api/v1/namespaces/blue/${path}`, 'trusted', 'POST', body);
        expect([path, refused.status, refused.text]).toEqual([path, 403, expect.stringContaining(`key:${key}`)]);
      }
      const path = '/api/v1/namespaces/blue/messages/broadcast?confirm=true';
      for (const name of ['signer', 'owner']) {
        expect((await ask(path, name, 'POST', message(signer))).status).toBe(200);
      }
    }
    for (const signer of [{}, { author: 'alice' }, { author: 'did:parley:org/alice' }]) {
      const sent = await ask('/api/v1/namespaces/blue/messages/broadcast', 'limited', 'POST', message(signer));
      expect(sent.status).toBe(202);
    }
    const stranger = await ask(
      '/api/v1/namespaces/blue/messages/broadcast',
      'limited',
      'POST',
      message({ author: 'eve' }),
    );
    expect([stranger.status, stranger.text]).toEqual([400, expect.stringContaining('FF10277')]);
  });

  it('is retried only by a credential that may have started it', async () => {
    const types = ['blockchain_invoke', 'blockchain_deploy', 'token_create_pool', 'token_approval'] as const;
    const signer = '0x1';
    const subject = { namespace: 'blue', tx: id, batch: '', batchHash: '', signer };
    const failed = types.map((type, index) => {
      const row = {
        id: id.replace('3f', `4${index}`),
        type,
        lane: callLane(signer),
        created: '2026-01-15T10:00:00.000Z',
        subject,
      };
      return { ...newOperation({ ...row, input: {}, connector: 'erc1155' }), status: 'Failed' as const };
    });
    await network.node.database.transaction((unit) => unit.insert('operations', failed));
    for (const { id: operation } of failed) {
      const { status, text } = await ask(`/api/v1/namespaces/blue/operations/${operation}/retry`, 'limited', 'POST');
      expect([status, text]).toEqual([403, expect.stringMatching(/FF00170: .*grants/)]);
    }
  });

  it('is not retried with another key of the wallet, nor are its messages, without a grant for it', async () => {
    const { database, spareKey } = network.node;
    const [pin, invoke] = [id.replace('3f', '50'), id.replace('3f', '51')];
    const failed = { namespace: 'blue', status: 'Failed' } as const;
    const parent = { parentType: 'contract_invoke', parentId: 'its-transaction' } as const;
    await database.transaction(async (unit) => {
      await unit.insert('operations', [
        anOperation({ ...failed, id: pin, type: 'blockchain_pin_batch', signer: spareKey }),
        anOperation({ ...failed, id: invoke, type: 'blockchain_invoke', signer: ownKey, tx: parent.parentId }),
      ]);
      await unit.insert('messages', [
        aMessage({ namespace: 'blue', id: 'm', key: spareKey, state: 'cancelled', ...parent }),
      ]);
    });
    for (const operation of [pin, invoke]) {
      const path = `/api/v1/namespaces/blue/operations/${operation}/retry`;
      const refused = await ask(path, 'trusted', 'POST');
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining(`key:${spareKey}`)]);
      // Its batch is not here, nor is the data of its message.
      for (const name of ['signer', 'owner']) {
        const { status, text } = await ask(path, name, 'POST');
        expect([status, text]).toEqual([409, expect.stringContaining('PY1301')]);
      }
    }
  });

  it('does not publish a pool of another identity of the wallet without a grant for its key', async () => {
    const { database, spareKey } = network.node;
    if (!(await database.has('keys', { key: spareKey }))) {
      await ask('/api/v1/namespaces/blue/identities?confirm=true', 'owner', 'POST', { name: 'desk', key: spareKey });
    }
    const local = { namespace: 'blue', published: false, message: null, networkName: null };
    const pools = [aPool(1, { ...local, key: spareKey }), aPool(2, { ...local, key: ownKey })];
    await database.transaction((unit) => unit.insert('pools', pools));
    const publish = (pool: string, name: string) =>
      ask(`/api/v1/namespaces/blue/tokens/pools/${pool}/publish`, name, 'POST');
    const refused = await publish('pool-1', 'trusted');
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining(`key:${spareKey}`)]);
    expect((await publish('pool-1', 'signer')).status).toBe(202);
    expect((await publish('pool-2', 'limited')).status).toBe(202);
  });
});
