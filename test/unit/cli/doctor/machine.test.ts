import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkHome, nodeCheck } from '../../../../src/cli/doctor/machine.js';

describe('the check of Node', () => {
  it.each(['20.20.2', '20.21.0', '22.22.2', '24.14.1', '26.0.0'])('finds nothing in %s', (version) => {
    expect(nodeCheck(version)).toMatchObject({ state: 'ok' });
  });

  it.each(['20.19.0', '20.20.1', '22.22.1', '24.14.0'])('warns of the vulnerabilities of %s', (version) => {
    expect(nodeCheck(version)).toMatchObject({ state: 'warn', remedy: expect.stringContaining('newer') as string });
  });
});

describe('the check of the home', () => {
  it('finds nothing if it can be created', async () => {
    const home = join(tmpdir(), 'parley-no-such-home', 'parley');
    expect(await checkHome({ home })).toEqual({ name: 'home', state: 'ok', text: home });
  });

  it('fails if nothing can be written', async () => {
    expect(await checkHome({ home: join(process.execPath, 'parley') })).toMatchObject({
      state: 'fail',
      text: `${process.execPath} cannot be written: a part of its path is not a directory`,
      remedy: expect.stringContaining('STACK_HOME') as string,
    });
  });
});
