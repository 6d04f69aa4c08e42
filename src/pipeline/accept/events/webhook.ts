import { readWebhook } from '../../../domain/events/webhook.js';
import { type Webhook, WebhookError } from '../../../ports/webhook.js';
import { ServiceError } from '../../../wire/errors/error.js';
import type { JsonText } from '../../../wire/scalar.js';

/**
 * Returns the function that checks the options of a webhook, including those of every subscription (docs/api.md §16).
 *
 * The check throws ServiceError: those of `readWebhook`, and webhook_refused for a target that is never called.
 */
export function createCheckWebhook({ webhook }: { readonly webhook: Webhook }): (options: JsonText) => Promise<void> {
  return async (options) => {
    const { url } = readWebhook(options);
    try {
      await webhook.check(url);
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      throw new ServiceError('webhook_refused', { problem: error.message });
    }
  };
}
