import { describe, expect, onTestFinished, test } from 'vitest';
import { hasNoAnvil } from '../../support/anvil.js';
import { freePortBase } from '../../support/port-base.js';
import { byCommand, createStackCli, type StackCli } from '../../e2e/fixtures/stack-cli.js';

describe.skipIf(hasNoAnvil)('a stack whose chain is Anvil (needs Anvil)', () => {
  test('has the controls of the built-in chain', async () => {
    const cli = await aStack();
    await cli.ok('start', 'dev', '-q');
    await cli.ok('chain', 'pause');
    const held = (await cli.okJson('broadcast', '{"while":"paused"}', '--no-wait')) as Sent;
    expect(await cli.okJson('chain', 'info')).toMatchObject({ mining: 'paused' });
    await expect
      .poll(async () => (await cli.ends('explain', held.header.id)).said, byCommand)
      .toContain('mining is paused');
    await cli.ok('chain', 'resume');
    await cli.ok('chain', 'advance', '1h');
    await expect
      .poll(() => cli.okJson('messages', 'get', held.header.id), byCommand)
      .toMatchObject({ state: 'confirmed' });
    await cli.ok('snapshot', 'save', 'one');
    const head = await headOf(cli);
    await cli.ok('broadcast', '{"after":"the snapshot"}', '--wait', 'all');
    await cli.ok('reset', 'dev', '--to', 'one', '--yes', '-q');
    expect(await headOf(cli)).toEqual(head);
    await cli.ok('broadcast', '{"after":"the reset"}', '--wait', 'all');
  });

  test('loses no block when Anvil is killed, or the chain with it, or everything', async () => {
    const cli = await aStack();
    await cli.ok('start', 'dev', '-q');
    await cli.ok('broadcast', '{"before":true}', '--wait', 'all');
    const head = await headOf(cli);
    const { pid } = await chainOf(cli);
    const [anvil] = (await cli.shell(`pgrep -P ${pid} anvil`).ended).out.trim().split('\n');
    process.kill(Number(anvil), 'SIGKILL');
    await expect.poll(async () => (await chainOf(cli)).pid, byCommand).not.toBe(pid);
    await expect.poll(async () => (await chainOf(cli)).state, byCommand).toBe('healthy');
    expect(await headOf(cli)).toEqual(head);
    const again = await chainOf(cli);
    process.kill(again.pid, 'SIGKILL');
    await cli.ok('broadcast', '{"after":"the chain"}', '--wait', 'all', '--timeout', '2m');
    const later = await headOf(cli);
    const last = await chainOf(cli);
    const engine = (await cli.shell(`pgrep -P ${last.pid} anvil`).ended).out.trim();
    const supervisor = (await cli.shell(`ps -o ppid= -p ${last.pid}`).ended).out.trim();
    for (const each of [Number(supervisor), last.pid]) process.kill(each, 'SIGKILL');
    // No parent is left to end it, and yet it exits.
    await expect.poll(async () => (await cli.shell(`kill -0 ${engine}`).ended).code).not.toBe(0);
    await cli.ok('start', 'dev', '-q');
    expect(await headOf(cli)).toEqual(later);
    await cli.ok('broadcast', '{"after":"everything"}', '--wait', 'all');
  });

  test('is refused in one sentence that names how to install Anvil', async () => {
    const cli = await aStack();
    const environment = { PARLEY_ENGINES: cli.directory };
    for (const words of [
      ['config', 'validate', '--online', '-s', 'dev'],
      ['start', 'dev'],
    ]) {
      const { code, err } = await cli.run(words, { environment });
      expect(code).toBe(9);
      expect(err).toContain('chain.provider is anvil');
      expect(err).toContain('npm install --ignore-scripts');
    }
  });
});

interface Sent {
  readonly header: { readonly id: string };
}

async function aStack(): Promise<StackCli> {
  const cli = createStackCli('default');
  onTestFinished(() => cli.remove());
  await cli.ok('init', 'dev', '-n', '2', '-q', '--port-base', await freePortBase(), '--chain', 'anvil');
  return cli;
}

async function chainOf(cli: StackCli) {
  const status = (await cli.okJson('status', 'dev')) as {
    readonly services: readonly { readonly name: string; readonly pid: number; readonly state: string }[];
  };
  const chain = status.services.find(({ name }) => name === 'chain');
  if (chain === undefined) throw new Error('The stack has no chain.');
  return chain;
}

async function headOf(cli: StackCli) {
  return ((await cli.okJson('chain', 'info')) as { readonly head: object }).head;
}
