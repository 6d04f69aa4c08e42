import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { escrow } from '../../support/escrow.js';
import { byCommand, createStackCli } from '../../e2e/fixtures/stack-cli.js';

/** Tokens from the shell, in a stack whose definition has pools and opening balances. */
const cli = createStackCli('tokens');
beforeAll(cli.start);
afterAll(cli.remove);

const { ok, okJson, ends } = cli;

/** Returns a key's balance in a pool, as a party reports it. */
async function balance(pool: string, key: string, party: string): Promise<string> {
  return ok('balances', '--pool', pool, '--key', key, '-p', party, '-q');
}

test('a start creates the pools of the definition with their balances, and another start nothing more', async () => {
  const before = await okJson('pool', 'list', '-p', 'carol');
  expect(before).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        name: 'coins',
        active: true,
        stack: expect.objectContaining({ supply: '3000', holders: 3 }),
      }),
      expect.objectContaining({
        name: 'deeds',
        connector: 'erc20_erc721',
        stack: expect.objectContaining({ supply: '3' }),
      }),
    ]),
  );
  await ok('restart', 'dev', '-q');
  expect(await okJson('pool', 'list', '-p', 'carol')).toEqual(before);
});

test('a mint with a private message is recorded everywhere, and only its recipient has the message', async () => {
  const message = ['--message', '{"for":"your help"}', '--message-to', 'bob', '--tag', 'grant'];
  const minted = await okJson('mint', '100', '--pool', 'coins', '--to', 'bob', '--wait', 'all', ...message);
  expect(minted).toMatchObject({
    type: 'mint',
    amount: '100',
    stack: { parties: { alice: { state: 'confirmed' }, bob: {}, carol: {} } },
  });
  expect(await balance('coins', 'bob', 'carol')).toBe('1100');
  const id = (minted as { readonly message: string }).message;
  expect(await okJson('messages', 'data', id, '-p', 'bob')).toMatchObject([{ value: { for: 'your help' } }]);
  expect(await ends('messages', 'data', id, '-p', 'carol')).toMatchObject({ code: 3 });
  const [seen] = (await okJson('transfers', '--message', id, '-p', 'bob')) as readonly { readonly localId: string }[];
  expect(await ok('transfers', 'get', seen?.localId ?? '', '-p', 'bob')).toContain('your help');
});

test('the transfer id printed at one party is found at another, which names its own id', async () => {
  const id = await ok('mint', '1', '--pool', 'coins', '--to', 'bob', '--wait', 'all', '-q');
  const there = await cli.run(['transfers', 'get', id, '-p', 'bob']);
  expect(there).toMatchObject({ code: 0, err: expect.stringContaining(`${id} is the id at alice`) });
  const [, own = ''] = /at bob the transfer has the id (\S+)\.\n/.exec(there.err) ?? [];
  expect(await okJson('transfers', 'get', id.slice(0, 13), '-p', 'bob')).toEqual(
    await okJson('transfers', 'get', own, '-p', 'bob'),
  );
  expect(await ends('transfers', 'get', '00000000-0000-4000-8000-000000000000')).toMatchObject({ code: 3 });
});

test('balances without a token index are only those of fungible pools', async () => {
  const named = async (filter: string) => {
    const found = (await okJson('balances', '--filter', filter)) as readonly { readonly tokenIndex?: string }[];
    return found.map(({ tokenIndex }) => tokenIndex !== undefined);
  };
  expect(new Set(await named('tokenindex=?'))).toEqual(new Set([false]));
  expect(new Set(await named('tokenindex=!?'))).toEqual(new Set([true]));
});

test('tokens are transferred by their index, and burned', async () => {
  const [deed] = (await okJson('balances', '--pool', 'deeds', '--key', 'alice')) as readonly {
    readonly tokenIndex: string;
  }[];
  const index = ['--pool', 'deeds', '--token-index', deed?.tokenIndex ?? ''];
  expect(await ok('transfer', '1', '--to', 'carol', '--wait', 'all', ...index)).toContain(
    `deeds #${deed?.tokenIndex ?? ''} → carol`,
  );
  await ok('burn', '1', '-p', 'carol', '--wait', 'all', ...index);
  expect(await balance('deeds', 'carol', 'bob')).toBe('1');
  expect(await ok('burn', '5', '--pool', 'coins', '-p', 'carol', '-q')).toMatch(/^[0-9a-f-]{36}$/);
});

