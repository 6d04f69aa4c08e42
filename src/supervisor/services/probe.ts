import { readFile } from 'node:fs/promises';
import { createAgents } from '../../http/client/agents.js';
import { type HttpRequest, openRequest } from '../../http/client/request.js';
import { readBeginning } from '../../http/client/response.js';
import { isCertificate, pinnedTo } from '../../http/client/trust.js';

/** The result of a health check; `problem` = the service reports a problem that a restart would not solve. */
export type ProbeResult = 'ready' | 'alive' | 'missing' | { readonly problem: string };

interface ProbeOptions {
  readonly timeoutMs: number;
  /** The file of the certificate that the service must present, for an `https:` URL. */
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
  const certificatesIn = createCertificateReader();
  return {
    ask: async (url, { timeoutMs, certificateFile }) => {
      const limits = { totalMs: timeoutMs };
      const tls = certificateFile === undefined ? {} : pinnedTo(await certificatesIn(certificateFile));
      return ask({ url, agents, tls, limits });
    },
    close: () => agents.close(),
  };
}

/** Reads the certificate of a file, and its predecessors: a service presents a new one only after a moment. */
function createCertificateReader(): (file: string) => Promise<readonly string[]> {
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
    return hasExpired
      ? { problem: 'Its certificate has expired. Renew the files that tls names in stack.yaml.' }
      : 'missing';
  }
}

function resultOf(body: string): ProbeResult {
  const [, problem] = /"problem"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(body) ?? [];
  if (problem !== undefined) return { problem };
  return /"ready"\s*:\s*false/.test(body) ? 'alive' : 'ready';
}
