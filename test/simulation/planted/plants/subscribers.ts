import { firstWebhookSeed } from '../../seed-kinds.js';
import type { Plant } from '../plant.js';

/** Bugs of webhooks, which only the seeds that call any can notice. */
export const webhookPlants: readonly Plant[] = [
  {
    id: 'P73',
    bug: 'whatever a webhook answers acknowledges its event',
    from: firstWebhookSeed,
    patches: [
      {
        file: 'src/pipeline/deliver/webhooks/attempt.js',
        find: 'else if (reply.status < 200 || reply.status > 299)',
        replace: 'else if (false)',
      },
    ],
  },
  {
    id: 'P74',
    bug: 'a call without an answer acknowledges its event',
    from: firstWebhookSeed,
    patches: [
      {
        file: 'src/pipeline/deliver/webhooks/attempt.js',
        find: `return { status: 'failed', error };`,
        replace: `return { status: 'done' };`,
      },
    ],
  },
];
