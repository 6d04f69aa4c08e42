import { ClientError } from '../../client/errors.js';
import { write } from '../../wire/json/json.js';
import { routes } from '../../wire/routes.js';
import { type TokenTransfer, TransferRequest } from '../../wire/token.js';
import { durationMs, limitSignal } from '../duration.js';
import { CliError } from '../errors/exit.js';
import { createGroups } from '../messages/listing/groups.js';
import type { Output } from '../terminal/output.js';
import { isFile, loadItems, markedItems, uploadItems } from '../messages/sending/items.js';
import { identityWord, readOwners } from '../requests/owners.js';
import { showRequest, showUploads } from '../terminal/show-request.js';
import { noteWhileWaiting } from '../terminal/slow-note.js';
import { openTarget, type PartyNode, type Surroundings, type Target } from '../requests/target.js';
import { type TokenWatch, watchTransfers } from './await.js';
import { explained } from './hints.js';
import { tokenRequest, tokenRoutes } from './request.js';
import { type TokenDone, tokenJson, tokenText } from './text.js';
import { checkTokenWords, messageRecipients, type TokenWords } from './words.js';

/**
 * `stack mint`, `stack transfer`, `stack burn` (docs/operations.md §11.6): checks all arguments before anything is
 * sent, uploads the files of the message, then sends the operation, and waits until it is recorded and the message
 * confirmed.
 *
 * @throws CliError USAGE, NOT_FOUND, TIMEOUT, REJECTED; ClientError; UnreachableError
 */
export async function runTokenOperation(words: TokenWords, surroundings: Surroundings): Promise<void> {
  checkTokenWords(words);
  const timeoutMs = durationMs(words.timeout, '--timeout');
  const loaded = await loadItems(words.items, true);
  // Built once before any request, so that an invalid message is found before files are uploaded.
  tokenRequest(words, markedItems(loaded), (word) => word);
  const target = await openTarget(words, surroundings);
  const named = (word: string) => identityWord(target, word);
  if (words['dry-run'] || words.curl) {
    const { path } = routes[tokenRoutes[words.verb]];
    const body = write(TransferRequest, tokenRequest(words, markedItems(loaded), named));
    await showUploads(loaded.filter(isFile), target.party, words.curl, surroundings);
    await showRequest({ path, body }, target.party, words.curl, surroundings);
    return;
  }
  const items = await uploadItems(loaded, words.progress, target.party, surroundings);
  const body = tokenRequest(words, items, named);
  try {
    await printDone(await perform(words, body, timeoutMs, target, surroundings.output), target, surroundings);
  } catch (error) {
    const id = error instanceof CliError && error.code === 'TIMEOUT' ? error.details['id'] : undefined;
    if (typeof id === 'string' && !surroundings.output.isJson) await surroundings.output.line(id);
    throw await explained(error, words, target, surroundings.program);
  }
}

async function perform(
  words: TokenWords,
  body: TransferRequest,
  timeoutMs: number,
  target: Target,
  output: Output,
): Promise<TokenDone> {
  const scope = words['no-wait'] ? 'none' : (words.wait ?? 'local');
  const groups = createGroups(target);
  const watch = scope === 'none' ? undefined : watchTransfers(target, groups, scope);
  const endNotes = noteWhileWaiting(output, () => watch?.missing() ?? []);
  try {
    const begunMs = performance.now();
    const signal = limitSignal(timeoutMs);
    const { accepted, text, isDuplicate } = await accept(words, body, { party: target.party, watch }, signal);
    const acceptedMs = Math.round(performance.now() - begunMs);
    const result = await watch?.wait(accepted, signal, begunMs);
    const own = result?.transfers.find(({ value }) => value.localId === accepted.localId);
    const { value: pool } = await target.party.client.getTokenPool({ path: { nameOrId: accepted.pool } });
    return {
      accepted,
      text: own?.text ?? text,
      acceptedMs,
      isDuplicate,
      result,
      pool,
      chainHash: result === undefined ? undefined : await chainHashOf(accepted, target.party),
      recipients: messageRecipients(words),
    };
  } finally {
    endNotes();
    watch?.close();
  }
}

interface Accepted {
  readonly accepted: TokenTransfer;
  readonly text: string;
  readonly isDuplicate: boolean;
}

async function accept(
  { verb }: TokenWords,
  body: TransferRequest,
  { party, watch }: { readonly party: PartyNode; readonly watch: TokenWatch | undefined },
  signal: AbortSignal,
): Promise<Accepted> {
  try {
    const { value, text } = await party.client[tokenRoutes[verb]]({ body, signal });
    return { accepted: value, text, isDuplicate: false };
  } catch (error) {
    const isUsed = error instanceof ClientError && (error.code === 'FF10430' || error.code === 'FF10431');
    const earlier = isUsed ? lastUuid(error.text) : undefined;
    if (earlier === undefined || watch === undefined) throw error;
    const { value, text } = await watch.earlier(earlier, signal);
    return { accepted: value, text, isDuplicate: true };
  }
}

/** The error names the first transaction after the key, and the key may itself be a UUID. */
function lastUuid(text: string): string | undefined {
  return text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)?.at(-1);
}

/** The hash of the operation's transaction on the chain. */
async function chainHashOf({ tx }: TokenTransfer, { client }: PartyNode): Promise<string | undefined> {
  if (tx?.id === undefined) return undefined;
  const [hash] = (await client.getTransaction({ path: { transactionid: tx.id } })).value.blockchainIds ?? [];
  return hash === undefined || hash.startsWith('0x') ? hash : `0x${hash}`;
}

async function printDone(done: TokenDone, target: Target, { output }: Surroundings): Promise<void> {
  if (output.isJson) await output.json(tokenJson(done));
  else if (output.isQuiet) await output.line(done.accepted.localId);
  else await output.line(tokenText(done, target, await readOwners(target.party.client), output));
}
