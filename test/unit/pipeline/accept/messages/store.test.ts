import { describe, expect, it } from 'vitest';
import { textOf } from '../../../../../src/wire/json/json.js';
import type { PrivateRequest } from '../../../../../src/wire/messages/message.js';
import { codeOfAsync } from '../../../../support/codes.js';
import { rowsOf } from '../../../../support/pipelines-check.js';
import { flush } from '../../event-loop.js';
import { anAcceptance, member, own } from './acceptance.js';

const request: PrivateRequest = {
  header: { txtype: 'none', topics: ['orders'] },
  group: { members: [{ identity: 'bob' }, { identity: 'carol' }] },
  data: [{ value: textOf(17) }],
};

describe('an unpinned message', () => {
  it('is confirmed when it is accepted, with its transaction and its event', async () => {
    const { acceptPrivate, rows, database } = await anAcceptance();
    const answer = await acceptPrivate('default', request);
    const [[row]] = await rows();
    expect(answer).toMatchObject({
      header: { txtype: 'none' },
      state: 'confirmed',
      confirmed: answer.header.created,
      txid: row?.txid,
    });
    expect([answer.batch, answer.pins]).toEqual([undefined, undefined]);
    expect(await rowsOf(database, 'transactions')).toMatchObject([{ id: row?.txid, type: 'none' }]);
    expect(await rowsOf(database, 'events')).toMatchObject([
      { type: 'transaction_submitted', reference: row?.txid, topic: 'none' },
      {
        type: 'message_confirmed',
        reference: row?.id,
        referenceHash: row?.hash,
        tx: row?.txid,
        topic: 'orders',
        topics: ['orders'],
      },
    ]);
    expect(await rowsOf(database, 'batches')).toEqual([]);
    expect(await rowsOf(database, 'nonces')).toEqual([]);
  });

  it('puts one envelope for each other member into the outbox', async () => {
    const { acceptPrivate, rows, database } = await anAcceptance();
    await acceptPrivate('default', request);
    const [[row]] = await rows();
    const [group] = await rowsOf(database, 'groups');
    expect(group?.members).toContainEqual({ identity: own.did, node: member('alice').node });
    const input = { group: group?.hash, message: row?.id, hash: row?.hash };
    const peers = [member('bob'), member('carol')].map(({ node }) => node);
    expect(await rowsOf(database, 'operations')).toMatchObject(
      peers.map((peer) => ({
        type: 'dataexchange_send_batch',
        lane: `peer:${peer}`,
        tx: row?.txid,
        batch: '',
        input: { peer, ...input },
      })),
    );
  });

  it('may have the txtype "unpinned", which is shown as "none"', async () => {
    const { acceptPrivate } = await anAcceptance();
    const answer = await acceptPrivate('default', { ...request, header: { txtype: 'unpinned' } });
    expect(answer).toMatchObject({ header: { txtype: 'none' }, state: 'confirmed' });
  });

  it('rings the bells of events and operations', async () => {
    const { acceptPrivate, bus } = await anAcceptance();
    const rung: string[] = [];
    for (const bell of ['events', 'operations', 'messages'] as const) {
      void bus
        .listen(bell)
        .wait(new AbortController().signal)
        .then(() => rung.push(bell));
    }
    await acceptPrivate('default', request);
    await flush();
    expect(rung).toEqual(['events', 'operations']);
  });

  it('is accepted once for an idempotency key', async () => {
    const { acceptPrivate, database } = await anAcceptance();
    const once = { ...request, idempotencyKey: 'k' };
    const codes = await Promise.all(Array.from({ length: 8 }, () => codeOfAsync(() => acceptPrivate('default', once))));
    expect(codes.filter((code) => code === undefined)).toHaveLength(1);
    expect(codes.filter((code) => code === 'FF10430')).toHaveLength(7);
    expect(await rowsOf(database, 'events')).toHaveLength(2);
    expect(await rowsOf(database, 'operations')).toHaveLength(2);
  });

  it('sends nothing if the author is the only member', async () => {
    const { acceptPrivate, database } = await anAcceptance();
    await acceptPrivate('default', { ...request, group: { members: [{ identity: 'alice' }] } });
    expect(await rowsOf(database, 'operations')).toEqual([]);
    expect(await rowsOf(database, 'events')).toHaveLength(2);
  });
});