test('a pool is created, idempotently minted, and listed with the names of its holders', async () => {
  await ok('pool', 'create', 'gold', '--type', 'fungible', '--connector', 'erc20_erc721', '--wait', 'all', '-p', 'bob');
  const mint = ['mint', '7', '--pool', 'gold', '--to', 'carol', '-p', 'bob', '--idempotent', 'once'];
  await ok(...mint, '--wait', 'all');
  expect(await okJson(...mint)).toMatchObject({ amount: '7', stack: { duplicate: true } });
  expect(await ok('pool', 'get', 'gold', '-p', 'alice')).toMatch(/holders +1\n +carol +7$/);
});

test('a refusal of the contract or the node is shown with its reason, and nothing waits', async () => {
  expect(await ends('mint', '1', '--pool', 'coins', '-p', 'bob')).toMatchObject({
    code: 7,
    said: expect.stringMatching(/NotCreator.*\n.*Nothing has changed.*-p PARTY/),
  });
  expect(await ends('transfer', '5000', '--pool', 'coins', '--to', 'bob', '--message', 'too much')).toMatchObject({
    code: 7,
    said: expect.stringContaining('ERC1155InsufficientBalance'),
  });
  expect(await ends('mint', '1')).toMatchObject({
    code: 2,
    said: expect.stringMatching(/--pool is required: .*coins/),
  });
  expect(await ends('mint', '1', '--pool', 'coin')).toMatchObject({
    code: 3,
    said: expect.stringContaining('"coins"'),
  });
  expect(await ends('transfer', '1', '--pool', 'coins', '--to', 'carl')).toMatchObject({
    code: 3,
    said: expect.stringContaining('did you mean "carol"'),
  });
  expect(await ends('mint', '1.5', '--pool', 'coins')).toMatchObject({ code: 2 });
  await ok('wait', '--for', 'idle', '--timeout', '60s');
});

test('a stack is not idle while a mint is in progress', async () => {
  await ok('chain', 'pause', '-q');
  await ok('mint', '2', '--pool', 'coins', '--to', 'bob', '--wait', 'none', '-q');
  expect(await ends('wait', '--for', 'idle', '--timeout', '1s')).toMatchObject({
    code: 5,
    said: expect.stringContaining('1 operation under way'),
  });
  await ok('chain', 'resume', '-q');
  await ok('wait', '--for', 'idle', '--timeout', '60s');
  expect(await balance('coins', 'bob', 'carol')).toBe('1103');
});

test("the chain shows its blocks and accounts, and a user's contract is deployed", async () => {
  const file = join(cli.directory, 'Escrow.json');
  writeFileSync(file, JSON.stringify(escrow()));
  const address = await ok('chain', 'deploy', file, 'carol', '12345678901234567890', '-p', 'bob', '-q');
  expect(address).toMatch(/^0x[0-9a-f]{40}$/);
  expect(await ends('chain', 'deploy', file)).toMatchObject({
    code: 2,
    said: expect.stringContaining('(address keeper_, uint256 least_)'),
  });
  const events = await ok('chain', 'blocks', '-n', '1000', '--columns', 'events');
  const told = ['mint 100 → bob', 'pin by alice, 1 context', 'mint 7 → carol', 'reverted, by bob'];
  for (const line of told) expect(events).toContain(line);
  expect(await okJson('chain', 'accounts')).toMatchObject({
    accounts: expect.arrayContaining([expect.objectContaining({ owner: 'carol', kind: 'member' })]),
  });
  expect(Number(await ok('chain', 'info', '-q'))).toBeGreaterThan(10);
});

