import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { compiled } from '../../support/compiled.js';

const logModule = compiled('src/adapters/log/pino.ts');
const programModule = compiled('src/http/program.ts');
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await once(child, 'exit');
  }
});

interface Program {
  readonly child: ChildProcess;
  readonly log: Record<string, unknown>[];
  message(): Promise<unknown>;
  /** Resolves with the exit code, or the signal. */
  ended(): Promise<unknown>;
}

/** Starts a process that only runs `runProgram` with this `start`. */
function startProgram(start: string, options = '', environment: NodeJS.ProcessEnv = {}): Program {
  const code = `
    import { createPinoLog } from ${JSON.stringify(logModule)};
    import { runProgram } from ${JSON.stringify(programModule)};
    const log = createPinoLog({ name: 'test', level: 'info' });
    setInterval(() => {}, 1000);
    await runProgram({
      name: 'test',
      log,
      start: async (signal, { tellProgress, endPermanently }) => { ${start} },
      ${options}
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, ...environment },
  });
  children.push(child);
  const chunks: string[] = [];
  const log: Record<string, unknown>[] = [];
  child.stdout?.on('data', (chunk) => chunks.push(String(chunk)));
  const messages = once(child, 'message');
  const closed = once(child, 'close');
  return {
    child,
    log,
    message: async () => (await messages)[0],
    async ended() {
      const [code, signal] = await closed;
      log.push(
        ...chunks
          .join('')
          .split('\n')
          .filter(Boolean)
          .map((line): Record<string, unknown> => JSON.parse(line)),
      );
      return code ?? signal;
    },
  };
}

const running = `return { port: 7, url: 'http://127.0.0.1:7', stop: async () => { log.info('Closed everything'); } };`;

describe('runProgram', () => {
  it('reports to its parent and its log when it is ready', async () => {
    const program = startProgram(running);
    expect(await program.message()).toEqual({ type: 'ready', port: 7, url: 'http://127.0.0.1:7' });
    program.child.kill('SIGTERM');
    expect(await program.ended()).toBe(0);
    expect(program.log[0]).toMatchObject({ msg: 'Ready', port: 7, pid: program.child.pid });
  });

  it('collects its young objects when it is idle after work', async () => {
    const work = `
      const { constants, PerformanceObserver } = await import('node:perf_hooks');
      const isAsked = ({ detail }) => (detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0;
      new PerformanceObserver((list) => {
        if (list.getEntries().some(isAsked)) process.kill(process.pid, 'SIGTERM');
      }).observe({ entryTypes: ['gc'] });
      // Processor time, since a busy machine may give it little of a second; as much as an interval needs to be busy.
      const work = () => { for (const begin = process.cpuUsage(); process.cpuUsage(begin).user < 1_000_000; ); };
      setTimeout(work, 100);`;
    const program = startProgram(`${work} ${running}`);
    expect(await program.ended()).toBe(0);
    expect(program.log.at(-1)).toMatchObject({ msg: 'Stopped' });
  });

  it('reports on marked lines of its output if it has no other parent', async () => {
    const { child } = startProgram(running, '', { PARLEY_REPORTS: 'stdout' });
    const [chunk] = await once(child.stdout ?? child, 'data');
    const [first = ''] = String(chunk).split('\n');
    expect(first).toBe('\u001e{"type":"ready","port":7,"url":"http://127.0.0.1:7"}');
  });

  it('reports the progress of a long start to its parent', async () => {
    const program = startProgram(`tellProgress('read half of it'); ${running}`);
    expect(await program.message()).toEqual({ type: 'progress', text: 'read half of it' });
  });

  it('ends permanently with its own code, with the reason for its parent and the log', async () => {
    const program = startProgram(`endPermanently(new Error('This is another chain')); return new Promise(() => {});`);
    expect(await program.message()).toEqual({ type: 'failed', message: 'This is another chain' });
    expect(await program.ended()).toBe(78);
    expect(program.log).toMatchObject([{ msg: 'Ended permanently' }]);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('stops in good order at %s', async (signal) => {
    const program = startProgram(running);
    await program.message();
    program.child.kill(signal);
    expect(await program.ended()).toBe(0);
    expect(program.log.map(({ msg }) => msg)).toEqual(['Ready', 'Stopping', 'Closed everything', 'Stopped']);
  });

  it('stops in order when its supervisor is gone', async () => {
    const program = startProgram(running);
    await program.message();
    program.child.stdin?.end();
    expect(await program.ended()).toBe(0);
    expect(program.log.map(({ msg }) => msg)).toContain('Closed everything');
  });

  it('outlives the end of its input if configured so', async () => {
    const program = startProgram(running, 'stopsWithInput: false');
    await program.message();
    program.child.stdin?.end();
    program.child.kill('SIGTERM');
    expect(await program.ended()).toBe(0);
    expect(program.log.find(({ msg }) => msg === 'Stopping')).toMatchObject({ reason: 'SIGTERM' });
  });

  it('reports a failure to start in one line and to its parent, and exits 1', async () => {
    const program = startProgram(`throw new Error('The port is taken');`);
    expect(await program.message()).toEqual({ type: 'failed', message: 'The port is taken' });
    expect(await program.ended()).toBe(1);
    expect(program.log).toHaveLength(1);
    expect(program.log[0]).toMatchObject({
      level: 'error',
      msg: 'Failed to start',
      error: { message: 'The port is taken' },
    });
  });

  it('ends with 0 when it is asked to end before it is ready', async () => {
    const program = startProgram(`
      process.send('starting');
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));`);
    expect(await program.message()).toBe('starting');
    program.child.kill('SIGTERM');
    expect(await program.ended()).toBe(0);
    expect(program.log.map(({ level }) => level)).toEqual(['info']);
  });

  it('ends with 1 when stopping takes too long', async () => {
    const program = startProgram(`return { stop: () => new Promise(() => {}) };`, 'maxStopMs: 50');
    await program.message();
    program.child.kill('SIGTERM');
    expect(await program.ended()).toBe(1);
    expect(program.log.at(-1)).toMatchObject({ level: 'error', msg: 'Did not stop in time' });
  });

  it.each([
    ['an exception', `setTimeout(() => { throw new Error('defect'); }, 1);`],
    ['a rejection', `setTimeout(() => { Promise.reject(new Error('defect')); }, 1);`],
  ])('ends with 1 and a line in the log at %s that nobody catches', async (_what, defect) => {
    const program = startProgram(`${defect} return { stop: async () => {} };`);
    expect(await program.ended()).toBe(1);
    expect(program.log.at(-1)).toMatchObject({ level: 'error', error: { message: 'defect' } });
  });

  it('ends with 1 when stopping fails', async () => {
    const program = startProgram(`return { stop: () => Promise.reject(new Error('cannot stop')) };`);
    await program.message();
    program.child.kill('SIGTERM');
    expect(await program.ended()).toBe(1);
    expect(program.log.at(-1)).toMatchObject({ level: 'error', error: { message: 'cannot stop' } });
  });
});
