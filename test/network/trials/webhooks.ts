import { createHttpClient, type HttpClient } from '../../../src/bench/http.js';
import { accepts, type Answer, startWebhookTarget, status } from '../../support/webhook-target.js';
import { createEventStack, pause, soon } from './event-stack.js';
import type { Verdicts } from './history.js';

const settleMs = 120_000;
const phaseMs = 5_000;
const hangs: Answer = () => undefined;

/**
 * A target answers 500, hangs, refuses and is down for a minute, with the node killed meanwhile: all events must arrive
 * in order, and repeated ones in their places.
 */
export async function tryWebhooks(
  root: string,
  { downMs }: { readonly downMs: number },
  verdicts: Verdicts,
  print: (line: string) => void,
): Promise<void> {
  const events = await createEventStack(root);
  const http = createHttpClient({ timeoutMs: 5_000 });
  const target = await startWebhookTarget();
  const taken: string[] = [];
  const takes: Answer = (call, response) => {
    taken.push(call.body);
    accepts(call, response);
  };
  const ending = new AbortController();
  try {
    await subscribeHook(http, events.url, `${target.url}/hook`);
    target.answers(takes);
    const sending = sendUntil(http, events.url, ending.signal);
    await pause(phaseMs);
    target.answers(status(500));
    await pause(phaseMs);
    await events.kill();
    target.answers(hangs);
    await pause(phaseMs);
    await target.goDown();
    await pause(phaseMs);
    await target.comeBack();
    target.answers(takes);
    await pause(phaseMs);
    await target.goDown();
    await pause(downMs / 2);
    await events.kill();
    await pause(downMs / 2);
    await target.comeBack();
    await events.kill();
    ending.abort();
    const sent = await sending;
    const came = () => new Set(taken).size;
    await soon('everything was taken', () => came() === sent.length, settleMs).catch(() => undefined);
    print(`${sent.length} messages, ${target.calls.length} calls, ${taken.length} taken`);
    verdicts.expect('whatever the target did: everything arrives', came() === sent.length, `${came()}`);
    verdicts.expect('in order', [...new Set(taken)].join() === sent.join());
    const isInPlace = taken.every((body, index) => index === 0 || Number(body) >= Number(taken[index - 1]));
    verdicts.expect('and what comes again comes in its place', isInPlace);
  } finally {
    ending.abort();
    http.close();
    await events.remove();
    // It may already be down.
    await target.goDown();
  }
}

async function subscribeHook(http: HttpClient, url: string, hook: string): Promise<void> {
  const body = JSON.stringify({
    name: 'hook',
    transport: 'webhooks',
    filter: { tag: '^hook$' },
    options: { url: hook, withData: true, httpOptions: { requestTimeout: '2s' }, retry: { maxDelay: '2s' } },
  });
  const address = `${url}/api/v1/namespaces/default/subscriptions`;
  const { status: code, bytes } = await http.exchange(address, { method: 'PUT', body });
  if (code !== 200) throw new Error(`the subscription was answered with ${code}: ${bytes.toString('utf8')}`);
}

/**
 * Sends messages one after the other, until the node has each, so that their events have this order. Returns their
 * bodies.
 */
async function sendUntil(http: HttpClient, url: string, signal: AbortSignal): Promise<string[]> {
  const sent: string[] = [];
  const run = `hook-${Date.now()}`;
  const isTaken = async (number: number): Promise<boolean> => {
    const header = { tag: 'hook', topics: ['hook'] };
    const body = JSON.stringify({ header, idempotencyKey: `${run}-${number}`, data: [{ value: number }] });
    const address = `${url}/api/v1/namespaces/default/messages/broadcast`;
    try {
      const { status: code } = await http.exchange(address, { method: 'POST', body });
      return code === 202 || code === 409;
    } catch {
      // The node has just been killed: the message is sent again, with its key.
      return false;
    }
  };
  for (let number = 0; !signal.aborted; number++) {
    while (!(await isTaken(number))) await pause(50);
    sent.push(String(number));
    await pause(50);
  }
  return sent;
}
