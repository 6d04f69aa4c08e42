import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { byCommand } from '../../e2e/fixtures/stack-cli.js';
import { type Host, isNetworkRoot, startDev, twoHosts } from '../../e2e/fixtures/hosts.js';

describe.skipIf(!isNetworkRoot)('parties on hosts of their own (needs root, for network namespaces)', () => {
  test('join by invitation, read the whole history, and continue after their link was cut', async () => {
    const [first, second] = await twoHosts();
    await startDev(first, 2);
    await first.ok('broadcast', '{"before":"carol"}', '--wait', 'all');
    await first.ok('party', 'invite', 'carol', '-o', join(first.directory, 'carol.invite.json'));
    const invitation = join(first.directory, 'carol.invite.json');
    const request = join(second.directory, 'carol.join.json');
    await second.ok('party', 'join', invitation, '--advertise', second.address, '-o', request);
    expect(await second.ends('start', 'carol')).toMatchObject({ code: 10 });
    expect(await first.ok('party', 'admit', request, '-q')).toBe('carol');
    expect(await readFile(invitation, 'utf8')).not.toMatch(/key|token"/i);
    await second.ok('start', 'carol', '-q', '--timeout', '2m');
    await expect.poll(() => second.ok('messages', 'list', '-s', 'carol', '--json'), byCommand).toContain('"confirmed"');
    await first.ok('send', '{"private":1}', '--to', 'carol');
    await expect.poll(() => confirmedAt(second), byCommand).toBe(2);
    await first.cut();
    await first.ok('send', '{"private":2}', '--to', 'carol');
    await first.heal();
    await expect.poll(() => confirmedAt(second), byCommand).toBe(3);
    await second.ok('broadcast', '{"from":"carol"}', '-s', 'carol', '--wait', 'local');
    await expect
      .poll(() => first.ok('messages', 'list', '-s', 'dev', '--json'), byCommand)
      .toContain('did:parley:org/carol');
  });
});

async function confirmedAt(host: Host): Promise<number> {
  const out = await host.ok('messages', 'list', '-s', 'carol', '--json');
  return [...out.matchAll(/"state":\s*"confirmed"/g)].length;
}
