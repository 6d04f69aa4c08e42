import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { compiled } from '../../../support/compiled.js';
import { createArmedFailpoint } from '../../../../src/adapters/failpoint/armed.js';

const module = compiled('src/adapters/failpoint/armed.ts');

describe('createArmedFailpoint', () => {
  it.each([undefined, ''])('arms nothing without a specification (%j)', async (specification) => {
    await createArmedFailpoint(specification).reach('batch.after-seal');
  });

  it('resolves later with a delay', async () => {
    const failpoint = createArmedFailpoint('tx.after-send:1:delay=20');
    const startMs = performance.now();
    await failpoint.reach('tx.after-send');
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(19);
  });

  it('ends the process like SIGKILL, and nothing after the point runs', async () => {
    const code = `
      import { createArmedFailpoint } from ${JSON.stringify(module)};
      await createArmedFailpoint('chain.after-fsync:1:kill').reach('chain.after-fsync');
      console.log('still here');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const output: string[] = [];
    child.stdout.on('data', (chunk) => output.push(String(chunk)));
    const [, signal] = await once(child, 'close');
    expect(signal).toBe('SIGKILL');
    expect(output).toEqual([]);
  });

  it.each(['x', 'x:0:kill', 'x:1:explode', 'x:1:delay', 'x:1:delay=-1', 'X:1:kill', 'x:1:kill,'])(
    'refuses to start with a specification it cannot read: %j',
    (specification) => {
      expect(() => createArmedFailpoint(specification)).toThrow('A failpoint is name:hit:action');
    },
  );
});
