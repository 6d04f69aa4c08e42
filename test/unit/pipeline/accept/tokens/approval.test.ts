import { describe, expect, it } from 'vitest';
import { compact } from '../../../../../src/wire/json/json-reader.js';
import type { ApprovalRequest } from '../../../../../src/wire/token.js';
import { codeOfAsync } from '../../../../support/codes.js';
import { uuid } from '../../../../support/fixtures.js';
import { rowsOf } from '../../../../support/pipelines-check.js';
import { keyOf } from '../../../../support/registry.js';
import { aPool, aTokenScene } from './a-token-scene.js';

const message = { data: [{ value: compact('1') }], group: { members: [{ identity: 'bob' }] } };

describe('an approval', () => {
  it('is answered as requested, and is approved by default', async () => {
    const { acceptApproval } = await aTokenScene();
    const { record } = await acceptApproval('default', { operator: 'bob' });
    expect(record).toEqual({
      localId: expect.any(String),
      pool: uuid(1),
      connector: 'erc1155',
      key: keyOf(1),
      operator: keyOf(2),
      approved: true,
      namespace: 'default',
      tx: { type: 'token_approval', id: expect.any(String) },
    });
  });

  it('is stored as an operation with a staged message of the type for approvals', async () => {
    const { acceptApproval, database } = await aTokenScene();
    const { record } = await acceptApproval('default', { operator: 'bob', approved: false, message });
    const { message: id, messageHash: hash, tx } = record;
    expect(await rowsOf(database, 'messages')).toMatchObject([{ type: 'approval_private', state: 'staged' }]);
    const [operation] = await rowsOf(database, 'operations');
    expect(operation).toMatchObject({ type: 'token_approval', input: { operator: keyOf(2), approved: false } });
    expect(operation?.input['data']).toBe(
      `{"tx":"${tx?.id}","txtype":"token_approval","message":"${id}","messageHash":"${hash}"}`,
    );
  });

  it.each<[string, ApprovalRequest]>([
    ['FF00112', {}],
    ['FF10141', { operator: '' }],
    ['FF10277', { operator: 'nobody' }],
    ['FF10206', { operator: 'bob', key: keyOf(2) }],
    ['FF10109', { operator: 'bob', pool: 'none' }],
    ['FF10287', { operator: 'bob', message: { ...message, header: { type: 'transfer_private' } } }],
    ['FF00135', { operator: 'bob', idempotencyKey: 'x'.repeat(257) }],
    ['PY1011', { operator: 'bob', config: compact('5') }],
  ])('is refused with %s for %j, and stores nothing', async (code, request) => {
    const { acceptApproval, counts } = await aTokenScene();
    expect(await codeOfAsync(() => acceptApproval('default', request))).toBe(code);
    expect(await counts()).toEqual([0, 0, 0, 0, 0]);
  });

  it('is refused in a pool that is not active', async () => {
    const { acceptApproval } = await aTokenScene([aPool(1, { active: false, state: 'creating', locator: null })]);
    expect(await codeOfAsync(() => acceptApproval('default', { operator: 'bob' }))).toBe('FF10293');
  });
});
