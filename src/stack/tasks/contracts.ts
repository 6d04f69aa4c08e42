import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { readJsonFile, readShape, writeJsonFile } from '../../supervisor/json-file.js';
import { addressOf, keccak256 } from '../address.js';
import { publicKeyHashOf } from '../certificate.js';
import type { Member, Signer } from '../contracts.js';
import { type Contracts, ContractsFile } from '../contracts-file.js';
import { packageFile } from '../layout.js';
import { createRpc, untilConnected } from './exchange.js';

const Config = Type.Object({
  chainUrl: Type.String(),
  chainId: Type.Integer(),
  operatorKeyFile: Type.String(),
  contractsFile: Type.String(),
  parties: Type.Array(
    Type.Object({
      ...{ name: Type.String(), organization: Type.String(), node: Type.String(), keyFile: Type.String() },
      ...{ certificateFile: Type.String(), endpoint: Type.String() },
    }),
  ),
});
type Config = Static<typeof Config>;

const Hex = Type.String({ pattern: '^0x[0-9a-f]*$' });
const Artifact = Type.Object({ abi: Type.Array(Type.Unknown()), bytecode: Hex });
const Block = Type.Object({ hash: Hex });
const Fees = Type.Object({ baseFeePerGas: Hex });
const Logs = Type.Array(Type.Object({ blockNumber: Hex }));
const Receipt = Type.Union([Type.Null(), Type.Object({ status: Hex })]);

type Call = <Schema extends TSchema>(
  schema: Schema,
  method: string,
  ...parameters: readonly unknown[]
) => Promise<Static<Schema>>;

const receiptPollMs = 10;
const receiptPolls = 3_000;

/**
 * Makes sure that the network's contract is on the chain and every party a member of it, and writes where: first
 * looks whether that is so already, then does what is missing. It can be killed at any line and run again.
 */
export async function ensureContracts(
  configText: string,
  { networkLimits }: { readonly networkLimits: unknown },
): Promise<Record<string, unknown>> {
  const config = readShape(Config, configText, 'The configuration of the task');
  return untilConnected(async () => {
    const rpc = createRpc(config.chainUrl);
    const call: Call = async (schema, method, ...parameters) => {
      const result = await rpc(method, ...parameters);
      if (Value.Check(schema, result)) return result;
      throw new Error(`The chain answered ${method} with something unexpected: ${JSON.stringify(result)}`);
    };
    return ensure(config, JSON.stringify(networkLimits), call);
  });
}

async function ensure(config: Config, limits: string, call: Call): Promise<Record<string, unknown>> {
  const [known, genesis, chainId] = await Promise.all([
    readJsonFile(config.contractsFile, ContractsFile),
    call(Block, 'eth_getBlockByNumber', '0x0', false),
    call(Hex, 'eth_chainId'),
  ]);
  if (Number(chainId) !== config.chainId) {
    throw new Error(`The chain has the id ${Number(chainId)}, not ${config.chainId}.`);
  }
  if (known !== undefined && known.genesisHash !== genesis.hash) {
    throw new Error('This is another chain than the one on which the contracts are: its genesis block differs.');
  }
  const operatorKey = await readKey(config.operatorKeyFile);
  const members = await Promise.all(
    config.parties.map(async ({ organization, node, keyFile, certificateFile, endpoint }) => {
      const publicKeyHash = publicKeyHashOf(await readFile(certificateFile, 'utf8'));
      return { organization, node, endpoint, publicKeyHash, address: addressOf(await readKey(keyFile)) };
    }),
  );
  const isThere = known !== undefined && (await hasCode(call, known.network.address));
  const missing = isThere ? await missingMembers(call, known.network.address, members) : members;
  if (isThere && missing.length === 0) return { ...known, deployed: false, added: [] };
  // Signing needs a library that takes its time to load: only now, when something must be signed.
  const { createSigner } = await import('../contracts.js');
  const artifact = readShape(Artifact, await readFile(packageFile(artifactPath), 'utf8'), artifactPath);
  const signer = createSigner(operatorKey, config.chainId, artifact);
  const found = isThere ? known.network : await findDeployed(call, signer);
  const network = found ?? (await deploy(call, signer, limits));
  const added = await missingMembers(call, network.address, members);
  await addMembers(call, signer, network.address, added);
  const contracts: Contracts = { chainId: config.chainId, genesisHash: genesis.hash, network };
  if (!isThere) await writeJsonFile(config.contractsFile, contracts);
  return { ...contracts, deployed: found === undefined, added: added.map(({ organization }) => organization) };
}

