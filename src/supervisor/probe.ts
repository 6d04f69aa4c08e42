import { Agent, request } from 'node:http';

export type ProbeResult = 'ready' | 'alive' | 'missing';

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
            resolve(response.statusCode !== 200 ? 'missing' : /"ready"\s*:\s*false/.test(body) ? 'alive' : 'ready');
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
