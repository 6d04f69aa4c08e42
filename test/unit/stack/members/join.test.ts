import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addParty, type JoinRequest } from '../../../../src/stack/members/join.js';
import { newPrivateKey } from '../../../../src/stack/keys/keys.js';
import { loadStack } from '../../../../src/stack/places/locate.js';
import { portsFrom } from '../../../../src/stack/ports/ports.js';
import { aDirectory } from '../../supervisor/fixtures/plans.js';
import { aNetwork } from '../snapshot/a-network.js';

/** A stopped stack whose port for the API of the next party is in use. */
async function aStackWithUsedPort() {
  const stack = await aNetwork();
  const names = stack.settings.parties.map(({ name }) => name);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const address = server.address();
  const used = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const base = used - 10 - names.length;
  writeFileSync(stack.layout.ports, JSON.stringify(portsFrom(base, names)));
  return { stack, used };
}

function aKeyFile(key: string): string {
  const file = join(aDirectory(), 'key');
  writeFileSync(file, key, { mode: 0o600 });
  return file;
}

describe('A party that cannot be added', () => {
  const request: JoinRequest = { name: 'dave' };

  test.each([
    ['is given a port in use', (used: number) => ({ ...request, port: used }), 'PORT_IN_USE'],
    ['would get a port in use', () => request, 'PORT_IN_USE'],
    ['already has another key', () => ({ ...request, keyFile: aKeyFile(newPrivateKey()) }), 'NAME_EXISTS'],
    ['has an invalid key', () => ({ ...request, keyFile: aKeyFile('none') }), 'KEY_INVALID'],
    ['has the organisation of another party', () => ({ ...request, organization: 'alice' }), 'STACK_FILE_INVALID'],
  ])('changes no file if it %s', async (_, requestFor, code) => {
    const { stack, used } = await aStackWithUsedPort();
    const { layout, definitionFile } = stack;
    const ofDave = join(layout.keys, 'dave', 'signing');
    if (code === 'NAME_EXISTS') {
      mkdirSync(dirname(ofDave), { mode: 0o700 });
      writeFileSync(ofDave, newPrivateKey(), { mode: 0o600 });
    }
    const before = [definitionFile, layout.ports].map((file) => readFileSync(file, 'utf8'));
    await expect(addParty(stack, requestFor(used))).rejects.toMatchObject({ code });
    expect([definitionFile, layout.ports].map((file) => readFileSync(file, 'utf8'))).toEqual(before);
    expect(existsSync(ofDave)).toBe(code === 'NAME_EXISTS');
  });
});

test('A party of a stopped stack is added with its own database', async () => {
  const stack = await aNetwork();
  const database = { provider: 'postgres', url: 'file:/elsewhere/database.url' };
  const { outcome } = await addParty(stack, { name: 'dave', database });
  expect(outcome).toBe('planned');
  const { settings } = await loadStack(stack.place, stack.name);
  expect(settings.parties.at(-1)).toMatchObject({
    name: 'dave',
    database: { urlFile: '/elsewhere/database.url', schema: 'dev_dave' },
  });
});
