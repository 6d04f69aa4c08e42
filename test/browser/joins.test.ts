import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from './fixtures/axe.js';
import { hasNoBrowser } from './fixtures/chromium.js';
import { type ExplorerScene, startScene } from './fixtures/explorer.js';
import { pages } from './fixtures/pages.js';

let scene: ExplorerScene;

beforeAll(async () => {
  if (!hasNoBrowser) scene = await startScene();
});
afterEach(() => {
  if (!hasNoBrowser) expect(scene.browser.faults().filter((fault) => !/ERR_|WebSocket/.test(fault))).toEqual([]);
});
afterAll(async () => {
  if (!hasNoBrowser) await scene.remove();
});

const toBob = (tag: string, members: readonly string[]) =>
  JSON.stringify({
    header: { tag, topics: ['trade'] },
    group: { members: members.map((identity) => ({ identity })) },
    data: [{ value: `secret of ${tag}` }],
  });

describe.skipIf(hasNoBrowser)('the joins of the explorer', () => {
  it('show the way of a message to every party, marked as a development view', async () => {
    const id = await scene.send('{"header":{"tag":"way"},"data":[{"value":1}]}');
    await scene.network.confirmed(id, 'alice');
    const page = await scene.open(`flow/${id}`);
    for (const lane of ['Author', 'Shared store', 'Chain', 'alice', 'bob', 'carol'])
      await page.getByRole('region', { name: lane, exact: true }).waitFor();
    await page.getByText('confirmed · development view').first().waitFor();
    await page.getByRole('button', { name: 'Step through' }).click();
    await page.getByRole('heading', { name: "Accepted by its author's node" }).waitFor();
    expect(page.url()).toContain('tab=author.accepted');
    await page.context().close();
  });

  it('know nothing of a message of others, and never say a value', async () => {
    const { network } = scene;
    const id = await scene.send(toBob('others', ['carol']), { path: 'send/message' });
    await network.confirmed(id, 'carol');
    const own = await scene.send(toBob('ours', ['alice']), { path: 'send/message' });
    await network.confirmed(own, 'alice');
    const joined = async (path: string) => (await fetch(network.addressOf(`/ui/_stack/${path}`))).text();
    expect((await fetch(network.addressOf(`/ui/_stack/messages/${id}`))).status).toBe(404);
    const answers = await Promise.all(
      [`messages/${own}`, 'topics', 'parties', 'services', 'logs?service=alice'].map(joined),
    );
    for (const answer of answers) expect(answer).not.toMatch(/secret|others|trade/);
    expect(answers[0]).toContain('"party":"bob"');
    const page = await scene.open(`flow/${id}`);
    await page.getByText('not found', { exact: false }).first().waitFor();
    expect(await page.content()).not.toContain('secret');
    await page.context().close();
    expect(scene.browser.faults().filter((fault) => !fault.includes('404'))).toEqual([]);
  });

  it('name the head of a topic, what it misses and who can bring it, until both leave the lane', async () => {
    const { network } = scene;
    const first = await scene.send(toBob('first', ['alice']), { path: 'send/message' });
    await network.confirmed(first, 'alice');
    await network.stop('alice');
    const missing = await scene.send(toBob('missing', ['alice']), { path: 'send/message' });
    await network.confirmed(missing, 'bob');
    await network.stop('bob');
    await network.startAgain('alice');
    const stuck = await scene.send(toBob('stuck', ['bob']), { path: 'send/message', party: 'alice' });
    const page = await scene.open('topics');
    const lane = page.getByRole('list', { name: 'Lanes' }).getByRole('listitem').filter({ hasText: 'trade' }).first();
    await lane.getByText(stuck.slice(0, 8)).first().waitFor();
    await lane.getByText('its payload is not here yet').waitFor();
    await lane.getByText('See that the node of bob runs').waitFor();
    await lane.getByText('local development view').waitFor();
    await network.startAgain('bob');
    await page.getByText('Nothing waits.').waitFor();
    await network.confirmed(missing, 'alice');
    await network.confirmed(stuck, 'alice');
    await page.context().close();
  });

  it('show the processes of the stack, hold one still when that is confirmed, and let it go on', async () => {
    const page = await scene.open('network/stack');
    await page.getByText('local development view').first().waitFor();
    const row = page.getByRole('table', { name: 'Processes' }).getByRole('row').filter({ hasText: 'bob' });
    await row.getByText('healthy').waitFor();
    const answer = async (verb: string) => {
      await page.getByRole('button', { name: `${verb} bob` }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(`/ui/_stack/services/bob/${verb.toLowerCase()}`).waitFor();
      return dialog;
    };
    await (await answer('Pause')).getByRole('button', { name: 'Cancel' }).click();
    await row.getByText('healthy').waitFor();
    await (await answer('Pause')).getByRole('button', { name: 'Pause', exact: true }).click();
    await row.getByText('paused').waitFor();
    expect(await scene.network.shell('stack status')).toMatch(/bob\s+paused/);
    await page.getByText('does not answer').waitFor();
    await (await answer('Resume')).getByRole('button', { name: 'Resume', exact: true }).click();
    await row.getByText('healthy').waitFor();
    await page.getByLabel('Lines with').fill('ready');
    await page.getByRole('list', { name: 'Log of alice' }).getByRole('listitem').first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.context().close();
  });

  it('disappear with the supervisor, and every page goes on', async () => {
    const { network } = scene;
    const id = await scene.send('{"header":{"tag":"alone"},"data":[{"value":1}]}');
    await network.confirmed(id, 'alice');
    const files = await readdir(network.directory, { recursive: true });
    const socket = files.find((file) => file.endsWith('.view')) ?? '';
    await rm(join(network.directory, socket));
    const way = await scene.open(`flow/${id}`);
    await way.getByRole('region', { name: 'alice', exact: true }).waitFor();
    expect(await way.getByText('development view').count()).toBe(0);
    expect(await way.getByRole('region', { name: 'bob', exact: true }).count()).toBe(0);
    for (const path of [...pages, 'network/stack']) {
      const page = await scene.open(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      expect([path, await page.getByRole('alert').count()]).toEqual([path, 0]);
      await page.context().close();
    }
  });
});
