import { curlCommand } from '../client/curl.js';
import { type BroadcastRequest, BroadcastRequest as RequestSchema } from '../wire/message.js';
import { write } from '../wire/json.js';
import { routes } from '../wire/routes.js';
import { type BulkResult, sendAll } from './bulk.js';
import { durationMs, ratePerSecond } from './duration.js';
import { hasPlaceholder } from './expand.js';
import { CliError } from './exit.js';
import { failureOf, printFailure } from './failure.js';
import { openSocket } from './open-socket.js';
import type { Output } from './output.js';
import { decodeText, loadText, payloadSource } from './payload.js';
import { buildRequest, type RequestPattern, type ValueText } from './request.js';
import { createSender, type Sender, type Sent, sentJson, slowestMs, type WaitScope } from './send.js';
import { readAll, readLines } from './stdin.js';
import { openTarget, type Surroundings, type Target, type TargetFlags } from './target.js';
import { plural, safe, shortId, spanOf } from './text.js';

/** The words of `stack broadcast`. */
export interface BroadcastWords extends TargetFlags {
  /** `PAYLOAD`, `--data` and `--text` in the order in which they were typed. */
  readonly values: readonly ValueText[];
  readonly tag?: string | undefined;
  readonly topic?: readonly string[] | undefined;
  readonly author?: string | undefined;
  readonly key?: string | undefined;
  readonly wait?: WaitScope | undefined;
  readonly 'no-wait': boolean;
  readonly timeout: string;
  readonly idempotent?: string | undefined;
  readonly 'dry-run': boolean;
  readonly curl: boolean;
  readonly lines: boolean;
  readonly count?: number | undefined;
  readonly expand: boolean;
  readonly rate?: string | undefined;
  readonly concurrency: number;
  readonly 'keep-going': boolean;
}

/**
 * `stack broadcast` (cli.md, 9): checks every word before anything is sent, then sends one message or many.
 *
 * @throws CliError USAGE, TIMEOUT, REJECTED; ClientError; UnreachableError
 */
export async function runBroadcast(words: BroadcastWords, surroundings: Surroundings): Promise<void> {
  checkWords(words);
  const pattern = await readPattern(words);
  const isBulk = words.lines || words.count !== undefined;
  if (!isBulk) buildRequest(pattern, 1);
  const pace = words.rate === undefined ? undefined : ratePerSecond(words.rate);
  const scope = words['no-wait'] ? 'none' : (words.wait ?? 'local');
  const timeoutMs = durationMs(words.timeout, '--timeout');
  const target = await openTarget(words, surroundings);
  const requests = words.lines ? linesOf(pattern) : countTo(words.count ?? 1, pattern);
  if (words['dry-run'] || words.curl) {
    await showRequests(requests, target, words, surroundings.output);
    return;
  }
  const sender = createSender({ target, scope, timeoutMs, openSocket });
  try {
    if (isBulk) await sendMany(requests, sender, { words, pace, target, surroundings });
    else await sendOne(buildRequest(pattern, 1), sender, target, surroundings.output);
  } finally {
    sender.close();
  }
}

function checkWords(words: BroadcastWords): void {
  const isBulk = words.lines || words.count !== undefined;
  if (words.lines && words.values.length > 0)
    throw usage('--lines takes its messages from stdin: give no other payload.');
  if (words.lines && words.count !== undefined) throw usage('--lines and --count exclude each other.');
  if (!words.lines && words.values.length === 0) {
    throw usage('A payload is missing.', `stack broadcast '{"hello":"world"}'`);
  }
  if (!isBulk && words.rate !== undefined) throw usage('--rate needs --count or --lines.');
  const isStdin = words.values.filter(({ isString, text }) => !isString && text === '-').length;
  if (isStdin > 1) throw usage('- (stdin) can be read once only.');
  const isExpanding = words.expand || words.count !== undefined;
  if (isBulk && words.idempotent !== undefined && !(isExpanding && hasPlaceholder(words.idempotent))) {
    throw usage('Many messages need many idempotency keys.', "Put {{n}} into it: --expand --idempotent 'load-{{n}}'");
  }
}

function usage(message: string, hint?: string): CliError {
  return new CliError('USAGE', message, { hint });
}

async function readPattern(words: BroadcastWords): Promise<RequestPattern> {
  const values: ValueText[] = [];
  for (const value of words.values) {
    const load = () => loadText(payloadSource(value.text), () => readAll(process.stdin));
    values.push(value.isString ? value : { text: await load(), isString: false });
  }
  return {
    values,
    tag: words.tag,
    topics: words.topic ?? [],
    author: words.author,
    key: words.key,
    idempotencyKey: words.idempotent,
    isExpanding: words.expand || words.count !== undefined,
  };
}

async function* countTo(count: number, pattern: RequestPattern): AsyncGenerator<BroadcastRequest> {
  for (let n = 1; n <= count; n++) yield await Promise.resolve(buildRequest(pattern, n));
}

