import { write } from '../../../wire/json/json.js';
import { BroadcastRequest, type Message, PrivateRequest } from '../../../wire/messages/message.js';
import { routes } from '../../../wire/routes.js';
import { type DatatypeName, datatypeName } from '../../datatypes/name.js';
import { durationMs, ratePerSecond } from '../../duration.js';
import { CliError } from '../../errors/exit.js';
import { createGroups } from '../listing/groups.js';
import { resolveGroupHash } from '../../requests/ids.js';
import { isFile, loadItems, type LoadedItem, markedItems, uploadItems } from './items.js';
import { decodeText } from '../../requests/payload.js';
import { buildRequest, type Recipients, type RequestItem, type RequestPattern } from './request.js';
import { requireSameContent } from './same-content.js';
import { type SendContext, sendMany } from './send-many.js';
import { checkSendFlags, isBulk, isExpanding, recipientNames, type SendFlags } from './send-flags.js';
import { signingKey } from '../../requests/owners.js';
import { createSender, type Post, type ReasonsOf, type Sender } from './send.js';
import { printSent, type SentTo } from './sent-text.js';
import { showRequest, showUploads } from '../../terminal/show-request.js';
import { noteWhileWaiting } from '../../terminal/slow-note.js';
import { readLines } from '../../terminal/stdin.js';
import { openTarget, type CommandContext, type Target } from '../../requests/target.js';

type Request = BroadcastRequest & PrivateRequest;

/**
 * `stack broadcast` and `stack send` (docs/operations.md §11.6): checks all arguments before anything is sent, then
 * uploads files, then sends one message or many.
 *
 * @throws CliError USAGE, NOT_FOUND, TIMEOUT, REJECTED; ClientError; UnreachableError
 */
export async function sendMessage(flags: SendFlags, context: SendContext): Promise<void> {
  const { timeoutMs, loaded, marked } = await checkMessage(flags, context.program);
  const target = await openTarget(flags, context);
  const recipients = flags.recipients === undefined ? undefined : await recipientsOf(flags.recipients, target);
  const shown = { ...marked, recipients, key: await signingKey(flags.key, target) };
  if (flags['dry-run'] || flags.curl) {
    const { party } = target;
    await showUploads(loaded.filter(isFile), party, flags.curl, context);
    for await (const build of requestsOf(flags, shown)) {
      await showRequest({ path: pathOf(flags), body: bodyOf(flags, build()) }, party, flags.curl, context);
    }
    return;
  }
  const items = await uploadItems(loaded, flags.progress, target.party, context);
  const scope = flags['no-wait'] ? 'none' : (flags.wait ?? 'local');
  const groups = createGroups(target);
  const reasonsOf = continuesAfterFailures(flags) ? undefined : createReasons(target, context);
  const sender = createSender({ target, groups, scope, timeoutMs, openSocket: target.openSocket, reasonsOf });
  const { program } = context;
  const isNamed = !context.output.isJson && !context.output.isQuiet;
  const send = async (request: Request): Promise<SentTo> => {
    const requireSame = (earlier: Message) => requireSameContent(request, earlier, { target, groups, program });
    const sent = await sender.send(postOf(flags, request), requireSame);
    return { sent, recipients: isNamed ? await groups.recipientsOf(sent.message) : [] };
  };
  try {
    const pattern = { ...shown, items };
    if (isBulk(flags)) await sendRequests(requestsOf(flags, pattern), send, flags, target, context);
    else await sendOne(() => send(buildRequest(pattern, 1)), sender, target, context);
  } catch (error) {
    await printUploadedData(loaded, items, target, context);
    throw error;
  } finally {
    sender.close();
  }
}

/** A message that passed all checks that need no node. */
interface CheckedMessage {
  readonly timeoutMs: number;
  readonly loaded: readonly LoadedItem[];
  readonly marked: RequestPattern;
}

/** Runs all checks that need no node. @throws CliError USAGE, NOT_FOUND */
export async function checkMessage(flags: SendFlags, program: string): Promise<CheckedMessage> {
  checkSendFlags(flags, program);
  const datatype = flags.datatype === undefined ? undefined : datatypeName(flags.datatype);
  const timeoutMs = durationMs(flags.timeout, '--timeout');
  if (flags.rate !== undefined) ratePerSecond(flags.rate);
  const loaded = await loadItems(flags.items, flags.autometa);
  const marked = markedPattern(flags, datatype, loaded);
  // Finds an invalid payload before files are uploaded.
  buildRequest(marked, 1);
  return { timeoutMs, loaded, marked };
}

