import type { apiFlags } from './flags.js';
import type { FlagsOf } from '../flag-types.js';
import { curlCommand } from '../../client/curl.js';
import type { RawAnswer } from '../../client/client.js';
import { durationMs, limitSignal } from '../duration.js';
import { CliError } from '../errors/exit.js';
import { credentialHint } from '../errors/remedies.js';
import type { Output } from '../terminal/output.js';
import { loadText, payloadSource } from './payload.js';
import { readAll } from '../terminal/stdin.js';
import { openTarget, type CommandContext } from './target.js';
import { safe } from '../terminal/text.js';

export type ApiFlags = FlagsOf<typeof apiFlags> & {
  readonly method: string;
  readonly path: string;
};

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** Headers that carry a secret, which must not appear on a command line (docs/operations.md §11.1). */
const secretHeaders = /^(?:proxy-)?authorization$|^cookie$/i;

/**
 * `stack api`: sends one request and prints the response as served. @throws CliError USAGE, REJECTED for 4xx, UNHEALTHY
 * for 5xx, TIMEOUT
 */
export async function runApi(flags: ApiFlags, context: CommandContext): Promise<void> {
  const method = flags.method.toUpperCase();
  if (!methods.includes(method))
    throw new CliError('USAGE', `The method must be one of ${methods.join(', ')}, not "${flags.method}".`);
  const headers = readHeaders(flags.header ?? []);
  const timeoutMs = durationMs(flags.timeout, '--timeout');
  const body =
    flags.data === undefined ? undefined : await loadText(payloadSource(flags.data), () => readAll(process.stdin));
  const { party } = await openTarget(flags, context);
  const { output } = context;
  if (flags.curl) {
    const { credential, caFile } = party;
    await output.line(
      curlCommand({ method, url: party.client.address(flags.path), body, headers, credential, caFile }),
    );
    return;
  }
  const signal = limitSignal(timeoutMs);
  const answer = await party.client
    .exchange({ method, path: flags.path, body, headers, signal })
    .catch((error: unknown) => {
      if (!signal.aborted) throw error;
      throw new CliError('TIMEOUT', `No answer from ${party.url} within ${timeoutMs / 1_000} s.`, { cause: error });
    });
  await printResponse(answer, flags.include, output);
  if (answer.status === 401) await output.note(credentialHint);
  if (answer.status >= 400) {
    throw new CliError(answer.status >= 500 ? 'UNHEALTHY' : 'REJECTED', `Status ${answer.status}.`, {
      isPrinted: true,
    });
  }
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~\w-]+):[\t ]*(.*)$/s.exec(line) ?? [];
    if (name === '') throw new CliError('USAGE', `A header must be like name:value, not "${safe(line)}".`);
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new CliError('USAGE', `A header is one line of Latin-1 characters, not "${safe(line)}".`);
    if (secretHeaders.test(name))
      throw new CliError('USAGE', `${name} is a secret and must not be on a command line.`, {
        hint: 'Write user:password or a token to a file of mode 0600 and pass it with --auth-file.',
      });
    headers[name] = value;
  }
  return headers;
}

/** Prints a body: byte for byte for a program; on a terminal with JSON indented and control characters escaped. */
async function printResponse(answer: RawAnswer, hasHead: boolean, output: Output): Promise<void> {
  if (hasHead) {
    const lines = [...answer.headers].map(([name, value]) => safe(`${name}: ${value}`));
    await output.out.write(`${[`HTTP ${answer.status}`, ...lines].join('\n')}\n\n`);
  }
  if (!output.out.isTerminal) await output.out.write(answer.bytes);
  else if (answer.headers.get('content-type')?.startsWith('application/json') === true) await output.json(answer.text);
  else await output.line(answer.text.split('\n').map(safe).join('\n'));
}
