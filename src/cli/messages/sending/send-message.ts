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
import { sendMany } from './send-many.js';
import { checkWords, isBulk, isExpanding, recipientNames, type SendWords } from './send-words.js';
import { createSender, type Post, type ReasonsOf, type Sender } from './send.js';
import { printSent, type SentTo } from './sent-text.js';
import { showRequest, showUploads } from '../../terminal/show-request.js';
import { noteWhileWaiting } from '../../terminal/slow-note.js';
import { readLines } from '../../terminal/stdin.js';
import { openTarget, type Surroundings, type Target } from '../../requests/target.js';

type Request = BroadcastRequest & PrivateRequest;

/**
 * `stack broadcast` and `stack send` (docs/operations.md §11.6): checks all arguments before anything is sent, then
 * uploads files, then sends one message or many.
 *
 * @throws CliError USAGE, NOT_FOUND, TIMEOUT, REJECTED; ClientError; UnreachableError
 */
export async function sendMessage(words: SendWords, surroundings: Surroundings): Promise<void> {
  checkWords(words, surroundings.program);
  const datatype = words.datatype === undefined ? undefined : datatypeName(words.datatype);
  const timeoutMs = durationMs(words.timeout, '--timeout');
  if (words.rate !== undefined) ratePerSecond(words.rate);
  const loaded = await loadItems(words.items, words.autometa);
  const marked = markedPattern(words, datatype, loaded);
  // Built once before any request, so that an invalid payload is found before gigabytes are uploaded.
  buildRequest(marked, 1);
  const target = await openTarget(words, surroundings);
  const recipients = words.recipients === undefined ? undefined : await recipientsOf(words.recipients, target);
  const shown = { ...marked, recipients };
  if (words['dry-run'] || words.curl) {
    const { party } = target;
    await showUploads(loaded.filter(isFile), party, words.curl, surroundings);
    for await (const build of requestsOf(words, shown)) {
      await showRequest({ path: pathOf(words), body: bodyOf(words, build()) }, party, words.curl, surroundings);
    }
    return;
  }
  const items = await uploadItems(loaded, words.progress, target.party, surroundings);
  const scope = words['no-wait'] ? 'none' : (words.wait ?? 'local');
  const groups = createGroups(target);
  const reasonsOf = isKeepingOn(words) ? undefined : explained(target, surroundings);
  const sender = createSender({ target, groups, scope, timeoutMs, openSocket: target.openSocket, reasonsOf });
  const { program } = surroundings;
  const isNamed = !surroundings.output.isJson && !surroundings.output.isQuiet;
  const send = async (request: Request): Promise<SentTo> => {
    const requireSame = (earlier: Message) => requireSameContent(request, earlier, { target, groups, program });
    const sent = await sender.send(postOf(words, request), requireSame);
    return { sent, recipients: isNamed ? await groups.recipientsOf(sent.message) : [] };
  };
  try {
    const pattern = { ...shown, items };
    if (isBulk(words)) await sendRequests(requestsOf(words, pattern), send, words, target, surroundings);
    else await sendOne(() => send(buildRequest(pattern, 1)), sender, target, surroundings);
  } catch (error) {
    await printUploadedData(loaded, items, target, surroundings);
    throw error;
  } finally {
    sender.close();
  }
}

/** Whether many messages may fail one after the other: then the stack is not looked at for each of them. */
function isKeepingOn(words: SendWords): boolean {
  return isBulk(words) && words['keep-going'];
}

function explained(target: Target, surroundings: Surroundings): ReasonsOf {
  return async (id, missing) => {
    const { explainMissing } = await import('../../explain/brief.js');
    return explainMissing(id, missing, target, surroundings);
  };
}

/** The request without anything that depends on the stack: with placeholders for files, and without recipients. */
function markedPattern(
  words: SendWords,
  datatype: DatatypeName | undefined,
  loaded: readonly LoadedItem[],
): RequestPattern {
  const { tag, topic: topics = [], author, key, idempotent: idempotencyKey } = words;
  const items = markedItems(loaded);
  return {
    items,
    datatype,
    tag,
    topics,
    author,
    key,
    idempotencyKey,
    isExpanding: isExpanding(words),
    recipients: undefined,
  };
}

/** Resolves recipients: the name of a party stands for its organisation; the node resolves all other names. */
async function recipientsOf(words: NonNullable<SendWords['recipients']>, target: Target): Promise<Recipients> {
  const isUnpinned = words.unpinned;
  if (words.group !== undefined) {
    return { to: { hash: await resolveGroupHash(target.party.client, words.group) }, isUnpinned };
  }
  const organizationOf = (name: string) => target.parties.find((party) => party.name === name)?.organization ?? name;
  return { to: recipientNames(words).map(organizationOf), isUnpinned };
}

/** Yields functions that build requests when they are sent, so that an invalid line fails only its own message. */
async function* requestsOf(words: SendWords, pattern: RequestPattern): AsyncGenerator<() => Request> {
  if (!words.lines) {
    for (let n = 1; n <= (words.count ?? 1); n++) yield await Promise.resolve(() => buildRequest(pattern, n));
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

function pathOf({ recipients }: SendWords): string {
  return (recipients === undefined ? routes.broadcastMessage : routes.sendMessage).path;
}

function bodyOf({ recipients }: SendWords, request: Request): string {
  return write(recipients === undefined ? BroadcastRequest : PrivateRequest, request);
}

function postOf({ recipients }: SendWords, body: Request): Post {
  return (client) => (recipients === undefined ? client.broadcastMessage({ body }) : client.sendMessage({ body }));
}

async function sendRequests(
  items: AsyncIterable<() => Request>,
  send: (request: Request) => Promise<SentTo>,
  words: SendWords,
  target: Target,
  surroundings: Surroundings,
): Promise<void> {
  const { output } = surroundings;
  const lines = { ...output, json: output.record };
  await sendMany(
    {
      items,
      send: async (build: () => Request) => send(build()),
      rate: words.rate,
      concurrency: words.concurrency,
      isKeepGoing: words['keep-going'],
      print: (sent) => printSent(sent, target, lines),
    },
    surroundings,
  );
}

async function sendOne(
  send: () => Promise<SentTo>,
  { missing }: Sender,
  target: Target,
  { output }: Surroundings,
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

/** Prints the ids of uploaded files, which need not be uploaded again if only the message failed. */
async function printUploadedData(
  loaded: readonly LoadedItem[],
  items: readonly RequestItem[],
  { party }: Target,
  { output }: Surroundings,
): Promise<void> {
  if (output.isJson) return;
  for (const [i, item] of loaded.entries()) {
    const sent = items[i];
    if (!isFile(item) || sent === undefined || !('id' in sent)) continue;
    await output.note(`The node of ${party.name} keeps ${item.path}: instead of -f say --data-id ${sent.id}`);
  }
}
