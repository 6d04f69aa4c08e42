import { describe, expect, it } from 'vitest';
import { ClientError, UnreachableError } from '../../../../src/client/errors.js';
import { CliError, type ExitName, exitCodes } from '../../../../src/cli/errors/exit.js';
import { awayText, describeDown, NodeDownError } from '../../../../src/cli/errors/node-down.js';
import { failureOf, printFailure } from '../../../../src/cli/errors/failure.js';
import { TimeoutError } from '../../../../src/http/client/limits.js';
import { StackError } from '../../../../src/stack/error.js';
import { ServiceError } from '../../../../src/wire/errors/error.js';
import { memoryOutput } from '../memory-output.js';

const refused = (status: number) =>
  new ClientError({ status, code: 'FF10109', text: 'no', body: '{"error":"FF10109: no"}' });
const refusedConnection = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

const errno = (code: string, syscall: string) => Object.assign(new Error(`${syscall} ${code}`), { code, syscall });

describe('a failure', () => {
  it.each<[string, unknown, ExitName]>([
    ['of a command keeps its code', new CliError('TIMEOUT', 'late'), 'TIMEOUT'],
    ['of a node that does not know is NOT_FOUND', refused(404), 'NOT_FOUND'],
    ['of a node that refuses is REJECTED', refused(400), 'REJECTED'],
    ['of a node that failed is UNHEALTHY', refused(500), 'UNHEALTHY'],
    ['to reach a node is NOT_RUNNING', new UnreachableError('http://x', refusedConnection), 'NOT_RUNNING'],
    ['of what was typed is USAGE', new ServiceError('no_data'), 'USAGE'],
    ['of a service that has ended is NOT_RUNNING', refusedConnection, 'NOT_RUNNING'],
    ['of a socket that is gone is NOT_RUNNING', errno('ENOENT', 'connect'), 'NOT_RUNNING'],
    ['of a service that hung up is NOT_RUNNING', errno('ECONNRESET', 'read'), 'NOT_RUNNING'],
    ['of a service that is silent is TIMEOUT', new TimeoutError('totalMs', 10_000), 'TIMEOUT'],
    ['of a file that is not there is FAILURE', errno('ENOENT', 'open'), 'FAILURE'],
    ['nobody thought of is FAILURE', new TypeError('x is undefined'), 'FAILURE'],
    ['that is no error is FAILURE', 'text', 'FAILURE'],
  ])('%s', (_, error, code) => {
    expect(failureOf(error, 'stack')).toMatchObject({ code, exitCode: exitCodes[code] });
  });

  it('to reach a node that its supervisor reports as down says so', () => {
    const down = {
      text: 'bob of the stack dev is stopped',
      state: 'is stopped',
      hint: 'Start it: stack party start bob',
    };
    const error = new UnreachableError(
      'http://x',
      new NodeDownError(down, { code: 'ECONNREFUSED', exit: 'NOT_RUNNING' }),
    );
    expect(error.isRefused).toBe(true);
    expect(failureOf(error, 'stack')).toMatchObject({ exitCode: 4, message: `${down.text}.`, hint: down.hint });
    const paused = new UnreachableError('http://x', new NodeDownError(down, { exit: 'TIMEOUT' }));
    expect(failureOf(paused, 'stack')).toMatchObject({ exitCode: 5, message: `${down.text}.` });
    expect([awayText(paused), awayText(new UnreachableError('http://x', refusedConnection))]).toEqual([
      'is stopped',
      'does not answer',
    ]);
  });

  it.each([
    ['healthy', undefined],
    ['stopped', 'Start it: parley party start bob -s dev'],
    ['paused', 'Resume it: parley party resume bob -s dev'],
    ['failed', 'Start it: parley party start bob -s dev. Log: parley logs bob -s dev'],
    ['starting', 'Wait for it: parley wait dev'],
  ] as const)('at a node that is %s names the remedy', (state, hint) => {
    const view = { state, stateSince: '2026-01-01T00:00:00Z', message: 'It is broken.' };
    const down = describeDown({ stack: 'dev', party: 'bob' }, view, 'parley', Date.parse('2026-01-01T00:05:00Z'));
    expect(down?.hint).toBe(hint);
    if (state === 'paused') expect(down?.text).toBe('bob of the stack dev is paused (for 5m)');
    if (state === 'failed') expect(down?.text).toBe('bob of the stack dev has failed: It is broken');
  });

  it.each([
    [404, /^FF10109/],
    [400, /^The node refused: FF10109/],
    [500, /^The node failed: FF10109/],
  ])('of status %i says no more than that a node did', (status, sentence) => {
    expect(failureOf(refused(status), 'stack').message).toMatch(sentence);
  });

  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', '--ca FILE'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', '--ca FILE'],
    ['CERT_HAS_EXPIRED', 'renew'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'a name from the certificate'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'http://'],
  ])('of TLS names the remedy: %s', (code, hint) => {
    const error = new UnreachableError('https://h:1/api', Object.assign(new Error('no'), { code }));
    const shown = { code: 'PREREQUISITE', message: expect.stringContaining('https://h:1') as string };
    expect(failureOf(error, 'stack')).toMatchObject({ ...shown, hint: expect.stringContaining(hint) as string });
  });

  it('of a stack keeps its own code, exit code and details', () => {
    const error = new StackError('PORT_IN_USE', '16010 is used', {
      hint: 'Free it, or: stack start',
      details: { pid: 7 },
    });
    expect(failureOf(error, 'parley')).toEqual({
      code: 'PORT_IN_USE',
      message: '16010 is used',
      hint: 'Free it, or: parley start',
      exitCode: 6,
      details: { pid: 7 },
    });
  });

  it('of a node about the size of a value names the flag for files', () => {
    for (const [status, code] of [
      [413, 'PY1004'],
      [400, 'PY1203'],
      [400, 'FF10327'],
      [400, 'FF10328'],
    ] as const) {
      const error = new ClientError({ status, code, text: 'too large', body: '{}' });
      expect(failureOf(error, 'stack').hint).toContain('-f FILE');
    }
    expect(failureOf(refused(400), 'stack').hint).toBeUndefined();
  });

  it('of a node about the size of a file names the limit, and not the flag that was used', () => {
    const { status, text } = new ServiceError('blob_too_large', { max: 1_000 });
    const hint = failureOf(new ClientError({ status, code: 'PY1004', text, body: '{}' }), 'stack').hint;
    expect([hint?.includes('limits.maxBlobBytes'), hint?.includes('-f FILE')]).toEqual([true, false]);
  });

  it('of a node has its code and its message', () => {
    const details = { status: 400, nodeCode: 'FF10109', body: '{"error":"FF10109: no"}' };
    expect(failureOf(refused(400), 'stack').details).toEqual(details);
  });
});

