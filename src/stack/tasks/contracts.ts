import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Static, Type } from '@sinclair/typebox';
import { readJsonFile, readShape, writeJsonFile } from '../../supervisor/files/json-file.js';
import { oneOf } from '../../wire/scalar.js';
import { connectorNames } from '../../wire/tokens/connector.js';
import { addressOf } from '../../domain/chain/keys.js';
import { publicKeyHashOf } from '../keys/certificate.js';
import type { Member, Signer } from '../running/contracts.js';
import { type Contracts, ContractsFile } from '../running/contracts-file.js';
import { Mining } from '../engines/chain.js';
import { Guest } from '../members/guest.js';
import { type Artifact, readContract, tokenContracts } from './artifacts.js';
import {
  type Call,
  codeAt,
  createCall,
  deploymentBlock,
  Hex,
  missingMembers,
  noCode,
  unfunded,
} from './chain-reads.js';
import { authorizationIn, createRpcCaller, untilConnected } from './exchange.js';
import { ensureOnExternal, ExternalChainConfig } from './external-contracts.js';

const Config = Type.Object({
  chainUrl: Type.String(),
  chainTokenFile: Type.Optional(Type.String()),
  /** Default: the chain's own. */
  chainId: Type.Optional(Type.Integer()),
  operatorKeyFile: Type.String(),
  contractsFile: Type.String(),
  profile: Type.Optional(Type.String()),
  /** Names of the token connectors whose contracts are required. */
  connectors: Type.Array(oneOf(connectorNames)),
  external: Type.Optional(ExternalChainConfig),
  /** Addresses that the operator funds if they are empty. */
  fund: Type.Optional(Type.Array(Type.String())),
  /** Members whose nodes are on other machines. */
  guests: Type.Optional(Type.Array(Guest)),
  parties: Type.Array(
    Type.Object({
      name: Type.String(),
      organization: Type.String(),
      node: Type.String(),
      keyFile: Type.String(),
      certificateFile: Type.String(),
      endpoint: Type.String(),
    }),
  ),
});
type Config = Static<typeof Config>;

const Block = Type.Object({ hash: Hex });
const Receipt = Type.Union([Type.Null(), Type.Object({ status: Hex, blockNumber: Hex })]);

const receiptPollMs = 10;
const receiptPolls = 3_000;

/**
 * A fixed limit: the calls depend on each other and are sent at once, so they cannot be estimated. The chain charges
 * what is used.
 */
const deploymentGas = 6_000_000n;
/** Texts of maximum length fill some twenty words of storage. */
const memberGas = 700_000n;

const transferGas = 21_000n;
/** A thousand ether: the cost of some ten million batches. */
const grantWei = 10n ** 21n;

/**
 * Makes sure that the network's contracts are deployed, every party is a member and every account funded, and writes
 * the addresses to a file. It can be killed at any point and run again.
 */
export async function ensureContracts(
  configText: string,
  { networkLimits }: { readonly networkLimits: unknown },
): Promise<Record<string, unknown>> {
  const config = readShape(Config, configText, 'The configuration of the task');
  const token = config.chainTokenFile === undefined ? undefined : await readFile(config.chainTokenFile, 'utf8');
  return untilConnected(async () => {
    const { external } = config;
    const authorization = external?.authFile === undefined ? undefined : await authorizationIn(external.authFile);
    const rpc = createRpcCaller(config.chainUrl, external === undefined ? token?.trim() : { authorization });
    const call = createCall(rpc);
    return ensure(config, JSON.stringify({ ...Object(networkLimits), profile: config.profile }), call);
  });
}

