import { describe, expect, it } from 'vitest';
import { ownerText } from '../../../ui/src/api/owner-text.js';
import { didText } from '../../../ui/src/components/record/did-text.js';
import type { Identity } from '../../../src/wire/identities/identity.js';
import { compact } from '../../../src/wire/json/json-reader.js';
import {
  changeValuesOf,
  identityAction,
  identityChangeAction,
  judgeIdentityChange,
} from '../../../ui/src/pages/network/identity-action.js';

function anIdentity(change: Partial<Identity> = {}): Identity {
  return {
    id: '5f0b1b9e-6c1c-4d5e-9d6f-0a1b2c3d4e5f',
    did: 'did:parley:shop',
    type: 'custom',
    namespace: 'default',
    name: 'shop',
    messages: { claim: null, verification: null, update: null },
    created: '2026-01-01T00:00:00Z',
    updated: '2026-01-01T00:00:00Z',
    ...change,
  };
}

describe('the form of an identity', () => {
  it('sends the filled fields, and the exact text of the profile', () => {
    const values = { name: 'shop', description: '', profile: '{"n": 1.0}', key: '', idempotencyKey: '' };
    expect(identityAction(values)?.body).toBe('{"name":"shop","profile":{"n": 1.0}}');
    expect(identityAction({ ...values, name: '<b>' })).toBeUndefined();
    expect(identityAction({ ...values, profile: '[]' })).toBeUndefined();
  });

  it('sends only the fields that were changed', () => {
    const former = anIdentity({ description: 'a shop', profile: compact('{"n":1.0}') });
    const values = changeValuesOf(former);
    expect(identityChangeAction(former, values)).toBeUndefined();
    expect(identityChangeAction(former, { ...values, description: '' })).toMatchObject({
      method: 'PATCH',
      path: `identities/${former.id}`,
      query: { confirm: 'true' },
      body: '{"description":""}',
    });
    expect(identityChangeAction(former, { ...values, profile: '{"n":2}' })?.body).toBe('{"profile":{"n":2}}');
  });

  it('refuses to remove a profile', () => {
    const former = anIdentity({ profile: compact('{"n":1}') });
    expect(judgeIdentityChange(former, { description: '', profile: '' }).profile).toBeDefined();
    expect(judgeIdentityChange(anIdentity(), { description: '', profile: '' })).toEqual({});
    expect(judgeIdentityChange(former, { description: '', profile: '[1]' }).profile).toBeDefined();
  });
});

describe('an identity in a list', () => {
  it('is shown with its kind, which the name alone does not tell', () => {
    const dids = ['did:parley:org/shop', 'did:parley:shop', 'did:parley:node/shop', 'did:firefly:shop'];
    expect(dids.map(didText)).toEqual([
      { name: 'shop', kind: 'org' },
      { name: 'shop', kind: 'custom' },
      { name: 'shop', kind: 'node' },
      { name: 'shop', kind: 'custom' },
    ]);
    expect(didText('did:web:shop')).toEqual({ name: 'did:web:shop', kind: undefined });
  });

  it('has its type in the options of a form, unless it is an organisation', () => {
    expect([ownerText({ name: 'shop', type: 'org' }), ownerText({ name: 'shop', type: 'custom' })]).toEqual([
      'shop',
      'shop (custom)',
    ]);
  });
});
