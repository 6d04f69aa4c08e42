import type { HttpClient } from '../../../src/bench/http.js';

/** One decided message in a node's own history. */
export interface Entry {
  readonly sequence: number;
  readonly type: string;
  readonly message: string;
}

const pageSize = 1_000;

/** Returns the decisions of a node so far, in the order of its events. */
export async function readHistory(http: HttpClient, url: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let last = 0; ;) {
    const path = `events?sort=sequence&limit=${pageSize}&type=^message_&sequence=%3E${last}`;
    const page = await readJson<{ sequence: number; type: string; reference: string }[]>(http, url, path);
    entries.push(...page.map(({ sequence, type, reference: message }) => ({ sequence, type, message })));
    last = page.at(-1)?.sequence ?? last;
    if (page.length < pageSize) return entries;
  }
}

/** Returns the answer of a GET below the default namespace. */
export async function readJson<T>(http: HttpClient, url: string, path: string): Promise<T> {
  return JSON.parse((await http.get(`${url}/api/v1/namespaces/default/${path}`)).toString('utf8')) as T;
}

/** Returns the ids of an accepted POST. @throws Error for any other answer than 202 */
export async function send(http: HttpClient, url: string, path: string, body: unknown): Promise<string> {
  const address = `${url}/api/v1/namespaces/default/${path}`;
  const { status, bytes } = await http.exchange(address, { method: 'POST', body: JSON.stringify(body) });
  const text = bytes.toString('utf8');
  if (status !== 202) throw new Error(`${path} answered ${status}: ${text.slice(0, 300)}`);
  const { header } = JSON.parse(text) as { readonly header: { readonly id: string } };
  return header.id;
}

/** Runs `count` pieces of work, at most `parallel` at a time, and returns their results in order of number. */
export async function inParallel<T>(
  count: number,
  parallel: number,
  work: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) results[index] = await work(index);
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return results;
}

/** Polls twice a second until a condition holds. @throws Error if it does not within the time */
export async function until(what: string, withinMs: number, holds: () => Promise<boolean>): Promise<number> {
  const startMs = performance.now();
  while (!(await holds())) {
    if (performance.now() - startMs > withinMs) throw new Error(`${what}: not within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return Math.round(performance.now() - startMs);
}

/** Collects facts that must hold at the end of a trial; each is printed, and a false one fails the trial. */
export function createVerdicts(print: (line: string) => void) {
  let failures = 0;
  return {
    expect(sentence: string, holds: boolean, detail = ''): void {
      if (!holds) failures += 1;
      print(`${holds ? 'ok      ' : 'VIOLATED'} ${sentence}${detail === '' ? '' : ` (${detail})`}`);
    },
    failures: () => failures,
  };
}
export type Verdicts = ReturnType<typeof createVerdicts>;