async function ensure(config: Config, limits: string, call: Call): Promise<Record<string, unknown>> {
  const [known, genesis, chainId] = await Promise.all([
    readJsonFile(config.contractsFile, ContractsFile),
    call(Block, 'eth_getBlockByNumber', '0x0', false),
    call(Hex, 'eth_chainId'),
  ]);
  const expected = config.chainId ?? known?.chainId ?? Number(chainId);
  if (Number(chainId) !== expected) throw new Error(`The chain has the id ${Number(chainId)}, not ${expected}.`);
  if (known !== undefined && known.genesisHash !== genesis.hash) {
    throw new Error('The contracts are on another chain: the genesis block of this one differs.');
  }
  const members = await readMembers(config);
  if (config.external !== undefined) {
    const chain = { chainId: expected, genesisHash: genesis.hash };
    return ensureOnExternal({ ...config, external: config.external, chain, limits, call, members }, known);
  }
  const found = known === undefined ? {} : await existing(call, known);
  const missing = found.network ? await missingMembers(call, found.network.address, members) : members;
  const lacking = config.connectors.filter((name) => found.tokens?.every((token) => token.name !== name) ?? true);
  const poor = await unfunded(call, config.fund ?? []);
  const isComplete = known !== undefined && found.network && missing.length + lacking.length === 0;
  if (isComplete && poor.length === 0) return { ...known, deployed: false, added: [] };
  const operator = await openOperator(config, expected, call);
  await fund(operator, poor);
  if (isComplete) return { ...known, deployed: false, added: [] };
  const completed = await complete({ config, limits, operator, members }, found);
  const contracts: Contracts = { chainId: expected, genesisHash: genesis.hash, ...completed.places };
  await writeJsonFile(config.contractsFile, contracts);
  return { ...contracts, deployed: completed.deployed, added: completed.added };
}

interface Operator {
  readonly call: Call;
  readonly signer: Signer;
  /** Whether the chain mines each transaction at once. Otherwise it has an interval, or the user has paused mining. */
  readonly isMinedAtOnce: boolean;
}

async function openOperator({ operatorKeyFile }: Config, chainId: number, call: Call): Promise<Operator> {
  // The signing library is slow to load, so it is loaded only when something must be signed.
  const { createSigner } = await import('../running/contracts.js');
  const [key, artifact, mining] = await Promise.all([
    readKey(operatorKeyFile),
    readContract('Network'),
    call(Mining, 'parley_mining'),
  ]);
  return { call, signer: createSigner(key, chainId, artifact), isMinedAtOnce: mining.auto };
}

type Places = Pick<Contracts, 'network' | 'tokens'>;

interface Work {
  readonly config: Config;
  readonly limits: string;
  readonly operator: Operator;
  readonly members: readonly Member[];
}

/** Adds everything that is missing from `known`, in as few requests as possible. */
async function complete({ config, limits, operator, members }: Work, known: Partial<Places>) {
  const { call, signer, isMinedAtOnce } = operator;
  const tokenArtifacts = await Promise.all(
    config.connectors.map(async (name) => ({ name, artifact: await readContract(tokenContracts[name]) })),
  );
  if (!isMinedAtOnce) await mineBlock(call);
  const count = Number(await call(Hex, 'eth_getTransactionCount', signer.address, 'latest'));
  const found = await findDeployed(call, signer, count, tokenArtifacts);
  const tokens: { name: string; address: string; block?: number }[] = [...(known.tokens ?? [])];
  const network = known.network ?? found.network;
  const transactions: Transaction[] = [];
  const created: string[] = [];
  const deploy = (data: string): string => {
    const nonce = count + transactions.length;
    transactions.push({ nonce, data, gas: deploymentGas });
    created.push(signer.createdAt(nonce));
    return signer.createdAt(nonce);
  };
  const networkAddress = network?.address ?? deploy(signer.deployment(limits));
  for (const {
    name,
    artifact: { bytecode },
  } of tokenArtifacts) {
    if (tokens.some((token) => token.name === name)) continue;
    tokens.push({ name, address: found.tokens.get(name) ?? deploy(bytecode) });
  }
  const added = network === undefined ? members : await missingMembers(call, network.address, members);
  for (const member of added) {
    const nonce = count + transactions.length;
    transactions.push({ nonce, to: networkAddress, data: signer.addMember(member), gas: memberGas });
  }
  const hashes = await send(operator, transactions);
  if (!isMinedAtOnce) await mineBlock(call);
  const blocks = await blocksOf(call, hashes);
  const place = async ({ address, block }: { readonly address: string; readonly block?: number }) => ({
    address,
    block: block ?? blocks[created.indexOf(address)] ?? (await deploymentBlock(call, address)),
  });
  return {
    places: {
      network: await place(network ?? { address: networkAddress }),
      tokens: await Promise.all(tokens.map(async (token) => ({ name: token.name, ...(await place(token)) }))),
    },
    deployed: network === undefined,
    added: added.map(({ organization }) => organization),
  };
}

