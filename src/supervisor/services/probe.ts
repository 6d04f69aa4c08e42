import { readFile } from 'node:fs/promises';
import { Agent, request as requestPlain, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as requestSecure, type RequestOptions } from 'node:https';
import { isCertificate, pinnedTo } from '../../http/secure-route.js';

/** An answer; `problem` = it says what it lacks, and a restart would not bring that. */
export type ProbeResult = 'ready' | 'alive' | 'missing' | { readonly problem: string };

interface ProbeOptions {
  readonly timeoutMs: number;
  /** The file of the certificate that the service must show, for an `https:` URL. */
  readonly certificateFile?: string | undefined;
}

/** Checks the health of a stack's programs over HTTP, with kept-alive connections. */
export interface Probe {
  /** `missing` = no 200 within the timeout; `alive` = a 200 whose body has `"ready":false`. It never rejects. */
  ask(url: string, options: ProbeOptions): Promise<ProbeResult>;
  close(): void;
}

const maxBodyBytes = 65_536;
const maxConnections = 2;

export function createProbe(): Probe {
  const plain = new Agent({ keepAlive: true, maxSockets: maxConnections });
  const secure = new SecureAgent({ keepAlive: true, maxSockets: maxConnections });
  const pins = createPins();
  return {
    ask: async (url, { timeoutMs, certificateFile }) => {
      const signal = AbortSignal.timeout(timeoutMs);
      if (certificateFile === undefined) return ask((take) => requestPlain(url, { agent: plain, signal }, take));
      const options: RequestOptions = { agent: secure, signal, ...pinnedTo(await pins(certificateFile)) };
      return ask((take) => requestSecure(url, options, take));
    },
    close: () => {
      plain.destroy();
      secure.destroy();
    },
  };
}

/** The certificate in a file, and those that were in it before: a service shows a new one a moment later. */
function createPins(): (file: string) => Promise<readonly string[]> {
  const known = new Map<string, readonly string[]>();
  const maxKnown = 3;
  return async (file) => {
    const before = known.get(file) ?? [];
    const text = await readFile(file, 'utf8').catch(() => '');
    const isNew = isCertificate(text) && !before.includes(text);
    const now = isNew ? [text, ...before].slice(0, maxKnown) : before;
    known.set(file, now);
    return now;
  };
}

function ask(
  send: (take: (response: IncomingMessage) => void) => ReturnType<typeof requestPlain>,
): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const call = send((response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        if (body.length < maxBodyBytes) body += chunk;
      });
      response.on('end', () => {
        resolve(response.statusCode === 200 ? resultOf(body) : 'missing');
      });
      response.on('error', () => {
        resolve('missing');
      });
    });
    call.on('error', (error: NodeJS.ErrnoException) => {
      const hasExpired = error.code === 'CERT_HAS_EXPIRED';
      resolve(hasExpired ? { problem: 'Its certificate has expired: renew the files of tls.' } : 'missing');
    });
    call.end();
  });
}

function resultOf(body: string): ProbeResult {
  const [, problem] = /"problem"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(body) ?? [];
  if (problem !== undefined) return { problem };
  return /"ready"\s*:\s*false/.test(body) ? 'alive' : 'ready';
}
