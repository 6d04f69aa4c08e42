import { describe, expect, it } from 'vitest';
import { nodeCheck } from '../../../../src/cli/doctor/machine.js';

describe('the check of Node', () => {
  it.each(['20.20.2', '20.21.0', '22.22.2', '24.14.1', '26.0.0'])('finds nothing in %s', (version) => {
    expect(nodeCheck(version)).toMatchObject({ state: 'ok' });
  });

  it.each(['20.19.0', '20.20.1', '22.22.1', '24.14.0'])('warns of the holes of %s', (version) => {
    expect(nodeCheck(version)).toMatchObject({ state: 'warn', remedy: expect.stringContaining('newer') as string });
  });
});
