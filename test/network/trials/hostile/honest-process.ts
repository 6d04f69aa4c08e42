import { once } from 'node:events';
import { createHttpClient } from '../../../../src/bench/http.js';
import { type HonestPlan, startHonestTraffic } from './honest.js';
import type { Party } from './world.js';

/** The process of an honest client: sends `started`, and on request the messages with their latencies. */
const { parties, plan } = JSON.parse(process.argv[2] ?? '') as {
  readonly parties: readonly Party[];
  readonly plan: HonestPlan;
};
const http = createHttpClient({ timeoutMs: 60_000 });
const told = once(process, 'message');
const traffic = await startHonestTraffic(http, parties, plan);
process.send?.('started');
await told;
const messages = await traffic.end();
http.close();
await new Promise((resolve) => process.send?.(messages, resolve));
process.disconnect();