/** Lines are data of somebody else's: nothing in them is expanded unless it is asked for. */
async function* linesOf(pattern: RequestPattern): AsyncGenerator<BroadcastRequest> {
  let n = 0;
  for await (const line of readLines(process.stdin)) {
    yield buildRequest({ ...pattern, values: [{ text: decodeText(line, 'stdin'), isString: false }] }, ++n);
  }
}

async function showRequests(
  requests: AsyncIterable<BroadcastRequest>,
  target: Target,
  words: BroadcastWords,
  output: Output,
): Promise<void> {
  const { method, path } = routes.broadcastMessage;
  const url = target.party.client.address(path);
  for await (const request of requests) {
    const body = write(RequestSchema, request);
    if (words.curl) await output.line(curlCommand({ method: method.toUpperCase(), url, body }));
    else if (output.isJson) await output.json(`{"schemaVersion":1,"method":"POST","url":"${url}","body":${body}}`);
    else await output.line(`POST ${url}\n${safe(body)}`);
  }
}

async function sendOne(request: BroadcastRequest, sender: Sender, target: Target, output: Output): Promise<void> {
  const slow = setTimeout(() => void output.note('Waiting for the confirmation …'), slowMs);
  try {
    await printSent(await sender.broadcast(request), target, output);
  } catch (error) {
    const id = error instanceof CliError ? error.details['id'] : undefined;
    if (typeof id === 'string' && !output.isJson) await output.line(id);
    throw error;
  } finally {
    clearTimeout(slow);
  }
}

/** After this long a person is told what is going on. */
const slowMs = 1_000;

interface BulkContext {
  readonly words: BroadcastWords;
  readonly pace: number | undefined;
  readonly target: Target;
  readonly surroundings: Surroundings;
}

async function sendMany(
  items: AsyncIterable<BroadcastRequest>,
  sender: Sender,
  { words, pace, target, surroundings }: BulkContext,
): Promise<void> {
  const { output, program } = surroundings;
  const codes: number[] = [];
  const result = await sendAll({
    items,
    send: (request) => sender.broadcast(request),
    ratePerSecond: pace,
    concurrency: words.concurrency,
    isKeepGoing: words['keep-going'],
    sent: (sent) => printSent(sent, target, { ...output, json: (text) => output.out.write(`${text}\n`) }),
    failed: async (error) => {
      const shown = failureOf(error, program);
      codes.push(shown.exitCode);
      await printFailure(output, shown, error);
    },
  });
  if (!output.isJson) await output.note(summaryOf(result));
  if (result.failed === 0) return;
  const message = `${result.failed} of ${plural(result.failed + result.sent, 'message')} failed.`;
  throw new CliError(codes[0] === 5 ? 'TIMEOUT' : codes[0] === 4 ? 'NOT_RUNNING' : 'REJECTED', message, {
    isSaid: true,
  });
}

function summaryOf({ sent, failed, spentMs }: BulkResult): string {
  const rate = spentMs > 0 ? ` (${Math.round((sent * 1_000) / spentMs)}/s)` : '';
  return `${plural(sent, 'message')} sent in ${spanOf(spentMs)}${rate}${failed > 0 ? `, ${failed} failed` : ''}.`;
}

/** One line for a person, and one more for each party where all were waited for; a record for a script. */
async function printSent(sent: Sent, target: Target, output: Output): Promise<void> {
  if (output.isJson) await output.json(sentJson(sent));
  else if (output.isQuiet) await output.line(sent.id);
  else if (!output.out.isTerminal) await output.line(plainLine(sent, target));
  else await output.out.write(terminalLines(sent, target, output));
}

function terminalLines(sent: Sent, target: Target, output: Output): string {
  const { paint } = output.out;
  const topics = safe(sent.message.header.topics.join(', '));
  const twice = sent.isDuplicate ? ' · sent before' : '';
  const head = `${paint('green', '✓')} broadcast ${paint('bold', shortId(sent.id))} · topic ${topics}${twice} · `;
  if (sent.parties.length < 2) return `${head}${outcomeText(sent, target)}\n`;
  const width = Math.max(...sent.parties.map(({ name }) => name.length));
  const parties = sent.parties.map(({ name, confirmedMs }) => `    ${name.padEnd(width)}  ${spanOf(confirmedMs)}\n`);
  return `${head}${outcomeText(sent, target)}\n${parties.join('')}`;
}

function plainLine(sent: Sent, target: Target): string {
  const times = sent.parties.map(({ name, confirmedMs }) => `${name} ${confirmedMs} ms`);
  const each = sent.parties.length < 2 ? '' : ` (${times.join(', ')})`;
  const topics = safe(sent.message.header.topics.join(', '));
  return `broadcast ${sent.id} · topic ${topics} · ${outcomeText(sent, target)}${each}`;
}

function outcomeText(sent: Sent, target: Target): string {
  const [first, ...others] = sent.parties;
  if (first === undefined) return `accepted by ${target.party.name} in ${spanOf(sent.acceptedMs)}`;
  const where = others.length === 0 ? first.name : `all ${sent.parties.length} parties`;
  return `confirmed at ${where} in ${spanOf(slowestMs(sent))}`;
}
