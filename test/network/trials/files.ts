import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createHttpClient, type HttpClient } from '../../../src/bench/http.js';
import { createVictimStack, type VictimStack } from '../crash/victim-stack.js';
import { readJson, send, until, type Verdicts } from './history.js';

const chunkBytes = 1_024 * 1_024;
const settleMs = 1_800_000;
const maxRssBytes = 256 * 1_024 * 1_024;
const sampleMs = 200;

/**
 * Uploads a large file, sends it to one party in private, then broadcasts it: its hash must be the same everywhere, no
 * process may grow, and no temporary files may remain. With `interruptions`, processes are killed at random points
 * meanwhile.
 */
export async function tryFiles(
  root: string,
  { sizeBytes, interruptions }: { readonly sizeBytes: number; readonly interruptions: number },
  verdicts: Verdicts,
  print: (line: string) => void,
): Promise<void> {
  const stack = await createVictimStack(root, '3');
  const http = createHttpClient({ timeoutMs: 120_000 });
  const memory = watchMemory(stack);
  const file = join(stack.home, 'large-file');
  try {
    const [alice, bob, carol] = stack.parties;
    if (alice === undefined || bob === undefined || carol === undefined) throw new Error('there are three parties');
    const sha256 = await writeRandomFile(file, sizeBytes);
    const megabytesPerSecond = (ms: number) => (sizeBytes / 1_000 / Math.max(1, ms)).toFixed(0);

    let startMs = performance.now();
    const { id, hash } = await upload(alice.url, file);
    print(`uploaded at ${megabytesPerSecond(performance.now() - startMs)} MB/s`);
    verdicts.expect('the upload has the hash of the file', hash === sha256);

    startMs = performance.now();
    const kills = interrupt(stack, interruptions, print);
    const group = { members: [{ identity: bob.name }] };
    const letter = await send(http, alice.url, 'send/message', { group, data: [{ id }] });
    await untilConfirmed(http, bob.url, letter);
    await kills.done;
    print(`in private at ${megabytesPerSecond(performance.now() - startMs)} MB/s, ${kills.count()} kills`);
    verdicts.expect(`${bob.name} has the file`, (await download(bob.url, id)) === sha256);

    startMs = performance.now();
    const more = interrupt(stack, interruptions, print);
    const news = await send(http, alice.url, 'broadcast/message', { data: [{ id }] });
    await untilConfirmed(http, carol.url, news);
    await more.done;
    print(`by broadcast at ${megabytesPerSecond(performance.now() - startMs)} MB/s, ${more.count()} kills`);
    verdicts.expect(`${carol.name} has the file`, (await download(carol.url, id)) === sha256);

    const peak = memory.stop();
    for (const [name, bytes] of peak) print(`peak of ${name}: ${Math.round(bytes / 1_048_576)} MB`);
    verdicts.expect(
      'no process is above 256 MB',
      [...peak.values()].every((bytes) => bytes <= maxRssBytes),
    );
    const left = filesBelow(stack.home).filter((path) => /incoming|temporary|\.tmp|partial|\.part/.test(path));
    verdicts.expect('nothing is left in temporary places', left.length === 0, left.join(', '));
  } finally {
    memory.stop();
    http.close();
    await rm(file, { force: true });
    await stack.remove();
  }
}

async function writeRandomFile(path: string, sizeBytes: number): Promise<string> {
  const hash = createHash('sha256');
  const block = randomBytes(chunkBytes);
  function* blocks() {
    for (let written = 0; written < sizeBytes; written += chunkBytes) {
      const part = Buffer.from(block.subarray(0, Math.min(chunkBytes, sizeBytes - written)));
      part.writeUInt32LE(Math.floor(written / chunkBytes), 0);
      hash.update(part);
      yield part;
    }
  }
  await pipeline(blocks, createWriteStream(path));
  return hash.digest('hex');
}

function upload(url: string, file: string): Promise<{ readonly id: string; readonly hash: string }> {
  const boundary = 'a-boundary-that-no-block-has';
  const head =
    `--${boundary}\r\nContent-Disposition: form-data; name="autometa"\r\n\r\ntrue\r\n` +
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="large-file"\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  const length = Buffer.byteLength(head) + statSync(file).size + Buffer.byteLength(tail);
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': length };
    const outgoing = request(`${url}/api/v1/namespaces/default/data`, { method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        if (response.statusCode !== 200) {
          reject(new Error(`the upload was answered ${response.statusCode}: ${text}`));
          return;
        }
        const item = JSON.parse(text) as { readonly id: string; readonly blob: { readonly hash: string } };
        resolve({ id: item.id, hash: item.blob.hash });
      });
    });
    outgoing.on('error', reject);
    async function* parts() {
      yield Buffer.from(head);
      for await (const part of createReadStream(file, { highWaterMark: chunkBytes })) yield part as Buffer;
      yield Buffer.from(tail);
    }
    pipeline(parts, outgoing).catch(reject);
  });
}

/** Returns the SHA-256 of what a node serves as the blob of an item. */
function download(url: string, id: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request(`${url}/api/v1/namespaces/default/data/${id}/blob`, (response) => {
      const hash = createHash('sha256');
      response.on('data', (part: Buffer) => hash.update(part));
      response.on('end', () => {
        resolve(response.complete ? hash.digest('hex') : 'cut');
      });
      response.on('error', reject);
    })
      .on('error', reject)
      .end();
  });
}

async function untilConfirmed(http: HttpClient, url: string, id: string): Promise<void> {
  await until(`message ${id} is confirmed`, settleMs, async () => {
    try {
      const [message] = await readJson<{ readonly state: string }[]>(http, url, `messages?id=${id}`);
      return message?.state === 'confirmed';
    } catch {
      // The node has just been killed, or is starting: it is polled again until the time is up.
      return false;
    }
  });
}

/** Kills a node or the store at random points, each time waiting until all are healthy again. */
function interrupt(stack: VictimStack, times: number, print: (line: string) => void) {
  let count = 0;
  const run = async (): Promise<void> => {
    for (; count < times; count++) {
      await new Promise((resolve) => setTimeout(resolve, 500 + Math.random() * 3_000));
      const victims = (await stack.victims()).filter(({ name }) => name !== 'supervisor' && name !== 'chain');
      const victim = victims[Math.floor(Math.random() * victims.length)];
      if (victim === undefined || !stack.kill(victim)) continue;
      print(`killed ${victim.name}`);
      await stack.healthy(60_000);
    }
  };
  return { done: run(), count: () => count };
}

/** Samples the resident memory of every service, and returns the peaks. */
function watchMemory(stack: VictimStack) {
  const peaks = new Map<string, number>();
  let isOver = false;
  const sample = async (): Promise<void> => {
    while (!isOver) {
      for (const { name, pid } of await stack.victims().catch(() => [])) {
        peaks.set(name, Math.max(peaks.get(name) ?? 0, residentBytes(pid)));
      }
      await new Promise((resolve) => setTimeout(resolve, sampleMs));
    }
  };
  void sample();
  return {
    stop(): ReadonlyMap<string, number> {
      isOver = true;
      return peaks;
    },
  };
}

function residentBytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
  } catch {
    // The process has just ended.
    return 0;
  }
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
