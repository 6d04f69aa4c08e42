import type { forwardFlags } from './flags.js';
import type { FlagsOf } from '../flag-types.js';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveredEvent } from '../../wire/events/event.js';
import { textOf } from '../../wire/json/json.js';
import { createEventTexts } from './line.js';
import { CliError } from '../errors/exit.js';
import { followEvents } from './follow.js';
import { result, type Output } from '../terminal/output.js';
import type { CommandContext } from '../requests/target.js';
import { safe, shortId, spanOf } from '../terminal/text.js';
import { type Agents, createAgents, shortUnusedMs } from '../../http/client/agents.js';
import { openRequest } from '../../http/client/request.js';
import { readBeginning } from '../../http/client/response.js';

export type ForwardFlags = FlagsOf<typeof forwardFlags>;

const firstRetryMs = 250;
const maxRetryMs = 10_000;
/** Timeout of the target. */
const maxAnswerMs = 30_000;
/** Maximum number of bytes of a response that are shown. */
const maxBodyBytes = 64 * 1024;

/**
 * `stack events forward`: posts each event until the response is 2xx, then the next. The body is the event as served;
 * with `--with-data` it includes the values in a last member `stack`.
 *
 * @throws CliError USAGE; as `followEvents`
 */
export async function runForward(flags: ForwardFlags, context: CommandContext): Promise<void> {
  const url = targetUrl(flags.to);
  const { output } = context;
  const agents = createAgents({ maxUnusedMs: shortUnusedMs });
  const following = followEvents(flags, context, (target, readFrom) => {
    const textsOf = createEventTexts({ target, readFrom, hasData: flags['with-data'], output });
    return async (received, signal) => {
      const body = flags['with-data'] ? (await textsOf(received)).json : received.text;
      const { event, party } = received;
      if (!output.isJson && !output.isQuiet) {
        const reference = output.out.isTerminal ? shortId(event.reference) : event.reference;
        await output.line(`→ ${safe(event.type)} ${reference}`);
      }
      const post = { url, agents, event, body, party: party.name, signal };
      await postUntilAccepted(post, flags['print-body'], output);
      return 'more';
    };
  });
  await following.finally(() => agents.close());
}

function targetUrl(to: string): string {
  const url = URL.canParse(to) ? new URL(to) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new CliError('USAGE', `--to must be like http://127.0.0.1:8080/events, not "${to}".`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new CliError('USAGE', '--to contains a password, which must not be on a command line.');
  }
  return url.href;
}

interface Post {
  readonly url: string;
  readonly agents: Agents;
  readonly event: DeliveredEvent;
  readonly body: string;
  readonly party: string;
  readonly signal: AbortSignal;
}

async function postUntilAccepted(post: Post, hasBody: boolean, output: Output): Promise<void> {
  let retryMs = firstRetryMs;
  for (let attempt = 1; ; attempt++) {
    const outcome = await postOnce(post);
    const isAccepted = outcome.status !== undefined && outcome.status >= 200 && outcome.status < 300;
    await printOutcome(post, { ...outcome, attempt, retryMs: isAccepted ? undefined : retryMs }, hasBody, output);
    if (isAccepted) return;
    await sleep(retryMs, undefined, { signal: post.signal }).catch(() => {
      post.signal.throwIfAborted();
    });
    retryMs = Math.min(retryMs * 2, maxRetryMs);
  }
}

interface PostResult {
  /** Undefined if there was no response. */
  readonly status: number | undefined;
  readonly durationMs: number;
  /** The response, or the reason why there was none. */
  readonly text: string;
}

/** @throws the signal's reason */
async function postOnce({ url, agents, event, body, signal }: Post): Promise<PostResult> {
  const startedMs = performance.now();
  const spentMs = () => Math.round(performance.now() - startedMs);
  try {
    const response = await openRequest({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-parley-event': event.id },
      body,
      agents,
      limits: { totalMs: maxAnswerMs },
      signal,
    });
    return { status: response.status, text: await readBeginning(response, maxBodyBytes), durationMs: spentMs() };
  } catch (error) {
    signal.throwIfAborted();
    return { status: undefined, text: reasonOf(error), durationMs: spentMs() };
  }
}

/** Why a request got no response. If several addresses were tried, the error has only a code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || String('code' in error ? error.code : error.name);
}

async function printOutcome(
  { event, party }: Post,
  outcome: PostResult & { readonly attempt: number; readonly retryMs: number | undefined },
  hasBody: boolean,
  output: Output,
): Promise<void> {
  const { status, durationMs, text, attempt, retryMs } = outcome;
  const body = hasBody && status !== undefined ? { body: text } : {};
  if (output.isJson) {
    const reason = status === undefined ? { error: text } : {};
    const known = { event: event.id, sequence: event.sequence, type: event.type, party, attempt, durationMs };
    await output.record(textOf(result({ ...known, status: status ?? null, ...reason, ...body })));
  } else if (output.isQuiet) await (retryMs === undefined ? output.line(event.reference) : undefined);
  else {
    const said = status === undefined ? safe(text) : String(status);
    const again = retryMs === undefined ? '' : output.out.paint('yellow', ` · again in ${spanOf(retryMs)}`);
    await output.line(`← ${said} ${durationMs}ms${again}`);
    if (hasBody && status !== undefined && text !== '') {
      await output.line(
        text
          .trimEnd()
          .split('\n')
          .map((line) => `  ${safe(line)}`)
          .join('\n'),
      );
    }
  }
}
