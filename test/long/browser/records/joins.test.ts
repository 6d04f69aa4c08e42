import { appendFile, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seriousFindings } from '../fixtures/axe.js';
import { hasNoBrowser } from '../fixtures/chromium.js';
import { failedAnswers, failedConnections, useScene } from '../fixtures/explorer.js';
import { pages } from '../fixtures/pages.js';

const scene = useScene({ allows: failedConnections });

const toBob = (tag: string, members: readonly string[]) =>
  JSON.stringify({
    header: { tag, topics: ['trade'] },
    group: { members: members.map((identity) => ({ identity })) },
    data: [{ value: `secret of ${tag}` }],
  });

describe.skipIf(hasNoBrowser)('the joins of the explorer', () => {
  it('show the path of a message to every party, marked as a development view', async () => {
    const id = await scene.send('{"header":{"tag":"way"},"data":[{"value":1}]}');
    await scene.network.confirmed(id, 'alice');
    const page = await scene.open(`flow/${id}`);
    for (const lane of ['Author', 'Shared store', 'Chain', 'alice', 'bob', 'carol'])
      await page.getByRole('region', { name: lane, exact: true }).waitFor();
    await page.getByText('confirmed · development view').first().waitFor();
    await page.getByRole('button', { name: 'First step' }).click();
    await page.getByRole('heading', { name: "Accepted by its author's node" }).waitFor();
    expect(page.url()).toContain('tab=author.accepted');
  });

  it('show the path of a definition too, whose batch is in the system namespace', async () => {
    const definition = JSON.stringify({ name: 'order', version: '1', value: { type: 'object' } });
    const { message } = await scene.network.post<{ message: string }>('datatypes?confirm=true', definition, {
      status: 200,
    });
    const page = await scene.open(`flow/${message}`);
    for (const lane of ['Chain', 'alice', 'bob', 'carol'])
      await page.getByRole('region', { name: lane, exact: true }).waitFor();
    await scene.turn(page, `messages?open=${message}`);
    await page.getByText('Shared store', { exact: true }).waitFor();
    const operations = page.getByRole('list', { name: 'Operations' });
    await operations.getByText('blockchain_pin_batch').waitFor();
    await operations.getByRole('link').first().click();
    await page.getByRole('article', { name: /^Operation / }).waitFor();
    expect(page.url()).toContain('/ui/svc_system/');
    await scene.turn(page, 'messages');
    await page.getByText(/^\d+ messages? in .* 1 definition\b/).waitFor();
  });

  it('offer no action on a failed operation of a definition, which belongs to another namespace', async () => {
    const definition = JSON.stringify({ name: 'order', version: '2', value: { type: 'object' } });
    const { message } = await scene.network.post<{ message: string }>('datatypes?confirm=true', definition, {
      status: 200,
    });
    const page = await scene.browser.open();
    await page.route('**/api/v1/namespaces/svc_system/operations?*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll('"Succeeded"', '"Failed"') });
    });
    await page.goto(scene.network.addressOf(`/ui/default/messages/${message}`));
    const operations = page.getByRole('list', { name: 'Operations' });
    await operations.getByText('Failed').first().waitFor();
    expect(await operations.getByRole('button').count()).toBe(0);
    await page.goto(scene.network.addressOf(`/ui/svc_system/messages/${message}`));
    await operations.getByRole('button', { name: 'Retry' }).first().waitFor();
  });

  it("have nothing of other parties' private messages, and never show a value", async () => {
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
    scene.allowFaults(failedAnswers);
    const page = await scene.open(`flow/${id}`);
    await page.getByText('not found', { exact: false }).first().waitFor();
    for (const path of [`flow/${id}`, `messages/${id}`, 'flow', 'topics', 'overview', 'messages', 'events', 'data']) {
      await scene.turn(page, path);
      expect(await page.getByRole('main').innerText(), path).not.toContain('secret of others');
      expect([path, await page.locator(`a[href*="${id}"]`).count()]).toEqual([path, 0]);
      expect([path, await page.getByText('development view').count()]).toEqual([path, 0]);
    }
  });

  it('show the head of a topic, what it waits for and who can send it, until neither waits', async () => {
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
    const lane = page.getByRole('list', { name: 'Topics' }).getByRole('listitem').filter({ hasText: 'trade' }).first();
    await lane.getByText(stuck.slice(0, 8)).first().waitFor();
    await lane.getByText('its payload has not arrived yet').waitFor();
    await lane.getByText('Check that the node of bob runs').waitFor();
    await lane.getByText('local development view').waitFor();
    await network.startAgain('bob');
    await page.getByText('No messages are waiting.').waitFor();
    await network.confirmed(missing, 'alice');
    await network.confirmed(stuck, 'alice');
  });

  it('show what a cut link keeps from a topic, and whose node has it, until it is cleared', async () => {
    const { network } = scene;
    // Alice knows a pin's topic once she has the group.
    const before = await scene.send(toBob('before', ['alice']), { path: 'send/message' });
    await network.confirmed(before, 'alice');
    await network.shell('stack fault cut alice bob');
    const missing = await scene.send(toBob('missing', ['alice']), { path: 'send/message' });
    await network.confirmed(missing, 'bob');
    const stuck = await scene.send(toBob('stuck', ['bob']), { path: 'send/message', party: 'alice' });
    const page = await scene.open('topics');
    const lane = page.getByRole('list', { name: 'Topics' }).getByRole('listitem').filter({ hasText: 'trade' }).first();
    await lane.getByText(stuck.slice(0, 8)).first().waitFor();
    await lane.getByText('its payload has not arrived yet').waitFor();
    await lane.getByText('Check that the node of bob runs').waitFor();
    await network.shell('stack fault clear');
    await page.getByText('No messages are waiting.').waitFor();
    for (const party of ['alice', 'bob']) for (const id of [missing, stuck]) await network.confirmed(id, party);
  });

  it('show the processes of the stack, pause one after a confirmation, and resume it', async () => {
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
    await page.getByText('no answer').waitFor();
    await (await answer('Resume')).getByRole('button', { name: 'Resume', exact: true }).click();
    await row.getByText('healthy').waitFor();
    await page.getByLabel('Filter lines').fill('ready');
    await page.getByRole('list', { name: 'Log of alice' }).getByRole('listitem').first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('disappear with the supervisor, while every page works', async () => {
    const { network } = scene;
    const id = await scene.send('{"header":{"tag":"alone"},"data":[{"value":1}]}');
    await network.confirmed(id, 'alice');
    const files = await readdir(network.directory, { recursive: true });
    const socket = files.find((file) => file.endsWith('.view')) ?? '';
    await rm(join(network.directory, socket));
    await showsOwnPart(id);
  });

  it('disappear with auth, and an unauthenticated client gets only the challenge', async () => {
    const { network } = scene;
    const id = await scene.send('{"header":{"tag":"guarded"},"data":[{"value":1}]}');
    await network.confirmed(id, 'alice');
    const directory = join(network.directory, 'home', 'stacks', 'dev');
    await network.shell('stack stop -q');
    await appendFile(join(directory, 'stack.yaml'), '\nauth: {enabled: true}\n');
    await network.shell('stack start -q');
    for (const path of ['/', '/ui', `/ui/default/messages/${id}`, '/ui/assets/any.js', '/ui/_config'])
      await isChallenge(path);
    for (const path of ['/ui/_stack/services', `messages/${id}`, 'status']) await isChallenge(path);
    const token = (await readFile(join(directory, 'keys', 'alice', 'token'), 'utf8')).trim();
    const authorization = `Basic ${Buffer.from(`alice:${token}`).toString('base64')}`;
    const joined = await fetch(network.addressOf('/ui/_stack/services'), { headers: { authorization } });
    expect(joined.status).toBe(404);
    await showsOwnPart(id, { httpCredentials: { username: 'alice', password: token } });
  });

  /** Expects an answer that requires credentials, and has no other content. */
  async function isChallenge(path: string): Promise<void> {
    const response = await fetch(scene.network.addressOf(path), { redirect: 'manual' });
    expect([path, response.status]).toEqual([path, 401]);
    expect(response.headers.get('www-authenticate')).toMatch(/^Basic /);
    expect(await response.text()).not.toMatch(/<script|alice|guarded/);
  }

  /** Expects that a message's path shows only this node's part, and that every page works. */
  async function showsOwnPart(id: string, options?: Parameters<typeof scene.open>[1]): Promise<void> {
    const page = await scene.open(`flow/${id}`, options);
    await page.getByRole('region', { name: 'alice', exact: true }).waitFor();
    expect(await page.getByText('development view').count()).toBe(0);
    expect(await page.getByRole('region', { name: 'bob', exact: true }).count()).toBe(0);
    for (const path of pages) {
      await scene.turn(page, path);
      expect([path, await page.getByRole('alert').count()]).toEqual([path, 0]);
    }
  }
});