describe('a failure that is shown', () => {
  const shown = failureOf(new CliError('USAGE', 'It said \u001b[31mx', { hint: 'Do y.' }), 'stack');

  it('is one line of JSON on stdout with --json', async () => {
    const { output, out, err } = memoryOutput({ isTerminal: true, modes: { isJson: true } });
    await printFailure(output, shown, undefined);
    expect(out().split('\n')).toHaveLength(2);
    expect(JSON.parse(out())).toEqual({
      schemaVersion: 1,
      error: { code: 'USAGE', message: 'It said \u001b[31mx', hint: 'Do y.', exitCode: 2, details: {} },
    });
    expect(err()).toBe('');
  });

  it('is a sentence and a hint on stderr, without control characters', async () => {
    const { output, out, err } = memoryOutput();
    await printFailure(output, shown, undefined);
    expect(err()).toBe('✗ It said \\u{1b}[31mx\n  Do y.\n');
    expect(out()).toBe('');
  });

  it('includes the last records of the service that failed', async () => {
    const { output, err } = memoryOutput();
    const lines = [
      '{"level":"error","time":"2026-01-01T00:00:00.000Z","name":"x","msg":"It broke","why":"a\\u001b"}',
      'plain',
    ];
    const details = { service: 'alice', lines };
    const error = new StackError('START_FAILED', 'alice failed: it broke.', { hint: 'Free some space.', details });
    await printFailure(output, failureOf(error, 'stack'), error);
    expect(err()).toContain('│ 2026-01-01T00:00:00.000Z error It broke why=a\\u{1b}\n');
    expect(err()).toContain('│ plain\n');
    // The last line alone must give the reason and the remedy.
    expect(err().trimEnd().split('\n').at(-1)).toBe('✗ alice failed: it broke. Free some space.');
  });

  it('shows the stack trace with --verbose', async () => {
    const { output, err } = memoryOutput({ modes: { isVerbose: true } });
    const error = new Error('outer', { cause: new Error('inner') });
    await printFailure(output, failureOf(error, 'stack'), error);
    expect(err()).toMatch(/Error: outer\n\s+at .*caused by Error: inner\n\s+at /s);
  });
});