async function readMembers({ parties, guests = [] }: Config): Promise<(Member & { readonly name: string })[]> {
  const own = await Promise.all(
    parties.map(async ({ name, organization, node, keyFile, certificateFile, endpoint }) => {
      const publicKeyHash = publicKeyHashOf(await readFile(certificateFile, 'utf8'));
      return { name, organization, node, endpoint, publicKeyHash, address: addressOf(await readKey(keyFile)) };
    }),
  );
  return [...own, ...guests.map((guest) => ({ ...guest, name: guest.organization }))];
}

/** The known contracts that have code on the chain. */
async function existing(call: Call, { network, tokens = [] }: Contracts): Promise<Partial<Places>> {
  const codes = await Promise.all([network, ...tokens].map(({ address }) => codeAt(call, address)));
  if (codes[0] === noCode) return {};
  return { network, tokens: tokens.filter((_, index) => codes[index + 1] !== noCode) };
}

/**
 * Finds contracts of the operator that were deployed but not recorded, because the task was killed in between. Those of
 * tokens are recognised by their code; the network's own, whose code contains its operator, is the first of all.
 */
async function findDeployed(
  call: Call,
  signer: Signer,
  count: number,
  known: readonly { readonly name: string; readonly artifact: Artifact }[],
): Promise<{
  readonly network: { readonly address: string } | undefined;
  readonly tokens: ReadonlyMap<string, string>;
}> {
  const addresses = Array.from({ length: count }, (_, nonce) => signer.createdAt(nonce));
  const codes = await Promise.all(addresses.map((address) => codeAt(call, address)));
  const tokens = new Map<string, string>();
  for (const { name, artifact } of known) {
    const address = addresses[codes.indexOf(artifact.deployedBytecode)];
    if (address !== undefined) tokens.set(name, address);
  }
  const address = addresses.find((each, nonce) => codes[nonce] !== noCode && !isIn(tokens, each));
  return { network: address === undefined ? undefined : { address }, tokens };
}

function isIn(tokens: ReadonlyMap<string, string>, address: string): boolean {
  return [...tokens.values()].includes(address);
}

interface Transaction {
  readonly nonce: number;
  readonly to?: string;
  readonly data: string;
  readonly gas: bigint;
  readonly value?: bigint;
}

/** A chain's error for a transaction that it already has, sent by a killed task. */
const alreadyKnown = /already known|known transaction/i;

/** Sends transactions of consecutive nonces concurrently, so that they share a block; returns the hash of each. */
async function send({ call, signer }: Operator, transactions: readonly Transaction[]): Promise<string[]> {
  const signed = transactions.map((each) => signer.sign(each));
  await Promise.all(
    signed.map(async ({ raw }) => {
      try {
        await call(Hex, 'eth_sendRawTransaction', raw);
      } catch (error) {
        if (!(error instanceof Error) || !alreadyKnown.test(error.message)) throw error;
      }
    }),
  );
  return signed.map(({ hash }) => hash);
}

/** Funds accounts. If the chain does not mine at once, they get their funds with its next block. */
async function fund(operator: Operator, addresses: readonly string[]): Promise<void> {
  const { call, signer, isMinedAtOnce } = operator;
  const count = Number(await call(Hex, 'eth_getTransactionCount', signer.address, 'pending'));
  const transactions = addresses.map((to, index): Transaction => {
    return { nonce: count + index, to, data: '0x', gas: transferGas, value: grantWei };
  });
  const hashes = await send(operator, transactions);
  if (isMinedAtOnce) await blocksOf(call, hashes);
}

/** Mines what a network needs before its nodes can start: a paused chain would not, and an interval may be minutes. */
async function mineBlock(call: Call): Promise<void> {
  await call(Type.Boolean(), 'hardhat_mine', '0x1', '0x0');
}

function blocksOf(call: Call, hashes: readonly string[]): Promise<number[]> {
  return Promise.all(hashes.map((hash) => blockOfReceipt(call, hash)));
}

async function blockOfReceipt(call: Call, hash: string): Promise<number> {
  for (let poll = 0; poll < receiptPolls; poll++) {
    const receipt = await call(Receipt, 'eth_getTransactionReceipt', hash);
    if (receipt?.status === '0x1') return Number(receipt.blockNumber);
    if (receipt !== null) throw new Error(`The chain reverted the operator's transaction ${hash}.`);
    await sleep(receiptPollMs);
  }
  throw new Error(`The chain did not mine the operator's transaction ${hash}.`);
}

async function readKey(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).trim();
}
