import { describe, expect, it } from 'vitest';
import { ClientError, keyOwnerOf } from '../../../src/client/errors.js';

const key = '00000000-0000-4000-8000-000000000000';
const id = '9b1f6c2e-7a34-4d0b-8a55-2f9c3e6d7a01';
const refusal = (code: string) =>
  new ClientError({ status: 409, code, text: `The idempotency key "${key}" was used by message ${id}.`, body: '' });

describe('the owner of an idempotency key', () => {
  it('is the id after the key, even if the key looks like an id', () => {
    expect(keyOwnerOf(refusal('FF10430'), ['FF10430'])).toBe(id);
    expect(keyOwnerOf(refusal('FF10431'), ['FF10430', 'FF10431'])).toBe(id);
  });

  it('is not read from another refusal, or another error', () => {
    expect(keyOwnerOf(refusal('FF10431'), ['FF10430'])).toBeUndefined();
    expect(keyOwnerOf(new Error(`FF10430 ${id}`), ['FF10430'])).toBeUndefined();
  });
});
