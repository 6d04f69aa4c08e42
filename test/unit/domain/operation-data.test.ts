import { describe, expect, it } from 'vitest';
import { readOperationData } from '../../../src/domain/operation-data.js';
import { operationData } from '../../../src/domain/tokens/request.js';
import { uuid } from '../../support/fixtures.js';

const hash = 'a'.repeat(64);

describe('the data of an operation', () => {
  it('is what a node has attached', () => {
    const tx = { id: uuid(1), type: 'token_transfer' };
    expect(readOperationData(operationData(tx), 'token_transfer')).toEqual({ tx: uuid(1), txtype: 'token_transfer' });
    const whole = { tx: uuid(1), txtype: 'token_transfer', message: uuid(2), messageHash: hash };
    expect(readOperationData(operationData(tx, { id: uuid(2), hash }), 'token_transfer')).toEqual(whole);
  });

  it('has at most 4,096 characters', () => {
    const data = { tx: uuid(1), txtype: 'token_transfer' };
    const text = operationData({ id: uuid(1), type: 'token_transfer' });
    expect(readOperationData(text.padEnd(4_096), 'token_transfer')).toEqual(data);
    expect(readOperationData(text.padEnd(4_097), 'token_transfer')).toBeUndefined();
  });

  it('names a message by id and hash, or not at all', () => {
    const text = `{"tx":"${uuid(1)}","txtype":"token_transfer","message":"${uuid(2)}"}`;
    expect(readOperationData(text, 'token_transfer')).toEqual({ tx: uuid(1), txtype: 'token_transfer' });
  });

  it.each([
    ['of another kind of operation', `{"tx":"${uuid(1)}","txtype":"token_approval"}`],
    ['no JSON', 'hello'],
    ['no object', '[]'],
    ['nested without end', '['.repeat(4_000)],
    ['another object', '{"tx":17,"txtype":"token_transfer"}'],
    ['an id that is none', `{"tx":"${uuid(1).toUpperCase()}x","txtype":"token_transfer"}`],
    ['a repeated key', `{"tx":"${uuid(1)}","tx":"${uuid(2)}","txtype":"token_transfer"}`],
    ['empty', ''],
    ['not there', undefined],
  ])('is nothing when it is %s', (_, text) => {
    expect(readOperationData(text, 'token_transfer')).toBeUndefined();
  });
});
