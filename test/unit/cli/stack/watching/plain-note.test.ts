import { describe, expect, test } from 'vitest';
import { plainNodes } from '../../../../../src/cli/stack/watching/plain-note.js';
import { rowsOf } from '../../../../../src/stack/status.js';
import { portsFrom } from '../../../../../src/stack/ports/ports.js';
import { someSettings } from '../../../stack/fixtures/place.js';

function noteOn(...lines: readonly string[]): string | undefined {
  const settings = someSettings('auth: {enabled: true}', ...lines);
  const services = rowsOf(settings, portsFrom(16_000, ['alice', 'bob']), undefined);
  return plainNodes(settings, { services });
}

describe('The note on nodes that are reached without TLS', () => {
  test.each(['bind: 0.0.0.0', 'bind: "::"', 'bind: 10.0.0.1'])('names the setting of TLS for %s', (bind) => {
    expect(noteOn(bind)).toMatch(/^alice, bob: .*tls: /);
  });

  test.each([
    [[]],
    [['bind: 127.0.0.2']],
    [['bind: 10.0.0.1', 'trustedNetwork: true']],
    [['bind: 10.0.0.1', 'tls: {cert: "file:/a", key: "file:/b"}']],
  ])('is not made for %j', (lines) => {
    expect(noteOn(...lines)).toBeUndefined();
  });
});
