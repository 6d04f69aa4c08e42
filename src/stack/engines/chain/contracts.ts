import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { StackError } from '../../error.js';
import { keccak256 } from '../../../domain/chain/keys.js';
import type { Contracts } from '../../running/contracts-file.js';
import type { ExternalChain } from '../../settings/chain-settings.js';
import { readContract, tokenContracts } from '../../tasks/artifacts.js';
import { type ConnectorName, connectorNames } from '../../../wire/tokens/connector.js';
import type { Rpc } from './fees.js';

/**
 * Checks that the contracts that a definition or an earlier start names exist and are of this version.
 *
 * @throws StackError CHAIN_MISMATCH
 */
export async function requireContracts(chain: ExternalChain, known: Contracts | undefined, rpc: Rpc): Promise<void> {
  const network = chain.contracts?.network ?? known?.network.address;
  if (network === undefined) return;
  const setting = chain.contracts === null ? 'chain.url' : 'chain.contracts.network';
  const maxContexts = await rpc('eth_call', { to: network, data: selectorOf('maxContexts()') }, 'latest').catch(
    () => '0x',
  );
  if (maxContexts === '0x') {
    throw new StackError('CHAIN_MISMATCH', `${setting}: there is no network contract at ${network}.`, {
      hint: 'Name the contract of the network, or the chain that it is on.',
    });
  }
  if (typeof maxContexts !== 'string' || Number(maxContexts) !== currentContexts) {
    throw new StackError('CHAIN_MISMATCH', `${setting}: the contract at ${network} is of another version.`);
  }
  for (const [name, address] of Object.entries(chain.contracts?.tokens ?? {})) {
    const code = String(await rpc('eth_getCode', address, 'latest'));
    const connector = connectorNames.find((each) => each === name);
    if (connector !== undefined && code.includes(await poolTopic(connector))) continue;
    const what =
      code === '0x'
        ? `there is no contract at ${address}`
        : `the contract at ${address} is not of this connector, or of another version`;
    throw new StackError('CHAIN_MISMATCH', `chain.contracts.tokens.${name}: ${what}.`);
  }
}

/** `maxContexts` of the network contract of this version. */
const currentContexts = 2_000;

const PoolCreated = Type.Object({
  type: Type.Literal('event'),
  name: Type.Literal('PoolCreated'),
  inputs: Type.Array(Type.Object({ type: Type.String() })),
});

/** The topic of the event by which pools are found. The code of every contract that emits it contains the topic. */
async function poolTopic(connector: ConnectorName): Promise<string> {
  const { abi } = await readContract(tokenContracts[connector]);
  const event = abi.find((entry) => Value.Check(PoolCreated, entry));
  if (event === undefined) throw new Error(`The contract of ${connector} has no event PoolCreated.`);
  return hashOf(`PoolCreated(${event.inputs.map(({ type }) => type).join()})`);
}

/** The selector of a method: the first four bytes of its calls. */
export function selectorOf(signature: string): string {
  return `0x${hashOf(signature).slice(0, 8)}`;
}

function hashOf(signature: string): string {
  return Buffer.from(keccak256(Buffer.from(signature))).toString('hex');
}
