import { writeFireflyFiles } from '../../stack/firefly-files.js';
import { stackStatus } from '../../stack/status.js';
import { createWalletKey } from '../../stack/keys/wallet.js';
import type { CommandResult } from '../base.js';
import { chooseParty } from '../party/choose-party.js';
import { openStack, type CommandContext } from '../requests/target.js';
import { chainReaderOf } from './open-chain.js';

/**
 * `stack chain accounts create`: creates a key in the wallet of a party.
 *
 * @throws CliError NOT_FOUND for an unknown party; StackError LOCKED, FUNDING_FAILED
 */
export async function createAccount(
  flags: { readonly stack?: string | undefined; readonly party?: string | undefined },
  context: CommandContext,
): Promise<CommandResult> {
  const { environment } = context;
  const stack = await openStack(flags, context);
  const { parties } = stack.settings;
  const wanted = flags.party ?? (environment['STACK_PARTY'] || undefined);
  // FireFly's command line names the organisation.
  const isParty = parties.some(({ name }) => name === wanted);
  const named = isParty ? undefined : parties.find(({ organization }) => organization === wanted);
  const owner = chooseParty(parties, named?.name ?? wanted, stack.name);
  const status = await stackStatus(stack);
  const chain = status.services.find(({ kind }) => kind === 'chain');
  const url = chain?.pid == null || chain.url === null ? undefined : chain.url;
  const { address, keyFile, funded: isSent } = await createWalletKey(stack, owner, url);
  await writeFireflyFiles(stack, status);
  // While mining is paused, or at intervals, the funds are on their way.
  const reader = isSent ? await chainReaderOf(stack, status.services) : undefined;
  const funded = isSent && (await reader?.balance(address)) !== 0n;
  const when = funded ? '' : ` · will be funded ${isSent ? 'with the next block' : 'at the next start'}`;
  return {
    json: { owner, kind: 'wallet', address, keyFile, funded },
    text: `✓ ${address} in the wallet of ${owner}${when}\n  ${keyFile}`,
    primary: address,
  };
}
