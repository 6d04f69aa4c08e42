import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser } from './fixtures/chromium.js';
import { type EventProxy, startEventProxy } from './fixtures/event-proxy.js';
import { failedConnections, untilLive, useScene } from './fixtures/explorer.js';
import { heapMegabytes, type Smoothness, smoothnessDuring } from './fixtures/frames.js';
import { slownessOf } from './fixtures/pace.js';
import { pages } from './fixtures/pages.js';

/**
 * Budgets on a machine that runs other work too: a time is divided by the slowness of the browser at fixed work at that
 * moment, a test fails only beyond twice the limit, and the best of some attempts counts. The length of frames, and the
 * processor time that tabs cost their node, are meaningful only on a quiet machine, so they are checked with
 * `STREAM_SECONDS=600`, which streams for ten minutes; otherwise the processor time of a frame and the requests of tabs
 * are checked. `--reporter=verbose` shows the figures.
 */
const slack = 2;
const attempts = 3;
const quietSeconds = Number(process.env['STREAM_SECONDS'] ?? 0);
const streamSeconds = quietSeconds || 5;
const windowSeconds = 5;
const perSecond = 500;
const maxFrameMs = 33;
const maxWorkMs = 24;
/** Requests of one tab while many events arrive: a dozen reads every two seconds. */
const maxRequestsPerSecond = 6;
interface BenchReport {
  readonly processes: readonly { readonly name: string; readonly cpuSeconds: number | null }[];
}

let proxy: EventProxy;
const origins: string[] = [];
const scene = useScene({ origins, allows: failedConnections });

/** Opens a page behind the proxy, and waits until it is live. */
async function openBehindProxy(path: string): Promise<Page> {
  const page = await scene.browser.open();
  await page.goto(`${proxy.origin}/ui/default/${path}`);
  await untilLive(page);
  return page;
}

async function sendAndSee(page: Page, tag: string): Promise<void> {
  const id = await scene.send(JSON.stringify({ header: { tag }, data: [{ value: 1 }] }));
  const shown = page.getByRole('row').filter({ hasText: id.slice(0, 8) });
  await shown.first().waitFor();
}

