import { textOf, valueOf } from '../wire/json/json.js';
import type { JsonText } from '../wire/scalar.js';
import type { SubscriptionRequest } from '../wire/events/subscription.js';
import { WebhookHttpOptions, WebhookInput, webhookOptionNames, WebhookRetry } from '../wire/events/webhook.js';
import { filterNames } from './events/filter.js';
import { deliveryOptionNames } from './events/subscription.js';

/** Every option of a webhook; nested ones with dots. */
const webhookOptions: readonly string[] = [
  ...webhookOptionNames,
  ...Object.keys(WebhookInput.properties).map((name) => `input.${name}`),
  ...Object.keys(WebhookRetry.properties).map((name) => `retry.${name}`),
  ...Object.keys(WebhookHttpOptions.properties).map((name) => `httpOptions.${name}`),
];

/**
 * Removes the unknown filters and options of a subscription and lists their paths. A strict caller's request is refused
 * instead (docs/api.md §14.2).
 */
export function withoutUnknown(request: SubscriptionRequest): {
  readonly request: SubscriptionRequest;
  readonly ignored: readonly string[];
} {
  const { filter, options, ...rest } = request;
  const ignored: string[] = [];
  const known = [...deliveryOptionNames, ...(request.transport === 'webhooks' ? webhookOptions : [])];
  return {
    request: {
      ...rest,
      ...(filter !== undefined && { filter: knownPart(filter, 'filter', filterNames, ignored) }),
      ...(options !== undefined && { options: knownPart(options, 'options', known, ignored) }),
    },
    ignored,
  };
}

/** The members of an object that are known; the paths of the others are added to `ignored`. */
function knownPart(text: JsonText, field: string, known: readonly string[], ignored: string[]): JsonText {
  const part = (value: unknown, prefix: string): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const isOpen = prefix !== '' && !known.some((name) => name.startsWith(prefix));
    if (isOpen) return value;
    const members = Object.entries(value).filter(([name]) => {
      const path = prefix + name;
      const isKnown = known.some((each) => each === path || each.startsWith(`${path}.`));
      if (!isKnown) ignored.push(`${field}.${path}`);
      return isKnown;
    });
    return Object.fromEntries(members.map(([name, member]) => [name, part(member, `${prefix}${name}.`)]));
  };
  return textOf(part(valueOf(text), ''));
}
