import { readFile, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Static, Type } from '@sinclair/typebox';
import { readJsonFile, writeJsonFile } from '../../supervisor/files/json-file.js';
import type { ConnectorName } from '../../wire/tokens/connector.js';
import type { Accounts } from '../keys/accounts.js';
import { addressOf } from '../../domain/chain/keys.js';
import { readChainFees } from '../engines/chain/fees.js';
import { readNeeds } from '../engines/chain/funds.js';
import type { Member, Unsigned } from '../running/contracts.js';
import { type Contracts, ContractsFile } from '../running/contracts-file.js';
import { readContract, tokenContracts } from './artifacts.js';
import { type Call, deploymentBlock, Hex, missingMembers } from './chain-reads.js';

/** The settings of a chain that others run in the task's configuration. */
export const ExternalChainConfig = Type.Object({
  confirmations: Type.Integer(),
  authFile: Type.Optional(Type.String()),
  funderKeyFile: Type.Optional(Type.String()),
  fees: Type.Object({ maxGwei: Type.Optional(Type.Number()), tipGwei: Type.Optional(Type.Number()) }),
  contracts: Type.Optional(Type.Object({ network: Type.String(), tokens: Type.Record(Type.String(), Type.String()) })),
  /** The file of signed transactions that are not confirmed yet. */
  pendingFile: Type.String(),
});

const Address = Type.Object({ address: Hex });
const PendingFile = Type.Object({
  /** The head at signing: the contracts are in no earlier block. */
  block: Type.Integer(),
  /** Signed transactions in the order of their nonces. */
  raw: Type.Array(Type.Object({ raw: Hex, hash: Hex })),
  network: Address,
  tokens: Type.Array(Type.Object({ name: Type.String(), address: Hex })),
});
type Pending = Static<typeof PendingFile>;
const Receipt = Type.Union([Type.Null(), Type.Object({ status: Hex, blockNumber: Hex })]);

interface ExternalWork {
  readonly external: Static<typeof ExternalChainConfig>;
  readonly operatorKeyFile: string;
  readonly contractsFile: string;
  readonly connectors: readonly ConnectorName[];
  readonly chain: Pick<Contracts, 'chainId' | 'genesisHash'>;
  /** JSON text, recorded with the network. */
  readonly limits: string;
  readonly call: Call;
  readonly members: readonly (Member & { readonly name: string })[];
  readonly pollMs?: number;
}

const deploymentGas = 6_000_000n;
const memberGas = 700_000n;
const transferGas = 21_000n;

/**
 * Makes sure that the network's contracts are on a chain that others run, every party is a member, and every key can
 * pay. Transactions that deploy or register are recorded before they are sent, so that a killed task sends the same
 * bytes again.
 */
export async function ensureOnExternal(
  work: ExternalWork,
  known: Contracts | undefined,
): Promise<Record<string, unknown>> {
  const { external, contractsFile, call, members } = work;
  await finish(work, await readJsonFile(external.pendingFile, PendingFile));
  const recorded = (await readJsonFile(contractsFile, ContractsFile)) ?? known;
  const named = withNamedTokens(work, recorded ?? (await namedContracts(work)));
  const places = { network: named?.network.address, tokens: named?.tokens ?? [] };
  const missing = places.network === undefined ? members : await missingMembers(call, places.network, members);
  const lacking = work.connectors.filter((name) => places.tokens.every((token) => token.name !== name));
  const isWhole = places.network !== undefined && missing.length + lacking.length === 0;
  const deployments = lacking.length + (places.network === undefined ? 1 : 0);
  await fundKeys(work, { deployments, members: missing.length });
  if (!isWhole) await finish(work, await prepare(work, { ...places, missing, lacking }));
  else if (named !== recorded) await writeJsonFile(contractsFile, named);
  const contracts = await readJsonFile(contractsFile, ContractsFile);
  return {
    ...contracts,
    deployed: places.network === undefined,
    added: missing.map(({ organization }) => organization),
  };
}

/** The network's contract that the definition names, with the block in which it appeared. */
async function namedContracts({ external, chain, call }: ExternalWork): Promise<Contracts | undefined> {
  const { contracts } = external;
  if (contracts === undefined) return undefined;
  const address = contracts.network;
  // A chain without old states still has its logs, which are then read from the first block.
  const block = await deploymentBlock(call, address).catch(() => 0);
  return { ...chain, network: { address, block } };
}

/** Adds the token contracts of the definition for connectors that have none yet. */
function withNamedTokens({ external }: ExternalWork, contracts: Contracts | undefined): Contracts | undefined {
  const known = contracts?.tokens ?? [];
  const given = Object.entries(external.contracts?.tokens ?? {}).map(([name, address]) => ({ name, address }));
  const added = given.filter(({ name }) => known.every((token) => token.name !== name));
  if (contracts === undefined || added.length === 0) return contracts;
  return { ...contracts, tokens: [...known, ...added] };
}

interface Missing {
  readonly network: string | undefined;
  readonly tokens: readonly { readonly name: string; readonly address: string }[];
  readonly missing: readonly Member[];
  readonly lacking: readonly ConnectorName[];
}

