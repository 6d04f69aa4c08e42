import { Agent, request } from 'node:http';

/** An answer; `problem` = it says what it lacks, and a restart would not bring that. */
export type ProbeResult = 'ready' | 'alive' | 'missing' | { readonly problem: string };

/** Checks the health of a stack's programs over HTTP, with kept-alive connections. */
export interface Probe {
  /** `missing` = no 200 within the timeout; `alive` = a 200 whose body has `"ready":false`. It never rejects. */
  ask(url: string, timeoutMs: number): Promise<ProbeResult>;
  close(): void;
}

const maxBodyBytes = 65_536;

export function createProbe(): Probe {
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  return {
    ask: (url, timeoutMs) =>
      new Promise((resolve) => {
        const call = request(url, { agent, signal: AbortSignal.timeout(timeoutMs) }, (response) => {
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
        call.on('error', () => {
          resolve('missing');
        });
        call.end();
      }),
    close: () => {
      agent.destroy();
    },
  };
}

function resultOf(body: string): ProbeResult {
  const [, problem] = /"problem"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(body) ?? [];
  if (problem !== undefined) return { problem };
  return /"ready"\s*:\s*false/.test(body) ? 'alive' : 'ready';
}
