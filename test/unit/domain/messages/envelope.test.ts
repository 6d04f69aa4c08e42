import { describe, expect, test } from 'vitest';
import { sealBatch } from '../../../../src/domain/messages/batch.js';
import { maxEnvelopeBytes, networkLimits } from '../../../../src/domain/network/limits.js';
import { openEnvelope } from '../../../../src/domain/messages/envelope.js';
import { BatchEnvelope, MessageEnvelope } from '../../../../src/wire/messages/envelope.js';
import { write } from '../../../../src/wire/json/json.js';
import { maxValueDepth } from '../../../../src/wire/json/json-scan.js';
import { aContent, alice, aMessage, anItem, uuid } from '../../../support/fixtures.js';

const members = [
  { identity: 'did:parley:org/bob', node: uuid(7) },
  { identity: alice.did, node: alice.node },
];
const group = { namespace: 'default', name: '', members };
const envelopeOf = (payload: string, changes: object = {}) =>
  write(BatchEnvelope, { version: 1, group, payload, ...changes });

describe('an envelope', () => {
  test('is read into the payload, byte for byte, and the actual hash of its group', () => {
    const { payload } = sealBatch(aContent());
    const opened = openEnvelope(envelopeOf(payload));
    expect(opened).toMatchObject({ kind: 'batch', payload });
    const turned = openEnvelope(envelopeOf(payload, { group: { ...group, members: [...members].reverse() } }));
    expect(turned).toEqual(opened);
  });

  test('carries a value of the maximum depth', () => {
    const value = '['.repeat(maxValueDepth) + ']'.repeat(maxValueDepth);
    const item = anItem({ value });
    const { payload } = sealBatch(aContent({ messages: [aMessage({}, [item])], data: [item] }));
    expect(openEnvelope(envelopeOf(payload))).toMatchObject({ kind: 'batch', payload });
  });

  test('of an unpinned message carries such a value, too', () => {
    const value = '['.repeat(maxValueDepth) + ']'.repeat(maxValueDepth);
    const item = anItem({ value });
    const { header, hash, data } = aMessage({ type: 'private', txtype: 'none', group: 'a'.repeat(64) }, [item]);
    const message = { header, hash, data: [...data] };
    const tx = { type: 'none' as const, id: uuid(9) };
    const envelope = { version: 1, node: alice.node, group, tx, message, data: [item] };
    expect(openEnvelope(write(MessageEnvelope, envelope))).toMatchObject({ kind: 'message', envelope });
  });

  test('of one kind has no members of the other', () => {
    const { payload } = sealBatch(aContent());
    const mixed = envelopeOf(payload).replace('"version":1', `"version":1,"node":"${uuid(7)}"`);
    expect(openEnvelope(mixed)).toEqual({ kind: 'refused', reason: 'unknown field node' });
  });

  test('of a later version is kept for later', () => {
    expect(openEnvelope('{"version":2,"anything":[]}')).toMatchObject({ kind: 'later' });
  });

  test('may have the greatest group and the greatest number of bytes', () => {
    const text = envelopeOf('"x"', { group: { ...group, members: many.slice(1) } });
    expect(openEnvelope(text)).toMatchObject({ kind: 'batch' });
    expect(openEnvelope(text.padEnd(maxEnvelopeBytes))).toMatchObject({ kind: 'batch' });
  });

  const many = Array.from({ length: networkLimits.maxGroupMembers + 1 }, (_, i) => ({
    identity: `did:parley:org/o${i}`,
    node: uuid(i),
  }));
  test.each([
    ['no JSON', 'Dear Sir'],
    ['200,000 deep', '{"payload":'.repeat(200_000)],
    ['a list', '[]'],
    ['nothing', ''],
    ['too large', envelopeOf('"x"').padEnd(maxEnvelopeBytes + 1)],
    ['without payload and message', '{"version":1}'],
    ['with a version that is none', envelopeOf('{}').replace('"version":1', '"version":"1"')],
    ['with too many members', envelopeOf('{}', { group: { ...group, members: many } })],
    ['without members', envelopeOf('{}', { group: { ...group, members: [] } })],
  ])('that is %s is refused, and nothing is thrown', (_, text) => {
    expect(openEnvelope(text)).toMatchObject({ kind: 'refused' });
  });
});