/** Whether many messages may fail; the stack is not inspected for each of them. */
function continuesAfterFailures(flags: SendFlags): boolean {
  return isBulk(flags) && flags['keep-going'];
}

function createReasons(target: Target, context: CommandContext): ReasonsOf {
  return async (id, missing) => {
    const { explainMissing } = await import('../../explain/brief.js');
    return explainMissing(id, missing, target, context);
  };
}

/** The request without recipients and with placeholders for files, so that no stack is needed. */
function markedPattern(
  flags: SendFlags,
  datatype: DatatypeName | undefined,
  loaded: readonly LoadedItem[],
): RequestPattern {
  const { tag, topic: topics = [], author, key, idempotent: idempotencyKey } = flags;
  const items = markedItems(loaded);
  return {
    items,
    datatype,
    tag,
    topics,
    author,
    key,
    idempotencyKey,
    isExpanding: isExpanding(flags),
    recipients: undefined,
  };
}

/** Resolves recipients: a party's name becomes that of its organisation; the node resolves all other names. */
async function recipientsOf(flags: NonNullable<SendFlags['recipients']>, target: Target): Promise<Recipients> {
  const isUnpinned = flags.unpinned;
  if (flags.group !== undefined) {
    return { to: { hash: await resolveGroupHash(target.party.client, flags.group) }, isUnpinned };
  }
  const organizationOf = (name: string) => target.parties.find((party) => party.name === name)?.organization ?? name;
  return { to: recipientNames(flags).map(organizationOf), isUnpinned };
}

/** Yields functions that build requests when they are sent, so that an invalid line fails only its own message. */
async function* requestsOf(flags: SendFlags, pattern: RequestPattern): AsyncGenerator<() => Request> {
  if (!flags.lines) {
    for (let n = 1; n <= (flags.count ?? 1); n++) yield await Promise.resolve(() => buildRequest(pattern, n));
    return;
  }
  let n = 0;
  for await (const { number: line, bytes } of readLines(process.stdin)) {
    const sequence = ++n;
    yield () => {
      const value = { text: decodeText(bytes, `line ${line} of stdin`), isString: false, line };
      return buildRequest({ ...pattern, items: [value, ...pattern.items] }, sequence);
    };
  }
}

function pathOf({ recipients }: SendFlags): string {
  return (recipients === undefined ? routes.broadcastMessage : routes.sendMessage).path;
}

function bodyOf({ recipients }: SendFlags, request: Request): string {
  return write(recipients === undefined ? BroadcastRequest : PrivateRequest, request);
}

function postOf({ recipients }: SendFlags, body: Request): Post {
  return (client) => (recipients === undefined ? client.broadcastMessage({ body }) : client.sendMessage({ body }));
}

async function sendRequests(
  items: AsyncIterable<() => Request>,
  send: (request: Request) => Promise<SentTo>,
  flags: SendFlags,
  target: Target,
  context: SendContext,
): Promise<void> {
  const { output } = context;
  const lines = { ...output, json: output.record };
  await sendMany(
    {
      items,
      send: async (build: () => Request) => send(build()),
      rate: flags.rate,
      concurrency: flags.concurrency,
      isKeepGoing: flags['keep-going'],
      print: (sent) => printSent(sent, target, lines),
    },
    context,
  );
}

async function sendOne(
  send: () => Promise<SentTo>,
  { missing }: Sender,
  target: Target,
  { output }: CommandContext,
): Promise<void> {
  const endNotes = noteWhileWaiting(output, missing);
  try {
    await printSent(await send(), target, output);
  } catch (error) {
    const id = error instanceof CliError ? error.details['id'] : undefined;
    if (typeof id === 'string' && !output.isJson) await output.line(id);
    throw error;
  } finally {
    endNotes();
  }
}

/** Prints the ids of uploaded files, so that they need not be uploaded again. */
async function printUploadedData(
  loaded: readonly LoadedItem[],
  items: readonly RequestItem[],
  { party }: Target,
  { output }: CommandContext,
): Promise<void> {
  if (output.isJson) return;
  for (const [i, item] of loaded.entries()) {
    const sent = items[i];
    if (!isFile(item) || sent === undefined || !('id' in sent)) continue;
    await output.note(`The node of ${party.name} has ${item.path}; to send it, replace -f with --data-id ${sent.id}`);
  }
}
