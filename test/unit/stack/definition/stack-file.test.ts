import { describe, expect, test } from 'vitest';
import { StackError } from '../../../../src/stack/error.js';
import { parseStackFile, readStackFile } from '../../../../src/stack/definition/stack-file.js';
import { InvalidFile } from '../../../../src/stack/definition/yaml-text.js';
import type { UserDefaults } from '../../../../src/stack/definition/user-defaults.js';
import { connectorNames } from '../../../../src/wire/tokens/connector.js';
import { aDefinition } from '../fixtures/place.js';

function refusal(text: string): StackError {
  try {
    parseStackFile(text, 'stack.yaml');
  } catch (error) {
    if (error instanceof StackError) return error;
    throw error;
  }
  throw new Error('The definition was accepted.');
}

describe('The hint of a file with several problems', () => {
  test.each([
    ['/a/stack.yaml', 'See all of them: stack config validate /a/stack.yaml'],
    ['/my home/config.yaml', "See all of them: stack config validate '/my home/config.yaml'"],
    // There is no such command for other files.
    ['seed/first.yaml', undefined],
  ])('is a command for %s', (file, hint) => {
    const problem = { line: 1, column: 1, message: 'It is wrong.' };
    expect(new InvalidFile(file, [problem, problem]).hint).toBe(hint);
    expect(new InvalidFile(file, [problem]).hint).toBeUndefined();
  });
});

