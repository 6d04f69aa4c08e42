import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { joinNetwork } from '../../../../src/stack/members/join-network.js';
import { aPlace } from '../fixtures/place.js';

const address = `0x${'AB'.repeat(20)}`;

function aJoin() {
  const place = aPlace();
  const directory = join(place.home, 'work');
  mkdirSync(directory, { recursive: true });
  const invite = join(directory, 'dave.invite.json');
  const written = {
    parley: 'invite/v1',
    party: 'dave',
    network: 'dev',
    chain: { url: 'http://10.0.0.1:1', chainId: 31_337, confirmations: 0 },
    contracts: { network: address, tokens: {} },
    store: { api: 'http://10.0.0.1:2', gateway: 'http://10.0.0.1:2' },
    namespaces: ['default'],
    connectors: [],
  };
  writeFileSync(invite, JSON.stringify(written));
  const output = join(directory, 'dave.join.json');
  return { place, request: { invite, advertise: '10.0.0.5', output, workingDirectory: directory } };
}

describe('A party that joins a network', () => {
  test('can repeat the join if its request could not be written', async () => {
    const { place, request } = aJoin();
    const file = join(request.workingDirectory, 'file');
    writeFileSync(file, '');
    await expect(joinNetwork(place, { ...request, output: join(file, 'dave.join.json') })).rejects.toThrow();
    const { stack, request: first } = await joinNetwork(place, request);
    expect(stack).toBe('dave');
    expect(JSON.parse(readFileSync(request.output, 'utf8'))).toEqual(first);
    const other = join(request.workingDirectory, 'other.json');
    expect((await joinNetwork(place, { ...request, output: other })).request).toEqual(first);
  });

  test('can repeat the join with the file that it has written, and overwrites no other', async () => {
    const { place, request } = aJoin();
    const first = await joinNetwork(place, request);
    expect(await joinNetwork(place, request)).toEqual(first);
    for (const text of ['kept', JSON.stringify({ ...first.request, endpoint: 'https://10.0.0.7:1' })]) {
      writeFileSync(request.output, text);
      await expect(joinNetwork(place, request)).rejects.toMatchObject({ code: 'NAME_EXISTS' });
      expect(readFileSync(request.output, 'utf8')).toBe(text);
    }
  });

  test('does not overwrite a file, and makes no stack in that case', async () => {
    const { place, request } = aJoin();
    writeFileSync(request.output, 'kept');
    await expect(joinNetwork(place, request)).rejects.toMatchObject({ code: 'NAME_EXISTS' });
    expect(readFileSync(request.output, 'utf8')).toBe('kept');
    expect(existsSync(join(place.home, 'stacks', 'dave'))).toBe(false);
  });

  test('does not take over a stack of another join', async () => {
    const { place, request } = aJoin();
    await joinNetwork(place, request);
    const again = { ...request, advertise: '10.0.0.6', output: join(request.workingDirectory, 'other.json') };
    await expect(joinNetwork(place, again)).rejects.toMatchObject({ code: 'NAME_EXISTS' });
  });
});