test('a contract is shared, called, queried and listened to, with names of parties for addresses', async () => {
  const file = join(cli.directory, 'Deals.json');
  writeFileSync(file, JSON.stringify(escrow()));
  const address = await ok('chain', 'deploy', file, 'carol', '5', '-q');
  const define = ['contract', 'define', file, '--name', 'deals', '--address', address];
  expect(await ok(...define, '--wait', 'all')).toMatch(/deals@1\.0 \(\d methods, 2 events\) usable at 3\/3 parties/);
  expect(await ok(...define, '-p', 'bob')).toContain('usable at bob');
  const elsewhere = ['contract', 'define', file, '--name', 'deals', '--address', `0x${'1'.repeat(40)}`];
  expect(await ends(...elsewhere)).toMatchObject({ code: 10 });
  await ok('contract', 'listen', 'deals', 'Opened', '--topic', 'deals', '-p', 'carol', '-q');
  expect(await ok('contract', 'call', 'deals', 'open', 'carol', '--value', '7', '-p', 'bob')).toMatch(
    /^deals\.open done · tx 0x[0-9a-f]{64}$/,
  );
  expect(await okJson('contract', 'query', 'deals', 'count', '-p', 'carol')).toEqual({ output: '1' });
  expect(await okJson('contract', 'query', 'deals', 'find', '1')).toMatchObject({ deal: { amount: '7' } });
  const heard = ['events', 'list', '--type', 'blockchain_event_received', '--topic', 'deals', '-p', 'carol', '-q'];
  await expect.poll(() => ok(...heard), byCommand).toMatch(/^[0-9a-f-]{36}$/);
});

test('a contract that refuses gives its reason, and an unknown method name lists the known ones', async () => {
  expect(await ends('contract', 'call', 'deals', 'release', '9')).toMatchObject({
    code: 7,
    said: expect.stringMatching(/DealUnknown\(9\)[^]*would refuse the same operation again/),
  });
  expect(await ends('contract', 'query', 'deals', 'cuont')).toMatchObject({
    code: 3,
    said: expect.stringContaining('"count"'),
  });
  expect(await ends('contract', 'query', 'deals', 'find')).toMatchObject({
    code: 2,
    said: expect.stringContaining('find takes (uint256 number), not 0 arguments.'),
  });
  expect(await ends('contract', 'listen', 'deals', 'Opend')).toMatchObject({ code: 3 });
  expect(await ends('contract', 'call', 'daels', 'open')).toMatchObject({
    code: 3,
    said: expect.stringContaining('There is no contract API "daels" — did you mean "deals"?'),
  });
});

test('an approved account moves the tokens of another until the approval is revoked', async () => {
  const move = ['transfer', '2', '--pool', 'coins', '--from', 'alice', '--to', 'carol', '-p', 'bob'];
  expect(await ends(...move)).toMatchObject({ code: 7 });
  expect(await ok('pool', 'approve', 'bob', '--pool', 'coins')).toBe('bob may move the coins of alice');
  await ok(...move, '-q');
  expect(await okJson('pool', 'approve', 'bob', '--pool', 'coins', '--revoke')).toMatchObject({ approved: false });
  expect(await ends(...move)).toMatchObject({ code: 7 });
  expect(await ends('pool', 'approve', 'bbo', '--pool', 'coins')).toMatchObject({ code: 3 });
});

test('a pool that a start could not create is corrected or removed, and an existing one stays', async () => {
  const file = join(cli.directory, 'home', 'stacks', 'dev', 'stack.yaml');
  const before = readFileSync(file, 'utf8');
  const addPool = (pool: string) => {
    writeFileSync(file, before.replace(/^( +- )\{name: coins/m, `$1{name: ${pool}}\n$&`));
  };
  await ok('pool', 'create', 'titles', '--type', 'fungible', '--connector', 'erc1155', '-q');
  const other = 'titles, type: nonfungible, balances: {all: 1}';
  addPool(other);
  expect(await ends('start', 'dev')).toMatchObject({
    code: 8,
    said: expect.stringContaining('a pool titles already, and it is fungible'),
  });
  writeFileSync(file, before);
  await ok('start', 'dev', '-q');
  addPool(other);
  expect(await ends('start', 'dev')).toMatchObject({ code: 8 });
  addPool('titles, type: fungible, balances: {bob: 3}');
  await ok('start', 'dev', '-q');
  expect(await balance('titles', 'bob', 'carol')).toBe('3');
  writeFileSync(file, before);
  expect(await ends('start', 'dev')).toMatchObject({ code: 10, said: expect.stringContaining('the pool titles') });
});
