import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byCommand, createStackCli } from '../../e2e/fixtures/stack-cli.js';
import { escrow } from '../../support/escrow.js';

/** Flags of contracts, pools and plain requests that no other test uses, each once, with its effect. */
const cli = createStackCli('default');
const { ok, okJson, ends } = cli;

/** The refusal of an idempotency key that was used before. */
const repeated = { code: 7, said: expect.stringContaining('FF10431') as string };

let key: string;
let address: string;
beforeAll(async () => {
  await cli.start();
  writeFileSync(join(cli.directory, 'Escrow.json'), JSON.stringify(escrow()));
  key = await ok('chain', 'accounts', 'create', '--party', 'bob', '-q');
  address = await ok('chain', 'deploy', 'Escrow.json', 'carol', '5', '-p', 'bob', '--from', key, '-q');
});
afterAll(cli.remove);

describe('Flags of contracts', () => {
  test('chain deploy signs only with a key of the party', async () => {
    const deploy = ['chain', 'deploy', 'Escrow.json', 'carol', '5', '-p', 'bob', '--timeout', '1m'];
    expect(await ends(...deploy, '--from', 'alice')).toMatchObject({
      code: 7,
      said: expect.stringContaining('PY1502'),
    });
    expect(await ok(...deploy, '--from', 'bob', '-q')).toMatch(/^0x[0-9a-f]{40}$/);
  });

  test('chain deploy selects one of several contracts in a file', async () => {
    const { abi, bytecode } = escrow();
    const one = { abi, bin: bytecode.replace(/^0x/, '') };
    const file = JSON.stringify({ contracts: { 'a.sol:One': one, 'a.sol:Two': one }, version: '0.8' });
    writeFileSync(join(cli.directory, 'both.json'), file);
    const deploy = ['chain', 'deploy', 'both.json', 'carol', '5', '-q'];
    expect(await ends(...deploy)).toMatchObject({ code: 2, said: expect.stringContaining('--contract') });
    expect(await ok(...deploy, '--contract', 'Two')).toMatch(/^0x[0-9a-f]{40}$/);
  });

  test('contract define selects one of several contracts in the file that was deployed', async () => {
    const define = ['contract', 'define', 'both.json', '--name', 'two'];
    expect(await ends(...define)).toMatchObject({ code: 2, said: expect.stringContaining('--contract') });
    expect(await ok(...define, '--contract', 'a.sol:Two')).toMatch(/^two@1\.0 /);
  });

  test('an interface has a version, and an unpublished one exists only at its party', async () => {
    const define = ['contract', 'define', 'Escrow.json', '--address', address, '-p', 'bob', '--timeout', '1m'];
    expect(await ok(...define, '--name', 'own', '--version', '2.0', '--no-publish')).toMatch(/^own@2\.0 .* at bob /);
    expect(await ends('contract', 'query', 'own', 'count')).toMatchObject({ code: 3 });
    await ok(...define, '--name', 'later', '--no-wait', '-q');
    await expect.poll(async () => (await ends('contract', 'query', 'later', 'count')).code, byCommand).toBe(0);
  });

  test('a call uses a key, once for each idempotency key, and need not be waited for', async () => {
    const call = ['contract', 'call', 'own', 'open', 'carol', '--value', '7', '-p', 'bob', '--key', key];
    await ok(...call, '--idempotent', 'one', '--timeout', '1m', '-q');
    expect(await ends(...call, '--idempotent', 'one')).toMatchObject(repeated);
    await ok(...call, '--no-wait', '-q');
    const count = () => okJson('contract', 'query', 'own', 'count', '-p', 'bob');
    await expect.poll(count, byCommand).toEqual({ output: '2' });
    const found = (await okJson('contract', 'query', 'own', 'find', '1', '-p', 'bob')) as { deal: { buyer: string } };
    expect(found.deal.buyer.toLowerCase()).toBe(key);
  });

  test('a listener has a name, and hears from the given block on', async () => {
    const listen = ['contract', 'listen', 'own', 'Opened', '-p', 'bob', '--topic', 'past', '-q'];
    expect(await ends(...listen, '--first', 'first')).toMatchObject({ code: 2 });
    const id = await ok(...listen, '--name', 'opened', '--first', 'oldest');
    expect(await okJson('api', 'GET', `contracts/listeners/${id}`, '-p', 'bob')).toMatchObject({ name: 'opened' });
    const heard = () => okJson('events', 'list', '--type', 'blockchain_event_received', '--topic', 'past', '-p', 'bob');
    await expect.poll(heard, byCommand).toHaveLength(2);
  });
});

describe('Flags of pools and requests', () => {
  test('a pool has a symbol, may stay at its party, and is created once for an idempotency key', async () => {
    const pool = ['pool', 'create', 'gold', '--type', 'fungible', '--symbol', 'AU', '--no-publish'];
    expect(await okJson(...pool, '--idempotent', 'gold')).toMatchObject({ name: 'gold', symbol: 'AU' });
    expect(await ends('pool', 'get', 'gold', '-p', 'bob')).toMatchObject({ code: 3 });
    const again = ['pool', 'create', 'silver', '--type', 'fungible', '--idempotent', 'gold'];
    expect(await ends(...again)).toMatchObject(repeated);
  });

  test('api sends a body, and a message refers to existing data', async () => {
    expect(await okJson('api', 'POST', 'data', '--data', '{"value":{"a":1.0}}')).toMatchObject({ value: { a: 1 } });
    const id = await ok('data', 'upload', '--value', '{"b":1.0}', '-q');
    const message = await ok('broadcast', '--data-id', id.slice(0, 8), '--wait', 'all', '-q');
    expect(await ok('messages', 'data', message, '-p', 'carol', '--json')).toContain('"value":{"b":1.0}');
  });

  test('a webhook gets the values of a message on request', async () => {
    const hook = ['subs', 'create', 'hook', '--endpoint', 'https://example.com/hook', '--events', '^message_'];
    expect(await okJson(...hook, '--with-data')).toMatchObject({ options: { withData: true } });
    expect(await okJson(...hook, '--replace')).toMatchObject({ options: { withData: false } });
    expect(await ends('subs', 'create', 'socket', '--with-data')).toMatchObject({ code: 2 });
  });
});
