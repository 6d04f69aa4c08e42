import { keyOwnerOf } from '../../client/errors.js';
import { write } from '../../wire/json/json.js';
import { routes } from '../../wire/routes.js';
import { type TokenTransfer, TransferRequest } from '../../wire/token.js';
import { durationMs, limitSignal } from '../duration.js';
import { CliError } from '../errors/exit.js';
import { withDelay } from '../explain/overdue.js';
import { createGroups } from '../messages/listing/groups.js';
import { isFile, loadItems, type LoadedItem, markedItems, uploadItems } from '../messages/sending/items.js';
import { identityWord, readOwners, signingKey } from '../requests/owners.js';
import { showRequest, showUploads } from '../terminal/show-request.js';
import { noteWhileWaiting } from '../terminal/slow-note.js';
import { openTarget, type PartyNode, type CommandContext, type Target } from '../requests/target.js';
import { type TokenWatch, watchTransfers } from './await.js';
import { earlierAccepted } from './repeated/earlier.js';
import { withChoices } from './hints.js';
import { tokenRequest, tokenRoutes } from './request.js';
import { requireSameTransfer } from './repeated/same-transfer.js';
import { type TokenDone, tokenJson, tokenText } from './text.js';
import { checkTokenFlags, messageRecipients, type TokenFlags } from './token-flags.js';

/**
 * `stack mint`, `stack transfer`, `stack burn` (docs/operations.md §11.6): checks all arguments before anything is
 * sent, uploads the files of the message, then sends the operation, and waits until it is recorded and the message
 * confirmed.
 *
 * @throws CliError USAGE, NOT_FOUND, TIMEOUT, REJECTED; ClientError; UnreachableError
 */
export async function runTokenOperation(typed: TokenFlags, context: CommandContext): Promise<void> {
  const { timeoutMs, loaded } = await checkTokenOperation(typed);
  const target = await openTarget(typed, context);
  const flags = { ...typed, key: await signingKey(typed.key, target) };
  const named = (word: string) => identityWord(target, word);
  if (flags['dry-run'] || flags.curl) {
    const { path } = routes[tokenRoutes[flags.verb]];
    const body = write(TransferRequest, tokenRequest(flags, markedItems(loaded), named));
    await showUploads(loaded.filter(isFile), target.party, flags.curl, context);
    await showRequest({ path, body }, target.party, flags.curl, context);
    return;
  }
  const items = await uploadItems(loaded, flags.progress, target.party, context);
  const body = tokenRequest(flags, items, named);
  try {
    await printDone(await perform(flags, body, timeoutMs, target, context), target, context);
  } catch (error) {
    const id = error instanceof CliError && error.code === 'TIMEOUT' ? error.details['id'] : undefined;
    if (typeof id === 'string' && !context.output.isJson) await context.output.line(id);
    throw await withDelay(await withChoices(error, flags, target, context.program), target, context);
  }
}

/** An operation that passed all checks that need no node. */
interface CheckedOperation {
  readonly timeoutMs: number;
  readonly loaded: readonly LoadedItem[];
}

/** Runs all checks that need no node. @throws CliError USAGE, NOT_FOUND */
export async function checkTokenOperation(flags: TokenFlags): Promise<CheckedOperation> {
  checkTokenFlags(flags);
  const timeoutMs = durationMs(flags.timeout, '--timeout');
  const loaded = await loadItems(flags.items, true);
  // Finds an invalid message before files are uploaded.
  tokenRequest(flags, markedItems(loaded), (word) => word);
  return { timeoutMs, loaded };
}

async function perform(
  flags: TokenFlags,
  body: TransferRequest,
  timeoutMs: number,
  target: Target,
  { output, program }: CommandContext,
): Promise<TokenDone> {
  const scope = flags['no-wait'] ? 'none' : (flags.wait ?? 'local');
  const groups = createGroups(target);
  const watch = scope === 'none' ? undefined : watchTransfers(target, groups, scope);
  const endNotes = noteWhileWaiting(output, () => watch?.missing() ?? []);
  try {
    const begunMs = performance.now();
    const signal = limitSignal(timeoutMs);
    const { accepted, text, isDuplicate } = await accept(flags, body, { party: target.party, watch }, signal);
    const acceptedMs = Math.round(performance.now() - begunMs);
    if (isDuplicate) await requireSameTransfer(flags.verb, body, accepted, { target, program });
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
      recipients: messageRecipients(flags),
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
  { verb }: TokenFlags,
  body: TransferRequest,
  { party, watch }: { readonly party: PartyNode; readonly watch: TokenWatch | undefined },
  signal: AbortSignal,
): Promise<Accepted> {
  try {
    const { value, text } = await party.client[tokenRoutes[verb]]({ body, signal });
    return { accepted: value, text, isDuplicate: false };
  } catch (error) {
    const earlier = keyOwnerOf(error, ['FF10430', 'FF10431']);
    if (earlier === undefined) throw error;
    // Without a wait the operation's request is read, since the transfer may not exist yet.
    const found = await (watch?.earlier(earlier, signal) ?? earlierAccepted(party, earlier, signal));
    if (found === undefined) throw error;
    return { accepted: found.value, text: found.text, isDuplicate: true };
  }
}

/** The hash of the operation's transaction on the chain. */
async function chainHashOf({ tx }: TokenTransfer, { client }: PartyNode): Promise<string | undefined> {
  if (tx?.id === undefined) return undefined;
  const [hash] = (await client.getTransaction({ path: { transactionid: tx.id } })).value.blockchainIds ?? [];
  return hash === undefined || hash.startsWith('0x') ? hash : `0x${hash}`;
}

async function printDone(done: TokenDone, target: Target, { output }: CommandContext): Promise<void> {
  if (output.isJson) await output.json(tokenJson(done));
  else if (output.isQuiet) await output.line(done.accepted.localId);
  else await output.line(tokenText(done, target, await readOwners(target.party.client), output));
}
