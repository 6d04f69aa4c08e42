import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../../src/http/access/auth.js';
import { createAccess } from '../../../../src/node/requests/access.js';
import { grants } from '../../../../src/wire/route.js';

const request = new IncomingMessage(new Socket());

function accessOf(caller: Caller | undefined) {
  return createAccess({
    namespaces: ['default', 'blue', 'svc_system'],
    fallback: 'default',
    authentication: { callerOf: () => caller, callerNamed: (name) => (name === caller?.name ? caller : undefined) },
  });
}

/** Returns the namespace for a name, or the code of the refusal. */
function resolved(granted: readonly string[] | undefined, name: string | undefined): unknown {
  try {
    return accessOf({ name: 'ci', namespaces: granted }).resolverFor(request)(name);
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
}

describe('access', () => {
  it('is unlimited without authentication, and for a credential without limits', () => {
    for (const caller of [undefined, { name: 'alice', namespaces: undefined }]) {
      const access = accessOf(caller);
      const resolve = access.resolverFor(request);
      expect([resolve('blue'), resolve('svc_system'), resolve(undefined)]).toEqual(['blue', 'svc_system', 'default']);
      expect(access.visibleTo(request)).toEqual(['default', 'blue', 'svc_system']);
      expect(access.mayRead(request, 'former')).toBe(true);
      expect(() => access.requireAll(request, 'the metrics')).not.toThrow();
    }
  });

  it.each([
    ['one of its own', ['blue'], 'blue', 'blue'],
    ['another', ['blue'], 'default', 'FF00170'],
    ['the default one, by no name', ['blue'], undefined, 'FF00170'],
    ['the default one that is its own, by no name', ['default'], undefined, 'default'],
    ['the word of a client that has no name', ['default'], 'undefined', 'default'],
    ['the system', ['blue'], 'svc_system', 'FF00170'],
    ['one that is not there', ['blue'], 'green', 'FF00170'],
    ['its own that is not there', ['green'], 'green', 'FF10436'],
    ['anything without a right', [], 'blue', 'FF00170'],
    ['one that is not there, without limits', undefined, 'green', 'FF10436'],
  ])('to %s is judged by the rights of the credential', (_, granted, name, expected) => {
    expect(resolved(granted, name)).toBe(expected);
  });

  it('reveals no other namespaces to a limited caller', () => {
    const access = accessOf({ name: 'ci', namespaces: ['blue', 'green'] });
    expect(access.visibleTo(request)).toEqual(['blue']);
    for (const name of ['default', 'green']) {
      expect(() => access.resolverFor(request)(name)).toThrow(/blue/);
      expect(() => access.resolverFor(request)(name)).not.toThrow(/svc_system/);
    }
    expect(() => access.requireAll(request, 'the metrics')).toThrow(expect.objectContaining({ code: 'FF00170' }));
  });

  it('beyond its namespaces requires grants for a limited credential', () => {
    const access = accessOf({ name: 'ci', namespaces: ['blue'], grants: ['invoke'] });
    expect(() => access.requireGrant(request, 'invoke')).not.toThrow();
    expect(() => access.requireGrant(request, 'deploy')).toThrow(/FF00170.*"deploy"/);
    const [own, other] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`];
    const signing = accessOf({ name: 'ci', namespaces: ['blue'], grants: ['invoke', `key:${own}`] });
    expect(() => signing.requireKey(request, own.toUpperCase().replace('X', 'x'))).not.toThrow();
    expect(() => signing.requireKey(request, other)).toThrow(`key:${other}`);
    expect(() => accessOf(undefined).requireKey(request, other)).not.toThrow();
    const without = accessOf({ name: 'ci', namespaces: ['blue'] });
    for (const grant of grants) expect(() => without.requireGrant(request, grant)).toThrow(/FF00170/);
    for (const caller of [undefined, { name: 'alice', namespaces: undefined }]) {
      for (const grant of grants) expect(() => accessOf(caller).requireGrant(request, grant)).not.toThrow();
    }
  });

  it.each([
    ['it has no limits', { name: 'ci', namespaces: undefined }, [true, true]],
    ['it is for the namespace', { name: 'ci', namespaces: ['blue'] }, [true, false]],
    [
      'it has a grant for the key',
      { name: 'ci', namespaces: ['blue'], grants: [`key:0x${'a'.repeat(40)}`] },
      [true, true],
    ],
    [
      'it has one for another key',
      { name: 'ci', namespaces: ['blue'], grants: [`key:0x${'b'.repeat(40)}`] },
      [true, false],
    ],
    [
      'it is for another namespace',
      { name: 'ci', namespaces: ['green'], grants: [`key:0x${'a'.repeat(40)}`] },
      [false, false],
    ],
    ['it is gone', { name: 'another', namespaces: undefined }, [false, false]],
  ])('of what a credential has set up is what it has now: %s', (_, caller, expected) => {
    const { maySign } = accessOf(caller);
    const uses = [undefined, `0x${'A'.repeat(40)}`].map((key) => ({ namespace: 'blue', key }));
    expect(uses.map((use) => maySign('ci', use))).toEqual(expected);
  });

  it("of a record with an unknown creator is the organisation's key, and any without authentication", () => {
    const uses = [undefined, `0x${'a'.repeat(40)}`].map((key) => ({ namespace: 'blue', key }));
    const { maySign } = accessOf({ name: 'ci', namespaces: undefined });
    expect(uses.map((use) => maySign(null, use))).toEqual([true, false]);
    const open = createAccess({ namespaces: ['blue'], fallback: 'blue', authentication: undefined });
    for (const maker of [null, 'ci']) expect(uses.map((use) => open.maySign(maker, use))).toEqual([true, true]);
    expect(open.nameOf(request)).toBe(undefined);
  });
});
