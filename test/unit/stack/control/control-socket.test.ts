import { chmodSync, mkdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkAddresses } from '../../../../src/stack/ports/addresses.js';
import { connectControl, requireControl, statusOf } from '../../../../src/stack/control/control.js';
import { requireSocketPlace } from '../../../../src/stack/control/control-socket.js';
import type { Layout } from '../../../../src/stack/layout.js';
import { locatedAs, type Stack } from '../../../../src/stack/places/locate.js';
import { writeJsonFile } from '../../../../src/supervisor/files/json-file.js';
import type { ServiceView, SupervisorStatus } from '../../../../src/supervisor/control/view.js';
import { aLayout, aPlace, someSettings } from '../fixtures/place.js';

describe('A client of the control socket', () => {
  test('finds no supervisor without a socket', async () => {
    expect(await connectControl(aLayout(aPlace()))).toBeUndefined();
  });

  test('connects to the socket of its stack in a private directory', async () => {
    const layout = aLayout(aPlace());
    const requested = await answerAs(layout.id, layout.socket);
    expect(await (await connectControl(layout))?.health()).toMatchObject({ stack: layout.id });
    expect(requested).not.toEqual([]);
  });

  test('sends nothing to a socket in a directory that others can use', async () => {
    const layout = aLayout(aPlace());
    const requested = await answerAs(layout.id, layout.socket);
    chmodSync(dirname(layout.socket), 0o755);
    await expect(connectControl(layout)).rejects.toMatchObject({ code: 'CONTROL_NOT_PRIVATE', exitCode: 9 });
    await expect(requireSocketPlace(layout)).rejects.toMatchObject({ code: 'CONTROL_NOT_PRIVATE' });
    expect(requested).toEqual([]);
  });

  test('refuses a runtime directory that every user can write, before it makes its own in it', async () => {
    const place = aPlace();
    const shared = join(place.home, 'shared');
    mkdirSync(shared, { recursive: true });
    chmodSync(shared, 0o777);
    const layout = aLayout({ ...place, runtimeDirectory: join(shared, 'parley') });
    await expect(requireSocketPlace(layout)).rejects.toMatchObject({ code: 'CONTROL_NOT_PRIVATE' });
  });

  test('finds a supervisor at the socket that its plan names', async () => {
    const place = aPlace();
    const layout = aLayout(place);
    const earlier = join(place.home, 'earlier', 's.sock');
    await answerAs(layout.id, earlier);
    await writeJsonFile(layout.plan, { socket: earlier });
    expect(await (await connectControl(layout))?.health()).toMatchObject({ stack: layout.id });
  });

  test('sends nothing to the socket of the plan if others can use its directory', async () => {
    const place = aPlace();
    const layout = aLayout(place);
    const earlier = join(place.home, 'earlier', 's.sock');
    const requested = await answerAs(layout.id, earlier);
    chmodSync(dirname(earlier), 0o777);
    await writeJsonFile(layout.plan, { socket: earlier });
    expect(await connectControl(layout)).toBeUndefined();
    expect(requested).toEqual([]);
  });
});

describe('A supervisor that has ended after it was found', () => {
  test('has no status, and every request fails with NOT_RUNNING', async () => {
    const layout = aLayout(aPlace());
    await answerAs(layout.id, layout.socket);
    const control = await requireControl({ name: 'dev', layout });
    unlinkSync(layout.socket);
    expect(await statusOf(control)).toBeUndefined();
    for (const ask of [control.status, () => control.service('alice', 'stop'), control.hold, control.lease]) {
      await expect(ask()).rejects.toMatchObject({ code: 'NOT_RUNNING', hint: 'Start it: stack start' });
    }
  });
});

describe('The path of a control socket', () => {
  test('is refused if it is too long, with the variable that shortens it', async () => {
    const place = aPlace();
    const home = join(place.home, 'x'.repeat(100));
    const layout = aLayout({ ...place, home, runtimeDirectory: join(home, 'run') });
    await expect(requireSocketPlace(layout)).rejects.toMatchObject({
      code: 'PATH_TOO_LONG',
      exitCode: 9,
      hint: expect.stringContaining('STACK_HOME'),
    });
    expect(await connectControl(layout)).toBeUndefined();
  });
});

describe('The directory of a control socket', () => {
  test('is refused if nothing can be created there, with the variable that names it', async () => {
    const place = aPlace();
    const taken = join(place.home, 'taken');
    mkdirSync(place.home, { recursive: true });
    writeFileSync(taken, '');
    await expect(
      requireSocketPlace(aLayout({ ...place, runtimeDirectory: join(taken, 'parley') })),
    ).rejects.toMatchObject({
      code: 'PREREQUISITE',
      exitCode: 9,
      message: expect.stringContaining(taken),
      hint: expect.stringContaining('unset'),
    });
  });
});

describe('The addresses that a supervisor reports', () => {
  test('are trusted if the ports or the state of the stack have them', async () => {
    const stack = aStack();
    const ports = { base: 16_000, chain: 16_000, store: 16_001, parties: { alice: 16_010 }, peers: {} };
    await checkAddresses(stack, ports, aStatus('http://127.0.0.1:16010'));
    await writeJsonFile(stack.layout.state, aStatus('http://127.0.0.2:1'));
    await checkAddresses(stack, undefined, aStatus('http://127.0.0.2:1'));
  });

  test('are refused if the files of the stack have others', async () => {
    const stack = aStack();
    await writeJsonFile(stack.layout.state, aStatus('http://127.0.0.1:1'));
    await expect(checkAddresses(stack, undefined, aStatus('http://127.0.0.1:2'))).rejects.toMatchObject({
      code: 'CONTROL_NOT_PRIVATE',
    });
  });
});

function aStack(): Stack {
  const place = aPlace();
  const directory = aLayout(place).directory;
  const entry = { directory, template: 'minimal@1', createdAt: '2026-01-01T00:00:00Z' };
  return { ...locatedAs(place, 'dev', entry), settings: someSettings() };
}

/** Answers every request on a socket as the supervisor of this stack. Resolves with the paths that were requested. */
async function answerAs(stack: Layout['id'], socket: string): Promise<readonly string[]> {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    requested.push(request.url ?? '');
    const { services: _, ...health } = aStatus(null);
    response.end(JSON.stringify({ ...health, stack }));
  });
  mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => void server.close());
  return requested;
}

function aStatus(url: string | null): SupervisorStatus {
  const view: ServiceView = {
    name: 'alice',
    type: 'service',
    kind: 'node',
    state: 'healthy',
    pid: null,
    identity: null,
    restarts: 0,
    port: null,
    url,
    startedAt: null,
    readyAfterMs: null,
    progress: null,
    message: null,
    result: null,
  };
  return {
    protocol: 1,
    stack: 'a1b2c3',
    name: 'dev',
    identity: { pid: process.pid, started: '0', boot: 'test' },
    startedAt: '2026-01-01T00:00:00Z',
    state: 'running',
    lostLogLines: 0,
    services: [view],
  };
}
