import { describe, expect, it } from 'vitest';
import { noMessage } from '../../../ui/src/actions/attached-message.js';
import {
  approvalAction,
  judgeOperation,
  operationAction,
  type OperationFields,
} from '../../../ui/src/pages/tokens/forms/requests.js';
import { judgePool, poolAction, type PoolFields } from '../../../ui/src/pages/tokens/forms/pool-request.js';

const large = '12345678901234567890';

function fields(change: Partial<OperationFields> = {}): OperationFields {
  const empty = { to: '', from: '', tokenIndex: '', uri: '', key: '', idempotencyKey: '', ...noMessage };
  return { pool: 'coins', amount: large, ...empty, ...change };
}

function aPool(change: Partial<PoolFields> = {}): PoolFields {
  const empty = {
    symbol: '',
    connector: '',
    address: '',
    interfaceId: '',
    methods: '',
    networkName: '',
    key: '',
    idempotencyKey: '',
  };
  return { name: 'coins', type: 'fungible', publish: 'yes', ...empty, ...change };
}

describe('the form of a token operation', () => {
  it('sends the exact amount, and no empty fields', () => {
    expect(operationAction('mint', fields())).toEqual({
      method: 'POST',
      path: 'tokens/mint',
      body: `{"pool":"coins","amount":"${large}"}`,
      cli: ['mint', large, '--pool', 'coins'],
      sdk: { method: 'mintTokens' },
    });
  });

  it('sends the exact text of a message, to all or to the chosen readers', () => {
    const message = '{"b": 1.0, "a": 2}';
    const sent = fields({ to: 'bob', message, tag: 'help', readers: 'bob,carol' });
    const { body, cli } = operationAction('transfer', sent);
    const group = '"group":{"members":[{"identity":"bob"},{"identity":"carol"}]}';
    const header = '"header":{"type":"transfer_private","tag":"help"}';
    expect(body).toBe(
      `{"pool":"coins","amount":"${large}","to":"bob",` +
        `"message":{${header},${group},"data":[{"value":{"b":1.0,"a":2}}]}}`,
    );
    expect(cli).toEqual([
      'transfer',
      large,
      '--pool',
      'coins',
      '--to',
      'bob',
      '--message',
      '{"b":1.0,"a":2}',
      '--message-to',
      'bob,carol',
      '--tag',
      'help',
    ]);
    expect(operationAction('burn', fields({ message: 'just words' })).body).toContain(
      '"message":{"data":[{"value":"just words"}]}',
    );
  });

  it('sends data by its id, for which the command has no option', () => {
    const dataId = '5f0b1b9e-6c1c-4d5e-9d6f-0a1b2c3d4e5f';
    const { body, cli } = operationAction('mint', fields({ message: '1', dataId, topics: 'a' }));
    expect(body).toContain(`"message":{"header":{"topics":["a"]},"data":[{"value":1},{"id":"${dataId}"}]}`);
    expect(cli).toBeUndefined();
    expect(judgeOperation('mint', fields({ dataId: '7' }), false)).toHaveProperty('dataId');
  });

  it('reports missing and invalid fields, and does not take broken JSON for text', () => {
    expect(judgeOperation('mint', fields(), false)).toEqual({});
    const bad = fields({ amount: '1.5', message: '{"a"}' });
    expect(Object.keys(judgeOperation('transfer', bad, false))).toEqual(['amount', 'to', 'message']);
    expect(Object.keys(judgeOperation('burn', fields({ amount: '1' }), true))).toEqual(['tokenIndex']);
  });
});

describe('the form of a pool', () => {
  it('requires a connector only if there are several, and may leave a pool unpublished', () => {
    const { query, cli, sdk } = poolAction(aPool({ publish: 'no', symbol: 'CN' }));
    expect(query).toEqual({ publish: 'false' });
    expect(cli).toEqual(['pool', 'create', 'coins', '--type', 'fungible', '--symbol', 'CN', '--no-publish']);
    expect(sdk?.arguments?.[1]).toBe('{"publish":false}');
    expect(judgePool(aPool(), 1)).toEqual({});
    expect(Object.keys(judgePool(aPool({ name: '<b>', address: '0x1' }), 2))).toEqual(['name', 'connector', 'address']);
  });
});

it('the form of a pool names the methods of a contract, for which the command has no option', () => {
  const methods = '{"mint": "issue"}';
  const address = `0x${'ab'.repeat(20)}`;
  const { body, cli } = poolAction(aPool({ address, methods, interfaceId: 'i', networkName: 'shared' }));
  expect(body).toBe(
    `{"name":"coins","type":"fungible","config":{"address":"${address}","methods":{"mint":"issue"}},` +
      '"interface":{"id":"i"},"networkName":"shared"}',
  );
  expect(cli).toBeUndefined();
  expect(judgePool(aPool({ methods: '[1]' }), 1)).toHaveProperty('methods');
});

it('the form of an approval sends a boolean and a message', () => {
  const approval = { pool: 'coins', operator: 'bob', approved: 'no', key: '', idempotencyKey: '', ...noMessage };
  expect(approvalAction(approval).body).toBe('{"pool":"coins","operator":"bob","approved":false}');
  expect(approvalAction({ ...approval, message: '1', readers: 'bob' }).body).toContain(
    '"message":{"header":{"type":"approval_private"},"group":{"members":[{"identity":"bob"}]},"data":[{"value":1}]}',
  );
});