/** Signs the transactions for everything that is missing, and records them. */
async function prepare(work: ExternalWork, { network, tokens, missing, lacking }: Missing): Promise<Pending> {
  const { external, chain, call, operatorKeyFile, limits } = work;
  // The signing library is slow to load, so it is loaded only when something must be signed.
  const { createSigner } = await import('../running/contracts.js');
  const [key, artifact, fees] = await Promise.all([readKey(operatorKeyFile), readContract('Network'), feesOf(work)]);
  const signer = createSigner(key, chain.chainId, artifact, fees);
  const first = Number(await call(Hex, 'eth_getTransactionCount', signer.address, 'latest'));
  const transactions: Unsigned[] = [];
  const deploy = (data: string): string => {
    const nonce = first + transactions.length;
    transactions.push({ nonce, data, gas: deploymentGas });
    return signer.createdAt(nonce);
  };
  const address = network ?? deploy(signer.deployment(limits));
  const created = [];
  for (const name of lacking)
    created.push({ name, address: deploy((await readContract(tokenContracts[name])).bytecode) });
  for (const member of missing) {
    transactions.push({
      nonce: first + transactions.length,
      to: address,
      data: signer.addMember(member),
      gas: memberGas,
    });
  }
  const pending = {
    block: Number(await call(Hex, 'eth_blockNumber')),
    raw: transactions.map((each) => signer.sign(each)),
    network: { address },
    tokens: [...tokens.map((token) => ({ name: token.name, address: token.address })), ...created],
  };
  await writeJsonFile(external.pendingFile, pending);
  return pending;
}

/** Sends the recorded transactions, waits until they are confirmed, and records the contracts. */
async function finish(work: ExternalWork, pending: Pending | undefined): Promise<void> {
  if (pending === undefined) return;
  const { external, contractsFile, chain } = work;
  await sendAll(work, pending.raw, `Remove ${external.pendingFile}, and start again.`);
  const known = await readJsonFile(contractsFile, ContractsFile);
  const network = known?.network ?? { ...pending.network, block: pending.block };
  await writeJsonFile(contractsFile, { ...chain, network, tokens: pending.tokens });
  await rm(external.pendingFile, { force: true });
}

const defaultPollMs = 200;
/** Transactions are sent again after this many polls, since a chain may drop unmined ones. */
const pollsPerSending = 25;
/** A chain may report this often that a nonce is used before it can find the transaction that has used it. */
const maxUsed = 3;

/**
 * Sends signed transactions of one key until each is mined and confirmed; the supervisor sets the limit.
 *
 * @throws Error with the remedy if another transaction has used the nonce of one of them
 */
async function sendAll(
  { call, external, pollMs = defaultPollMs }: ExternalWork,
  signed: Pending['raw'],
  remedy: string,
): Promise<void> {
  let open = signed;
  const used = new Map<string, number>();
  for (let poll = 0; open.length > 0; poll += 1) {
    for (const { raw, hash } of poll % pollsPerSending === 0 ? open : []) {
      if ((await send(call, raw)) === 'used') used.set(hash, (used.get(hash) ?? 0) + 1);
    }
    const states = await Promise.all(open.map(({ hash }) => stateOf(call, hash, external.confirmations)));
    const lost = open.find(({ hash }, index) => states[index] === 'absent' && (used.get(hash) ?? 0) >= maxUsed);
    if (lost !== undefined) {
      throw new Error(`The nonce of the transaction ${lost.hash} was used by another transaction. ${remedy}`);
    }
    open = open.filter((_, index) => states[index] !== 'confirmed');
    if (open.length > 0) await sleep(pollMs);
  }
}

/** A chain's errors for a transaction that it already has and has not mined. */
const alreadyKnown = /already known|known transaction|already imported|already exists/i;
/** A chain's errors for a nonce that a mined transaction has used, this one or another. */
const alreadyUsed = /nonce too low|already been used/i;

async function send(call: Call, raw: string): Promise<'sent' | 'used'> {
  try {
    await call(Hex, 'eth_sendRawTransaction', raw);
    return 'sent';
  } catch (error) {
    if (error instanceof Error && alreadyUsed.test(error.message)) return 'used';
    if (error instanceof Error && alreadyKnown.test(error.message)) return 'sent';
    throw error;
  }
}

async function stateOf(call: Call, hash: string, confirmations: number): Promise<'absent' | 'mined' | 'confirmed'> {
  const receipt = await call(Receipt, 'eth_getTransactionReceipt', hash);
  if (receipt === null) return 'absent';
  if (receipt.status !== '0x1') throw new Error(`The chain reverted the operator's transaction ${hash}.`);
  const head = Number(await call(Hex, 'eth_blockNumber'));
  return head - confirmations >= Number(receipt.blockNumber) ? 'confirmed' : 'mined';
}

/** Funds every key that cannot pay from the funder. */
async function fundKeys(work: ExternalWork, todo: { deployments: number; members: number }): Promise<void> {
  const { external, chain, call, members, operatorKeyFile } = work;
  if (external.funderKeyFile === undefined) return;
  const fees = await feesOf(work);
  const accounts: Accounts = {
    operator: addressOf(await readKey(operatorKeyFile)),
    parties: Object.fromEntries(members.map(({ name, address }) => [name, { signing: address, spare: [] }])),
  };
  const needs = await readNeeds({ rpc: rpcOf(call), fees, accounts, work: todo });
  if (needs.length === 0) return;
  const { createPayer } = await import('../running/contracts.js');
  const payer = createPayer(await readKey(external.funderKeyFile), chain.chainId, fees);
  const first = Number(await call(Hex, 'eth_getTransactionCount', payer.address, 'latest'));
  const signed = needs.map(({ address, amount }, index) =>
    payer.sign({ nonce: first + index, to: address, data: '0x', gas: transferGas, value: amount }),
  );
  await sendAll(work, signed, 'Start again.');
}

function feesOf({ call, external }: ExternalWork) {
  return readChainFees(rpcOf(call), external.fees);
}

function rpcOf(call: Call) {
  return (method: string, ...parameters: readonly unknown[]) => call(Type.Unknown(), method, ...parameters);
}

async function readKey(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).trim();
}
