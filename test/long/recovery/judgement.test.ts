import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePortBase } from '../../support/port-base.js';
import { createStackCli } from '../../e2e/fixtures/stack-cli.js';

interface StatusView {
  readonly services: readonly { readonly kind: string; readonly health: string; readonly restarts: number }[];
  readonly parties: Readonly<Record<string, { readonly waiting: readonly string[] }>>;
}

interface ProgressView {
  readonly waits: readonly { readonly on: string; readonly context?: object; readonly detail: string }[];
}

const many = <Part>(count: number, part: (index: number) => Part) => Array.from({ length: count }, (_, i) => part(i));

describe('A judgement that kills every node that makes it', () => {
  const cli = createStackCli('minimal');
  const environment = { PARLEY_FAILPOINT: 'judge.mid:1:kill' };
  const readStatus = async () => (await cli.okJson('status', 'dev')) as StatusView;

  beforeAll(async () => {
    await cli.ok('init', 'dev', '-t', 'minimal', '--port-base', await freePortBase(), '-q');
    const started = await cli.run(['start', 'dev', '-q'], { environment });
    expect(started).toMatchObject({ code: 0 });
    await writeFile(join(cli.directory, 'sets-1.json'), '{"uniqueItems":true}');
  });
  afterAll(() => cli.remove());

  test('is held after three crashes: the nodes stay up and report it, and everything else continues', async () => {
    const id = await cli.ok('datatype', 'define', 'sets-1.json', '--no-wait', '-q');
    await expect
      .poll(async () => {
        const { services } = await readStatus();
        return services.flatMap(({ kind, health, restarts }) => (kind === 'node' ? [[health, restarts]] : []));
      })
      .toEqual([
        ['healthy', 3],
        ['healthy', 3],
      ]);
    expect((await readStatus()).parties).toMatchObject({
      alice: { waiting: ['judgement'] },
      bob: { waiting: ['judgement'] },
    });
    for (const party of ['alice', 'bob']) {
      const { waits } = (await cli.okJson('api', 'get', `messages/${id}/progress`, '--party', party)) as ProgressView;
      expect(waits).toMatchObject([{ on: 'judgement', context: { topic: 'svc_ns_default' } }]);
      expect(waits[0]?.detail).toContain('sets@1');
    }
    await cli.ok('broadcast', '{"a":1}', '--wait', 'all', '-q');
    const { services } = await readStatus();
    expect(services.map(({ restarts }) => restarts).sort()).toEqual([0, 0, 3, 3]);
  });

  test('is made after a stop and a start, and the waiting messages are decided', async () => {
    await cli.ok('restart', 'dev', '-q');
    await cli.ok('wait', '--for', 'idle', '--timeout', '60s');
    await cli.ok('broadcast', '[1,2]', '--datatype', 'sets@1', '--topic', 'sets', '--wait', 'all', '-q');
    const refused = await cli.ends('broadcast', '[1,1]', '--datatype', 'sets@1', '--topic', 'sets');
    expect(refused.said).toContain('FF10198');
  });

  test('of sixty expensive values in one request does not block the node or restart it', async () => {
    const node = `http://127.0.0.1:${await cli.ok('port', 'alice')}`;
    const schema = { allOf: many(300, () => ({ properties: { a: true } })) };
    const members = Object.fromEntries(many(300, (index) => [`m${index}`, index]));
    await writeFile(join(cli.directory, 'costly-1.json'), JSON.stringify(schema));
    await cli.ok('datatype', 'define', 'costly-1.json', '-q');
    const item = { value: members, datatype: { name: 'costly', version: '1' } };
    const sent = fetch(`${node}/api/v1/namespaces/default/messages/broadcast?confirm=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: many(60, () => item) }),
    });
    let hasEnded = false;
    const ended = sent.finally(() => (hasEnded = true));
    do expect((await fetch(`${node}/livez`)).status).toBe(200);
    while (!hasEnded);
    expect((await ended).status).toBe(200);
    await cli.ok('wait', '--for', 'idle', '--timeout', '60s');
    const { services } = await readStatus();
    expect(services.map(({ restarts }) => restarts)).toEqual([0, 0, 0, 0]);
  });
});
