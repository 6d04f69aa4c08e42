import { onTestFinished } from 'vitest';
import { createSilentLog } from '../../src/adapters/log/silent.js';
import { type Listener, openListener } from '../../src/http/listener.js';
import type { Certificate } from '../../src/http/server.js';

/** Opens an HTTPS service that always reports that it is ready. It is closed when the test ends. */
export async function aCertifiedService(certificate: Certificate): Promise<Listener> {
  const listener = await openListener({
    host: '127.0.0.1',
    port: 0,
    rules: { hosts: [], origins: [], contentTypes: () => [] },
    middleware: [(ctx: { body: unknown }) => void (ctx.body = { ok: true, ready: true })],
    certificate,
    log: createSilentLog(),
  });
  onTestFinished(() => listener.close(0));
  return listener;
}
