import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createCli, programFile } from './fixtures/cli.js';

const run = promisify(execFile);
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

describe.skipIf(!isRoot)('parties on hosts of their own (needs root, for network namespaces)', () => {
  test('join by invitation, read the whole history, and go on after their link was cut', async () => {
    const [first, second] = await twoHosts();
    const sets = [`bind=${first.address}`, `advertise=${first.address}`, 'auth.enabled=true', 'trustedNetwork=true'];
    await first.ok('init', 'dev', '-n', '2', '-q', ...sets.flatMap((set) => ['--set', set]));
    await first.ok('start', 'dev', '-q');
    await first.ok('broadcast', '{"before":"carol"}', '--wait', 'all');
    await first.ok('party', 'invite', 'carol', '-o', join(first.directory, 'carol.invite.json'));
    const invitation = join(first.directory, 'carol.invite.json');
    const request = join(second.directory, 'carol.join.json');
    await second.ok('party', 'join', invitation, '--advertise', second.address, '-o', request);
    expect(await second.ends('start', 'carol')).toMatchObject({ code: 10 });
    expect(await first.ok('party', 'admit', request, '-q')).toBe('carol');
    expect(await readFile(invitation, 'utf8')).not.toMatch(/key|token"/i);
    await second.ok('start', 'carol', '-q', '--timeout', '2m');
    await expect.poll(() => second.ok('messages', 'list', '-s', 'carol', '--json')).toContain('"confirmed"');
    await first.ok('send', '{"private":1}', '--to', 'carol');
    await expect.poll(() => confirmedAt(second)).toBe(2);
    await first.cut();
    await first.ok('send', '{"private":2}', '--to', 'carol');
    await first.heal();
    await expect.poll(() => confirmedAt(second)).toBe(3);
    await second.ok('broadcast', '{"from":"carol"}', '-s', 'carol', '--wait', 'local');
    await expect.poll(() => first.ok('messages', 'list', '-s', 'dev', '--json')).toContain('did:parley:org/carol');
  });
});

interface Host {
  readonly address: string;
  readonly directory: string;
  ok(...words: readonly string[]): Promise<string>;
  ends(...words: readonly string[]): Promise<{ readonly code: number }>;
  cut(): Promise<void>;
  heal(): Promise<void>;
}

async function confirmedAt(host: Host): Promise<number> {
  const out = await host.ok('messages', 'list', '-s', 'carol', '--json');
  return [...out.matchAll(/"state":\s*"confirmed"/g)].length;
}

/** Two network namespaces with a link between them, removed when the test ends. */
async function twoHosts(): Promise<readonly [Host, Host]> {
  const id = process.pid.toString(36);
  const names = [`p${id}a`, `p${id}b`] as const;
  const ip = (...words: readonly string[]) => run('ip', words);
  for (const name of names) {
    await ip('netns', 'add', name);
    onTestFinished(() => ip('netns', 'del', name).then(() => undefined));
    await ip('-n', name, 'link', 'set', 'lo', 'up');
  }
  await ip('link', 'add', names[0], 'netns', names[0], 'type', 'veth', 'peer', 'name', names[1], 'netns', names[1]);
  const hosts = await Promise.all(names.map((name, index) => aHost(name, `10.77.0.${index + 1}`)));
  const [first, second] = hosts;
  if (first === undefined || second === undefined) throw new Error('There are two hosts.');
  return [first, second];
}

async function aHost(name: string, address: string): Promise<Host> {
  const cli = createCli();
  const ip = (...words: readonly string[]) => run('ip', ['-n', name, ...words]);
  await ip('address', 'add', `${address}/24`, 'dev', name);
  await ip('link', 'set', name, 'up');
  const inside = (words: readonly string[]) =>
    run('ip', ['netns', 'exec', name, process.execPath, programFile, ...words], {
      cwd: cli.directory,
      env: { ...cli.environment },
      maxBuffer: 16_777_216,
    });
  onTestFinished(async () => {
    await inside(['remove', '--all', '--yes', '--force']);
    await cli.remove();
  });
  return {
    address,
    directory: cli.directory,
    ok: async (...words) => (await inside(words)).stdout.trimEnd(),
    ends: async (...words) =>
      inside(words).then(
        () => ({ code: 0 }),
        (error: unknown) => ({ code: Number(error instanceof Error && 'code' in error ? error.code : -1) }),
      ),
    cut: async () => void (await ip('link', 'set', name, 'down')),
    heal: async () => void (await ip('link', 'set', name, 'up')),
  };
}
