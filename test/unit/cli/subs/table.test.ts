import { describe, expect, it } from 'vitest';
import { subscriptionText } from '../../../../src/cli/subs/table.js';
import { textOf } from '../../../../src/wire/json/json.js';
import type { DeliveryStatus } from '../../../../src/wire/events/webhook.js';

function shown(delivery?: DeliveryStatus): string {
  return subscriptionText({
    id: '0541ff22-cb16-40bd-8155-45c11a8bc46c',
    namespace: 'default',
    name: 'hook',
    transport: 'webhooks',
    filter: textOf({ message: { tag: '^order$' } }),
    options: textOf({ url: 'http://127.0.0.1:9000/' }),
    ephemeral: false,
    created: '2026-01-15T10:00:00.123Z',
    updated: null,
    status: { currentOffset: 42, connections: 1, inFlight: 1, lag: 7, ...(delivery !== undefined && { delivery }) },
  });
}

describe('a subscription as a person reads it', () => {
  it('shows its filter and its position', () => {
    expect(shown()).toMatch(/filter +message\.tag=\^order\$\n/);
    expect(shown()).toMatch(/acknowledged +up to sequence 42\nlag +7 sequences\n/);
  });

  it('shows why its webhook does not accept an event, and when it is retried', () => {
    const text = shown({ failures: 3, lastError: 'It said\u{1b}[2J no.', nextAttempt: '2026-01-15T10:00:01.000Z' });
    expect(text).toMatch(/failures +3 /);
    expect(text).toMatch(/last error +It said\\u\{1b\}\[2J no\./);
    expect(text).toMatch(/next attempt +2026-01-15T10:00:01\.000Z/);
  });

  it('mentions no failures if there are none', () => {
    expect(shown({ failures: 0 })).toBe(shown());
  });
});
