import { readFile } from 'node:fs/promises';
import { createAgents } from '../../http/client/agents.js';
import { type HttpRequest, openRequest } from '../../http/client/request.js';
import { readBeginning } from '../../http/client/response.js';
import { isCertificate, pinnedTo } from '../../http/client/trust.js';

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
  const agents = createAgents({ maxConnections });
  const pins = createPins();
  return {
    ask: async (url, { timeoutMs, certificateFile }) => {
      const limits = { totalMs: timeoutMs };
      const tls = certificateFile === undefined ? {} : pinnedTo(await pins(certificateFile));
      return ask({ url, agents, tls, limits });
    },
    close: () => agents.close(),
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

async function ask(request: HttpRequest): Promise<ProbeResult> {
  try {
    const response = await openRequest(request);
    const text = await readBeginning(response, maxBodyBytes);
    return response.status === 200 ? resultOf(text) : 'missing';
  } catch (error) {
    const hasExpired = error instanceof Error && 'code' in error && error.code === 'CERT_HAS_EXPIRED';
    return hasExpired ? { problem: 'Its certificate has expired: renew the files of tls.' } : 'missing';
  }
}

function resultOf(body: string): ProbeResult {
  const [, problem] = /"problem"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(body) ?? [];
  if (problem !== undefined) return { problem };
  return /"ready"\s*:\s*false/.test(body) ? 'alive' : 'ready';
}
