import { readWebhook } from '../../domain/webhook.js';
import { type Webhook, WebhookError } from '../../ports/webhook.js';
import { ServiceError } from '../../wire/error.js';
import type { JsonText } from '../../wire/scalar.js';

/**
 * Makes the check of the options of a webhook, those of every subscription included (docs/api.md §16).
 *
 * The function it makes throws ServiceError: those of `readWebhook`, and webhook_target when the target is known to be
 * one that is never called.
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