const artifactPath = 'contracts/artifacts/Network.json';

/** A contract of the operator's that was never written down: whoever made it was killed just then. */
async function findDeployed(call: Call, signer: Signer): Promise<Contracts['network'] | undefined> {
  const count = Number(await call(Hex, 'eth_getTransactionCount', signer.address, 'latest'));
  for (let nonce = 0; nonce < count; nonce++) {
    const address = signer.createdAt(nonce);
    if (await hasCode(call, address)) return { address, block: await blockOf(call, address) };
  }
  return undefined;
}

async function deploy(call: Call, signer: Signer, limits: string): Promise<Contracts['network']> {
  const nonce = Number(await call(Hex, 'eth_getTransactionCount', signer.address, 'latest'));
  const data = signer.deployment(limits);
  await send(call, signer, [{ nonce, data, gas: await estimate(call, { from: signer.address, data }) }]);
  const address = signer.createdAt(nonce);
  return { address, block: await blockOf(call, address) };
}

async function addMembers(call: Call, signer: Signer, to: string, members: readonly Member[]): Promise<void> {
  if (members.length === 0) return;
  const count = Number(await call(Hex, 'eth_getTransactionCount', signer.address, 'latest'));
  const calls = await Promise.all(
    members.map(async (member, index) => {
      const data = signer.addMember(member);
      return { nonce: count + index, to, data, gas: await estimate(call, { from: signer.address, to, data }) };
    }),
  );
  await send(call, signer, calls);
}

interface Transaction {
  readonly nonce: number;
  readonly to?: string;
  readonly data: string;
  readonly gas: bigint;
}

async function send(call: Call, signer: Signer, transactions: readonly Transaction[]): Promise<void> {
  const { baseFeePerGas } = await call(Fees, 'eth_getBlockByNumber', 'latest', false);
  const hashes: string[] = [];
  for (const transaction of transactions) {
    const raw = await signer.sign(transaction, BigInt(baseFeePerGas));
    hashes.push(await call(Hex, 'eth_sendRawTransaction', raw));
  }
  for (const hash of hashes) await waitForReceipt(call, hash);
}

async function waitForReceipt(call: Call, hash: string): Promise<void> {
  for (let poll = 0; poll < receiptPolls; poll++) {
    const receipt = await call(Receipt, 'eth_getTransactionReceipt', hash);
    if (receipt?.status === '0x1') return;
    if (receipt !== null) throw new Error(`The chain reverted the operator's transaction ${hash}.`);
    await sleep(receiptPollMs);
  }
  throw new Error(`The chain did not mine the operator's transaction ${hash}.`);
}

/** Simulation and mining can differ a little in what they cost. */
async function estimate(call: Call, transaction: Readonly<Record<string, string>>): Promise<bigint> {
  return (BigInt(await call(Hex, 'eth_estimateGas', transaction)) * 5n) / 4n;
}

async function hasCode(call: Call, address: string): Promise<boolean> {
  return (await call(Hex, 'eth_getCode', address, 'latest')) !== '0x';
}

async function blockOf(call: Call, address: string): Promise<number> {
  const [first] = await call(Logs, 'eth_getLogs', { address, fromBlock: '0x0', toBlock: 'latest' });
  if (first === undefined) throw new Error(`The contract at ${address} is not the network's: it has no first event.`);
  return Number(first.blockNumber);
}

async function missingMembers(call: Call, network: string, members: readonly Member[]): Promise<Member[]> {
  const selector = Buffer.from(keccak256(Buffer.from('memberOf(address)')).subarray(0, 4)).toString('hex');
  const owners = await Promise.all(
    members.map(({ address }) => {
      const data = `0x${selector}${address.slice(2).padStart(64, '0')}`;
      return call(Hex, 'eth_call', { to: network, data }, 'latest');
    }),
  );
  return members.filter((_, index) => BigInt(owners[index] ?? '0x0') === 0n);
}

async function readKey(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).trim();
}