describe.skipIf(hasNoBrowser)('the budgets of the explorer', () => {
  beforeAll(async () => {
    proxy = await startEventProxy(scene.network.addressOf('/').slice(0, -1));
    origins.push(proxy.origin);
  });
  afterAll(() => proxy.close());

  it('paints within a second, and switches to a loaded page within a tenth of a second', async ({ annotate }) => {
    await scene.send('{"header":{"tag":"paint"},"data":[{"value":1}]}');
    const paints: number[] = [];
    const before = await slowness();
    for (let attempt = 0; attempt < attempts; attempt++) {
      const page = await scene.open('overview');
      paints.push(await page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`));
    }
    const page = await scene.open('messages');
    await scene.turn(page, 'events');
    const changes = await page.evaluate<readonly number[]>(`(async () => {
      const changes = [];
      for (const name of ['Messages', 'Events', 'Messages', 'Events', 'Messages', 'Events']) {
        const startMs = performance.now();
        [...document.querySelectorAll('nav a')].find(({ textContent }) => textContent === name).click();
        const isThere = () =>
          document.querySelector('h1')?.textContent === name && document.querySelector('[data-row]') !== null;
        do await new Promise((painted) => requestAnimationFrame(painted)); while (!isThere());
        changes.push(performance.now() - startMs);
      }
      return changes;
    })()`);
    const factor = slack * Math.max(before, await slowness());
    const [paintMs, changeMs] = [Math.min(...paints), Math.min(...changes)].map(Math.round);
    await annotate(
      `first contentful paint ${paintMs} ms, page change ${changeMs} ms, ${factor.toFixed(1)} times is late`,
    );
    expect(paintMs).toBeLessThanOrEqual(factor * 1_000);
    expect(changeMs).toBeLessThanOrEqual(factor * 100);
  });

  it('sends no requests while nothing happens', async ({ annotate }) => {
    const page = await scene.browser.open();
    await page.clock.install();
    await page.goto(scene.network.addressOf('/ui/default/overview'));
    await untilLive(page);
    let requests = 0;
    page.on('request', () => requests++);
    const counts: [path: string, requests: number][] = [];
    // The code of the other pages is prefetched once.
    do {
      requests = 0;
      await page.clock.runFor(1_000);
      await scene.browser.settled(page);
    } while (requests > 0);
    // No event reports a change of a process, so the page of the stack polls every two seconds while it is visible.
    for (const path of pages.filter((each) => each !== 'network/stack')) {
      await scene.turn(page, path);
      requests = 0;
      await page.clock.runFor(60_000);
      counts.push([path, requests]);
    }
    await annotate(`requests in a minute: ${counts.map(([path, count]) => `${path} ${count}`).join(', ')}`);
    expect(counts.filter(([, requests]) => requests > slack)).toEqual([]);
  });

  it('keeps up with 500 events a second', { timeout: (2 * streamSeconds + 120) * 1_000 }, async ({ annotate }) => {
    const page = await openBehindProxy('events');
    await sendAndSee(page, 'stream');
    const windows: Smoothness[] = [];
    const before = await slowness();
    for (let passed = 0; passed < streamSeconds; passed += windowSeconds)
      windows.push(await smoothnessDuring(page, () => proxy.stream({ perSecond, seconds: windowSeconds })));
    const heap = await heapMegabytes(page);
    const longest = windows.map(({ longestTaskMs }) => longestTaskMs);
    await annotate(`${framesText(windows)}, longest task ${spread(longest)}, heap ${heap} MB`);
    judgeFrames(windows, Math.max(before, await slowness()));
    if (quietSeconds > 0) expect(median(longest)).toBeLessThanOrEqual(slack * 100);
    expect(heap).toBeLessThanOrEqual(slack * 150);
  });

  it('sends its node few requests while ten tabs watch many events', { timeout: 300_000 }, async ({ annotate }) => {
    await nodeSeconds();
    const without: number[] = [];
    const watched: number[] = [];
    const requests: number[] = [];
    for (let attempt = 0; attempt < (quietSeconds > 0 ? attempts : 1); attempt++) {
      without.push(await nodeSeconds());
      const tabs = await Promise.all(Array.from({ length: 10 }, () => scene.open('events')));
      let count = 0;
      for (const tab of tabs) tab.on('request', () => count++);
      const startMs = performance.now();
      watched.push(await nodeSeconds());
      requests.push((count / tabs.length / (performance.now() - startMs)) * 1_000);
      await Promise.all(tabs.map((tab) => tab.close()));
    }
    const text = (values: readonly number[]) => values.map((value) => value.toFixed(2)).join(', ');
    await annotate(`alone ${text(without)} s, watched ${text(watched)} s of processor time`);
    await annotate(`${text(requests)} requests a second and tab`);
    expect(median(requests)).toBeLessThanOrEqual(slack * maxRequestsPerSecond);
    const share = (median(watched) - median(without)) / median(without);
    if (quietSeconds > 0) expect(share).toBeLessThanOrEqual(slack * 0.1);
  });

  it('scrolls through a list of 100,000 rows, and keeps 5,000 of them', { timeout: 180_000 }, async ({ annotate }) => {
    const page = await scene.open('overview');
    await serveManyData(page);
    const firsts: number[] = [];
    const before = await slowness();
    for (let attempt = 0; attempt < attempts; attempt++) {
      // A different range of time for each, since a known answer is shown at once.
      firsts.push(await firstRowAfter(page, `/ui/default/data?sort=-created&from=-${attempt + 1}d`));
      await scene.turn(page, 'overview');
    }
    await scene.turn(page, 'data?sort=-created');
    const box = `document.querySelector('[role="region"][aria-label*="data"]')`;
    const rows = page.getByRole('region', { name: 'data' }).getByRole('table');
    const away = page.getByRole('button', { name: 'Back to top' });
    while (!(await away.isVisible())) {
      const count = await rows.getAttribute('aria-rowcount');
      await page.evaluate(`${box}.scrollTop = ${box}.scrollHeight`);
      await expect.poll(async () => rows.getAttribute('aria-rowcount')).not.toBe(count);
    }
    expect(Number(await rows.getAttribute('aria-rowcount'))).toBeLessThanOrEqual(5_001);
    const jumps: Smoothness[] = [];
    for (let attempt = 0; attempt < attempts; attempt++)
      jumps.push(await smoothnessDuring(page, () => page.evaluate(jumpAbout(box))));
    const firstMs = Math.round(Math.min(...firsts));
    await annotate(`first rows ${firstMs} ms, ${framesText(jumps)}`);
    await away.click();
    await page.getByText('00000000').first().waitFor();
    const found = Math.max(before, await slowness());
    expect(firstMs).toBeLessThanOrEqual(slack * found * 300);
    judgeFrames(jumps, found);
  });
});

/** Returns the processor time of alice's node during three seconds with some 500 events a second. */
async function nodeSeconds(): Promise<number> {
  const load = 'stack bench broadcast --rate 400/s --warmup 1s --duration 3s --json || true';
  const { processes } = JSON.parse(await scene.network.shell(load)) as BenchReport;
  const seconds = processes.find(({ name }) => name === 'alice')?.cpuSeconds;
  if (typeof seconds !== 'number') throw new Error('The report of the bench has no processor time of the node.');
  return seconds;
}

/** Returns the slowness of an idle page; always 1 on a machine that is declared quiet. */
async function slowness(): Promise<number> {
  if (quietSeconds > 0) return 1;
  const page = await scene.browser.open();
  const found = await slownessOf(page);
  await page.close();
  return found;
}

function judgeFrames(found: readonly Smoothness[], slowness: number): void {
  const workMs = Math.min(...found.map(({ workPerFrameMs }) => workPerFrameMs));
  expect(workMs).toBeLessThanOrEqual(slack * slowness * maxWorkMs);
  if (quietSeconds === 0) return;
  expect(median(found.map(({ p99FrameMs }) => p99FrameMs))).toBeLessThanOrEqual(slack * maxFrameMs);
}

function framesText(found: readonly Smoothness[]): string {
  const p99s = found.map(({ p99FrameMs }) => p99FrameMs);
  const work = found.map(({ workPerFrameMs }) => workPerFrameMs);
  return `p99 frame ${spread(p99s)}, ${median(p99s)} ms in the middle, work of a frame ${spread(work)}`;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? NaN;
}

/** Page code that scrolls a box to a hundred places, one in each frame. */
const jumpAbout = (box: string) => `(async () => {
  for (let jump = 0; jump < 100; jump++) {
    ${box}.scrollTop = ((jump * 7_919) % 100) / 200 * ${box}.scrollHeight;
    await new Promise((painted) => requestAnimationFrame(painted));
  }
})()`;

/** Returns the milliseconds from the choice of a page until its first row is painted. */
function firstRowAfter(page: Page, url: string): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const startMs = performance.now();
    history.pushState(null, '', ${JSON.stringify(url)});
    dispatchEvent(new PopStateEvent('popstate'));
    const isThere = () => document.querySelector('[data-row="0"]') !== null;
    do await new Promise((painted) => requestAnimationFrame(painted)); while (!isThere());
    return performance.now() - startMs;
  })()`);
}

/** Makes requests of a page see 100,000 data items at the node. */
async function serveManyData(page: Page): Promise<void> {
  const limit = 100;
  let served = 0;
  await page.route(/\/namespaces\/default\/data\?/, async (route) => {
    const isBehind = new URL(route.request().url()).searchParams.has('skip');
    served = isBehind ? served : 0;
    const items = Array.from({ length: limit }, (_, index) => {
      const place = served + index;
      const created = new Date(Date.UTC(2026, 0, 15) - place).toISOString();
      const id = `${place.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
      return { id, validator: 'json', namespace: 'default', hash: 'a'.repeat(64), created, value: place };
    });
    served += limit;
    await route.fulfill({ json: items });
  });
}

function spread(values: readonly number[]): string {
  return `${Math.min(...values)} to ${Math.max(...values)} ms`;
}