describe('A definition', () => {
  test.each([
    ['an unknown key', 'parties: [alice, alice]', 'bogus: 1', ['3:18', '4:1']],
    ['another wrong party', 'parties: [{name: alice}, {name: 5}, {name: bob, org: alice}]', '', ['3:33', '3:37']],
    ['a missing key', 'parties: [{name: alice, nod: n}, chain, alice]', '', ['3:25', '3:34', '3:41']],
  ])('with two parties of one name and %s is refused for both', (_, parties, line, places) => {
    const { problems } = refusal(`apiVersion: stack/v1\nname: dev\n${parties}\n${line}\n`).details as {
      readonly problems: readonly { readonly line: number; readonly column: number }[];
    };
    const found = new Set(problems.map((problem) => `${problem.line}:${problem.column}`));
    expect([...found]).toEqual(places);
  });

  test('needs only a name and parties; all other settings have defaults', () => {
    expect(parseStackFile(aDefinition(), 'stack.yaml')).toEqual({
      name: 'dev',
      template: 'none',
      copy: '',
      profile: null,
      docker: null,
      bind: '127.0.0.1',
      advertise: null,
      trustedNetwork: false,
      parties: [
        { name: 'alice', organization: 'alice', node: 'alice-node' },
        { name: 'bob', organization: 'bob', node: 'bob-node' },
      ],
      namespaces: ['default'],
      chain: {
        engine: 'hardhat',
        chainId: 31_337,
        genesisTime: '2026-01-01T00:00:00Z',
        mining: 'auto',
        allowRevert: false,
        cors: { origins: [] },
        external: null,
      },
      store: { cors: { origins: [] }, external: null },
      tokens: { connectors: ['erc1155'], pools: [] },
      keys: { source: 'random' },
      accounts: { spare: 5 },
      auth: { enabled: false },
      spi: { enabled: false },
      webhooks: { allow: [] },
      hosts: [],
      cors: { origins: [] },
      ports: { base: 'auto' },
      seed: [],
      hooks: { ready: [], stop: [] },
      restart: { max: 5, windowMs: 60_000 },
      limits: { minFreeDisk: 268_435_456, maxBlobBytes: 68_719_476_736, maxUnpinnedBytes: 68_719_476_736 },
      batch: { maxMessages: 200, maxBytes: 819_200, paceMs: 200 },
      logs: { level: 'info', maxBytes: 20_971_520, maxFiles: 5 },
    });
  });

  test('has separate origins for nodes, chain and store', () => {
    const [mine, theirs] = ['http://localhost:5173', 'http://localhost:8545'];
    const ofNodes = parseStackFile(aDefinition(`cors: {origins: ["${mine}"]}`), 'f');
    expect([ofNodes.cors, ofNodes.chain.cors, ofNodes.store.cors]).toEqual([
      { origins: [mine] },
      { origins: [] },
      { origins: [] },
    ]);
    const others = `chain: {allowRevert: true, cors: {origins: ["${theirs}"]}}\nstore: {cors: {origins: ["${mine}"]}}`;
    const { chain, store, cors } = parseStackFile(aDefinition(others), 'f');
    expect(chain).toMatchObject({ chainId: 31_337, allowRevert: true, cors: { origins: [theirs] } });
    expect([store.cors, cors]).toEqual([{ origins: [mine] }, { origins: [] }]);
  });

  test.each([
    'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn',
    'moz-extension://0f2a7a0e-6d0b-4b5c-9d4f-2f7a1c9e8b11',
  ])('may let the browser extension %s call the chain', (wallet) => {
    const { chain } = parseStackFile(aDefinition(`chain: {cors: {origins: ["${wallet}"]}}`), 'f');
    expect(chain).toMatchObject({ cors: { origins: [wallet] } });
  });

  test('may have pools with balances of parties', () => {
    const pools = '[{name: coins, type: fungible, owner: bob, balances: {all: 10, bob: "90071992547409930"}}]';
    const { tokens } = parseStackFile(
      aDefinition(`tokens: {connectors: [{name: erc20_erc721}], pools: ${pools}}`),
      'f',
    );
    const balances = [
      { party: 'alice', amount: '10' },
      { party: 'bob', amount: '90071992547409930' },
    ];
    const pool = { name: 'coins', type: 'fungible', owner: 'bob', connector: 'erc20_erc721', symbol: undefined };
    expect(tokens).toEqual({ connectors: ['erc20_erc721'], pools: [{ ...pool, balances }] });
  });

  test('may have the maximum balance', () => {
    const most = String(2n ** 256n - 1n);
    const pools = `[{name: coins, type: fungible, balances: {alice: "${most}"}}]`;
    const [pool] = parseStackFile(aDefinition(`tokens: {pools: ${pools}}`), 'f').tokens.pools;
    expect(pool?.balances).toEqual([{ party: 'alice', amount: most }]);
  });

  test('may name the organisation and node of a party', () => {
    const text = 'apiVersion: stack/v1\nname: dev\nparties: [{name: alice, org: Alice.Inc, node: n1}, bob]\n';
    expect(parseStackFile(text, 'stack.yaml').parties[0]).toEqual({
      name: 'alice',
      organization: 'Alice.Inc',
      node: 'n1',
    });
  });

  test('may name the key file of a party, relative to its own directory', () => {
    const parties = '[{name: alice, key: "file:./alice.key"}, {name: bob, key: "file:/keys/bob"}]';
    const text = `apiVersion: stack/v1\nname: dev\nparties: ${parties}\n`;
    const keyFiles = parseStackFile(text, '/project/stack.yaml').parties.map(({ keyFile }) => keyFile);
    expect(keyFiles).toEqual(['/project/alice.key', '/keys/bob']);
  });

  test.each([
    ['tokens: {conectors: []}', 4, 10, 'did you mean "connectors"'],
    ['tokens: {connectors: [{name: erc20}]}', 4, 30, `must be ${connectorNames.join(' or ')}, not "erc20"`],
    ['tokens: {pools: [{name: coins, type: gold}]}', 4, 38, 'must be fungible or nonfungible, not "gold"'],
    ['tokens: {pools: [{name: coins, type: fungible, owner: dave}]}', 4, 55, 'There is no party dave'],
    ['tokens: {pools: [{name: c, type: fungible, balances: {bob: 1.5}}]}', 4, 60, 'must be a whole number from 1'],
    ['tokens: {pools: [{name: c, type: fungible, balances: {bob: "1e3"}}]}', 4, 60, '1e3 is not a whole number'],
    [
      `tokens: {pools: [{name: c, type: fungible, balances: {bob: "${2n ** 256n}"}}]}`,
      4,
      60,
      'more than 2^256 - 1, the maximum balance',
    ],
    ['tokens: {pools: [{name: d, type: nonfungible, balances: {bob: 251}}]}', 4, 63, 'At most 250 tokens'],
    ['tokens: {connectors: [], pools: [{name: c, type: fungible}]}', 4, 34, 'A pool needs a connector'],
    ['auth: {enabled: soon}', 4, 17, 'auth.enabled must be true or false'],
    ['auth: {enable: true}', 4, 8, 'did you mean "enabled"'],
    ['docker: {services: [store]}', 4, 9, 'add runtime: docker'],
    ['chain: {provider: url}', 4, 8, 'needs chain.url'],
    ['chain: {url: http://localhost:8545}', 4, 14, 'add provider: url'],
    ['chain: {provider: url, url: http://h, confirmations: 0}', 4, 54, 'declare chain.final: true'],
    ['chain: {provider: url, url: http://h, mining: auto}', 4, 47, "is for the stack's own chain"],
    ['chain: {provider: url, url: http://h}\nkeys: {source: test}', 5, 16, 'makes published keys'],
    ['chain: {provider: url, url: ftp://h}', 4, 29, 'chain.url must be an address such as'],
    ['chain: {provider: url, url: http://me:pw@h}', 4, 29, 'contains a secret'],
    ['chain: {provider: geth}', 4, 19, 'chain.provider must be hardhat, anvil or url, not "geth"'],
    ['chain: {provider: anvil}\nauth: {enabled: true}', 4, 19, 'cannot be combined with auth'],
    ['chain:\n  mining: manual', 5, 11, 'chain.mining must be auto, or {intervalMs: N}'],
    ['chain:\n  mining: {intervalMs: 5}', 5, 24, 'chain.mining.intervalMs must be milliseconds from 100'],
    ['chain:\n  mining: {intervalMs: 500, jiter: 1}', 5, 29, 'The key jiter is unknown'],
    ['webhooks: {allow: [10.0.0.0/8, "fd00::/129"]}', 4, 32, 'nor a range of addresses such as 10.0.0.0/8'],
    ['webhooks: {allow: [300.0.0.0/8]}', 4, 20, 'nor a range of addresses such as 10.0.0.0/8'],
    ['namespaces: [default, a, a]', 4, 13, 'The namespace a is listed twice'],
    ['store: {provider: ipfs}', 4, 8, 'needs store.api'],
    ['store: {provider: kubo}', 4, 19, 'store.provider must be local or ipfs, not "kubo"'],
    ['store: {api: http://h:5001}', 4, 14, 'add provider: ipfs'],
    ['store: {provider: ipfs, api: http://h:5001/ipfs}', 4, 30, 'without a path'],
    ['store: {provider: ipfs, api: http://h:500001}', 4, 30, 'store.api is not a valid address'],
    ['store: {provider: ipfs, api: http://me:pw@h}', 4, 30, 'contains a secret'],
    ['store: {provider: ipfs, api: http://h, cors: {origins: []}}', 4, 46, "is for the stack's own store"],
    ['database: {provider: postgres}', 4, 11, 'needs database.url'],
    ['database: {url: file:/secret}', 4, 17, 'add provider: postgres'],
    ['database: {provider: postgres, url: postgres://me:pw@h/d}', 4, 37, 'contains a secret'],
    ['database: {provider: postgres, url: file:/secret, schema: one}', 4, 11, 'would have the same schema one'],
    [
      'database: {provider: postgres, url: file:/secret, schema: pg_one}',
      4,
      11,
      'begins with pg_, which PostgreSQL reserves',
    ],
    ['database: {provider: postgres, url: file:/secret, schema: ONE}', 4, 59, 'a name of a-z 0-9 _ -'],
    ['seed: a.yaml', 4, 7, 'seed must be a list of seed files, not "a.yaml"'],
    ['hooks: {redy: [ls]}', 4, 9, 'did you mean "ready"'],
    ['hooks: {stop: [5]}', 4, 16, 'hooks.stop.0 must be a command line, not 5'],
    ['batch: {maxMessages: 201}', 4, 22, 'batch.maxMessages must be a whole number from 1 to 200, not 201'],
    ['portz: {base: 1}', 4, 1, 'did you mean "ports"'],
    ['logs: {levle: info}', 4, 8, 'did you mean "level"'],
    ['logs: {level: loud}', 4, 15, 'logs.level must be debug, info, warn or error, not "loud"'],
    ['restart: {max: -1}', 4, 16, 'restart.max must be a whole number from 0 to 1000, not -1'],
    ['ports: {base: soon}', 4, 15, 'ports.base must be auto, os or a port'],
    ['cors: {origins: ["*"]}', 4, 18, 'must be an origin such as'],
    ['cors: {origins: ["file://x"]}', 4, 18, 'must be an origin such as'],
    ['cors: {origins: ["chrome-extension://*"]}', 4, 18, 'must be an origin such as'],
    ['namespaces: [svc_mine]', 4, 13, 'Names that begin with svc_ are reserved'],
    ['name: other', 4, 1, 'Map keys must be unique'],
    ['restart: &x {max: 1}\nlogs: *x', 5, 7, 'Aliases are not allowed: replace *x by its value'],
  ])('with %j is refused at line %i, column %i', (line, atLine, column, message) => {
    const error = refusal(aDefinition(line));
    expect(error.code).toBe('STACK_FILE_INVALID');
    expect(error.message).toContain(message);
    expect(error.details['problems']).toContainEqual(expect.objectContaining({ line: atLine, column }));
  });

  test('with a name that gives reserved schemas in PostgreSQL is refused with one problem', () => {
    const database = 'database: {provider: postgres, url: file:/secret}';
    const { details } = refusal(`apiVersion: stack/v1\nname: pg\nparties: [alice, bob, carol]\n${database}`);
    expect(details['problems']).toHaveLength(1);
  });

  test.each([
    ['name: dev\nparties: [alice]', 'The key apiVersion is missing'],
    ['apiVersion: stack/v2\nname: dev\nparties: [alice]', 'apiVersion must be "stack/v1", not "stack/v2"'],
    ['apiVersion: stack/v1\nname: dev\nparties: []', 'parties must be a list of 1 to 40 parties'],
    ['apiVersion: stack/v1\nname: dev\nparties: [alice, alice]', 'Two parties have the name alice'],
    ['apiVersion: stack/v1\nname: dev\nparties: [chain]', 'A party cannot be called chain'],
    ['apiVersion: stack/v1\nname: dev\nparties: [Alice]', 'parties.0 must be a name'],
    [
      'apiVersion: stack/v1\nname: dev\nparties: [{name: alice, external: maybe}]',
      '3:35: parties.0.external must be true',
    ],
    [
      'apiVersion: stack/v1\nname: dev\nparties: [{name: alice, org: 5}]',
      '3:30: parties.0.org must be an organisation',
    ],
    ['apiVersion: stack/v1\nname: dev\nparties: [bob, {node: n1}]', 'The key parties.1.name is missing'],
    ['apiVersion: stack/v1\nname: dev\nparties: [5]', 'parties.0 must be a name of a-z 0-9 - that begins'],
    ['apiVersion: stack/v1\nname: dev\nparties: [{name: a, database: {urll: "file:x"}}]', 'did you mean "url"'],
    ['apiVersion: stack/v1\nname: dev\nparties: [{name: alice, key: "file:k", nod: n1}]', 'The key nod is unknown'],
    ['apiVersion: stack/v1\nname: dev\nparties: [{name: alice, nod: n1}]', 'did you mean "node"'],
    ['apiVersion: stack/v1\nname: ../dev\nparties: [alice]', 'name must be'],
    ['just text', 'The file must be a mapping of settings'],
    ['', 'The file must be a mapping of settings'],
    ['a: [', 'Flow sequence'],
  ])('that reads %j is refused', (text, message) => {
    expect(refusal(text).message).toContain(message);
  });

  test('is refused with all of its problems, in the order of lines', () => {
    const { details } = refusal(aDefinition('portz: 1', 'logs: {levle: x}', 'bind: 5'));
    expect(details['problems']).toMatchObject([{ line: 4 }, { line: 5, column: 8 }, { line: 6 }]);
  });

  test.each(['a1'.repeat(32), `0x${'b2'.repeat(32)}`, 'postgres://parley:open@db/dev'])(
    'with the secret %s is refused without repeating it',
    (secret) => {
      const error = refusal(aDefinition(`logs: {level: "${secret}"}`, `bind: ["${secret}"]`));
      expect(JSON.stringify([error.message, error.details])).not.toContain(secret);
      expect(error.message).toContain('logs.level contains a secret');
    },
  );

  test('may have an address without quotes; a key without quotes is a secret', () => {
    const address = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
    const chain = `chain: {provider: url, url: 'http://localhost:8545', contracts: {network: ${address}}}`;
    expect(parseStackFile(aDefinition(chain), 'f').chain).toMatchObject({
      external: { contracts: { network: address } },
    });
    expect(refusal(aDefinition(`logs: {level: 0x${'b2'.repeat(32)}}`)).message).toContain(
      'logs.level contains a secret',
    );
  });

  test('overrides the defaults of the user, which override the built-in ones', () => {
    const user: UserDefaults = { logs: { level: 'debug', maxFiles: 7 }, cors: { origins: ['http://localhost:1'] } };
    const { logs, cors } = parseStackFile(aDefinition('logs: {level: warn}'), 'stack.yaml', user);
    expect(logs).toEqual({ level: 'warn', maxBytes: 20_971_520, maxFiles: 7 });
    expect(cors.origins).toEqual(['http://localhost:1']);
  });

  test('may set the interval of blocks and the size of batches', () => {
    const { chain, batch } = parseStackFile(
      aDefinition('chain: {mining: {intervalMs: 500}}', 'batch: {maxMessages: 2}'),
      'f',
    );
    expect([chain.mining, batch]).toEqual([{ intervalMs: 500 }, { maxMessages: 2, maxBytes: 819_200, paceMs: 200 }]);
  });

  test.each(['0.0.0.0', '::', '192.168.1.5'])('that binds to %s needs auth', (bind) => {
    const error = refusal(aDefinition(`bind: "${bind}"`));
    expect([error.code, error.exitCode]).toEqual(['BIND_REFUSED', 2]);
    expect(error.message).toContain('stack.yaml:4:7: ');
    expect(error.hint).toContain('auth: {enabled: true} into ');
    expect(parseStackFile(aDefinition(`bind: "${bind}"`, 'auth: {enabled: true}'), 'stack.yaml').bind).toBe(bind);
  });

  test('that binds beyond loopback is refused with published keys', () => {
    const error = refusal(aDefinition('bind: 0.0.0.0', 'auth: {enabled: true}', 'keys: {source: test}'));
    expect([error.code, error.details['reason']]).toEqual(['BIND_REFUSED', 'keys']);
  });

  test('may name a certificate for all nodes, and another one for a party', () => {
    const tls = 'tls: {cert: "file:node.crt", key: "file:/keys/node.key"}';
    const own = '{name: bob, tls: {cert: "file:bob.crt", key: "file:bob.key"}}';
    const { parties } = parseStackFile(aDefinition(tls).replace('bob', own), '/project/stack.yaml');
    expect(parties.map((party) => party.tls)).toEqual([
      { certificateFile: '/project/node.crt', keyFile: '/keys/node.key' },
      { certificateFile: '/project/bob.crt', keyFile: '/project/bob.key' },
    ]);
    expect(refusal(aDefinition('tls: {cert: "file:a.pem"}')).message).toContain('tls.key');
    expect(refusal(aDefinition('tls: {cert: a.pem, key: "file:b"}')).message).toContain('tls.cert must be file:');
  });

  test('that is too large is refused', () => {
    expect(refusal(`${aDefinition()}#${'x'.repeat(300_000)}`).message).toContain('larger than');
  });
});

test('A definition that cannot be read is refused with the reason', async () => {
  await expect(readStackFile('/')).rejects.toMatchObject({
    message: 'The definition / cannot be read: it is a directory.',
  });
});
