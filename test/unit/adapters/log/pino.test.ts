import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { compiled } from '../../../support/compiled.js';
import { createPinoLog } from '../../../../src/adapters/log/pino.js';

const logModule = compiled('src/adapters/log/pino.ts');

describe('createPinoLog', () => {
  it('writes one line of JSON with time, level, name and message', () => {
    const lines: string[] = [];
    createPinoLog({ name: 'store', level: 'info', output: { write: (line) => lines.push(line) } }).info('Ready', {
      id: 1,
    });
    const [line = ''] = lines;
    expect(line.endsWith('}\n')).toBe(true);
    expect(JSON.parse(line)).toEqual({
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      level: 'info',
      name: 'store',
      msg: 'Ready',
      id: 1,
    });
  });

  it('leaves out entries below its level', () => {
    const lines: string[] = [];
    const log = createPinoLog({ name: 'store', level: 'warn', output: { write: (line) => lines.push(line) } });
    log.debug('No');
    log.info('No');
    log.warn('Yes');
    expect(lines).toHaveLength(1);
  });

  it('writes errors with message, stack and cause, under any name and in a child', () => {
    const lines: string[] = [];
    const log = createPinoLog({ name: 'store', level: 'info', output: { write: (line) => lines.push(line) } });
    const error = new Error('outer', { cause: new Error('inner') });
    log.child({ first: error }).error('Broken', { second: error });
    const entry = JSON.parse(lines[0] ?? '');
    for (const written of [entry.first, entry.second]) {
      expect(written.message).toContain('outer');
      expect(written.stack).toContain('inner');
    }
  });

  it.each([
    ['outer', 'inner', 'outer: inner'],
    ['It ended: inner. Do this.', 'inner', 'It ended: inner. Do this.'],
    ['outer', '', 'outer'],
  ])('writes the message of a cause once: %s, %s', (message, cause, written) => {
    const lines: string[] = [];
    const log = createPinoLog({ name: 'store', level: 'info', output: { write: (line) => lines.push(line) } });
    log.error('Broken', { error: new Error(message, { cause: new Error(cause) }) });
    expect(JSON.parse(lines[0] ?? '').error).toMatchObject({ type: 'Error', message: written });
  });

  it('loses nothing when the process exits at once', async () => {
    const output = await outputOf(`log.info('Last words'); process.exit(3);`);
    expect(output.code).toBe(3);
    expect(output.text).toContain('Last words');
  });

  it('survives the end of its reader', async () => {
    const child = startLogging(`
      process.stdin.once('data', () => { for (let i = 0; i < 50; i += 1) log.info('To nobody'); process.exit(7); });
      log.info('Begun');`);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    child.stdin.end('go');
    const [code] = await once(child, 'close');
    expect(code).toBe(7);
  });
});

function startLogging(code: string) {
  const head = `
    import { createPinoLog } from ${JSON.stringify(logModule)};
    const log = createPinoLog({ name: 't', level: 'info' });`;
  return spawn(process.execPath, ['--input-type=module', '-e', head + code], { stdio: ['pipe', 'pipe', 'inherit'] });
}

async function outputOf(code: string): Promise<{ code: unknown; text: string }> {
  const child = startLogging(code);
  const chunks: string[] = [];
  child.stdout.on('data', (chunk) => chunks.push(String(chunk)));
  const [exitCode] = await once(child, 'close');
  return { code: exitCode, text: chunks.join('') };
}
