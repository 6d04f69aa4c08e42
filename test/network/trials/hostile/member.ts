import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Interface } from 'ethers';
import { openHttpsExchange } from '../../../../src/adapters/data-exchange/https.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import type { HttpClient } from '../../../../src/bench/http.js';
import { sealBatch } from '../../../../src/domain/messages/batch.js';
import { hashOfItem, sha256 } from '../../../../src/domain/hash.js';
import { identityId, nodeDid, organizationDid } from '../../../../src/domain/network/identity.js';
import { sealMessage, type UnsealedHeader } from '../../../../src/domain/messages/message.js';
import type { DataExchange, Peer } from '../../../../src/ports/data-exchange.js';
import { makeCertificate } from '../../../../src/stack/keys/certificate.js';
import { createSigner } from '../../../../src/stack/running/contracts.js';
import type { PayloadData } from '../../../../src/wire/messages/batch.js';
import { compact } from '../../../../src/wire/json/json-reader.js';
import type { VisibleStack } from './attacker.js';

/** One message of a forged batch: changes of its header, and its values with their datatypes. */
export interface ForgedMessage {
  readonly header?: Partial<UnsealedHeader>;
  readonly items: readonly { readonly value: string; readonly datatype?: PayloadData['datatype'] }[];
}

/** A registered member whose node is this program: it pins and sends anything. */
export interface HostileMember {
  /** Seals messages into one batch, stores the payload and pins it. Returns the ids of the messages. */
  pin(messages: readonly ForgedMessage[]): Promise<readonly string[]>;
  /** Pins any bytes as the payload of a broadcast batch; `reference` replaces the name from the store. */
  pinBytes(bytes: Uint8Array, reference?: string): Promise<void>;
  /** Deploys code, and returns its address. */
  deploy(code: string): Promise<string>;
  /** Calls a contract. */
  call(to: string, data: string): Promise<void>;
  /** Its data exchange, and its peers. */
  readonly exchange: DataExchange;
  readonly peers: readonly Peer[];
  close(): Promise<void>;
}

const organization = 'mallory';
const gasLimit = 10_000_000n;
const receiptPollMs = 20;
const fundsWei = 10n ** 19n;
const network = new Interface([
  'function pinBatch(bytes32 uuids, bytes32 batchHash, string payloadRef, bytes32[] contexts)',
]);

interface ContractsFile {
  readonly chainId: number;
  readonly network: { readonly address: string };
}

/** Registers a member with the operator's key; the member has a funded key and a peer listener. */
export async function registerHostileMember(
  root: string,
  { files, chainUrl, storeUrl, parties }: VisibleStack,
  http: HttpClient,
): Promise<HostileMember> {
  const contracts = JSON.parse(await readFile(join(files, 'contracts.json'), 'utf8')) as ContractsFile;
  const artifact = JSON.parse(await readFile(join(root, 'contracts/artifacts/Network.json'), 'utf8')) as Artifact;
  const open = (key: string) => createSender(http, chainUrl, createSigner(key, contracts.chainId, artifact));
  const operator = open((await readFile(join(files, 'keys', 'operator'), 'utf8')).trim());
  // A key that no node has in its wallet: a node stops when one of its keys pins what it has not sealed.
  const own = open(`0x${randomBytes(32).toString('hex')}`);
  await operator.send(own.address, '0x', fundsWei);
  const { key, certificate } = await makeCertificate(organization);
  const exchange = await openHttpsExchange({ host: '127.0.0.1', port: 0, key, certificate, log: createSilentLog() });
  const node = `${organization}-node`;
  const { endpoint, publicKeyHash } = exchange.own;
  const member = { organization, address: own.address, node, endpoint, publicKeyHash };
  await operator.send(contracts.network.address, operator.addMember(member));
  const peers = await readPeers(http, parties[0]?.url ?? '');
  exchange.admit(new Set(peers.map((peer) => peer.publicKeyHash)));

  const pinPayload = async (ids: readonly [string, string], hash: string, payloadRef: string, contexts: string[]) => {
    const uuids = `0x${ids.join('')}`.replaceAll('-', '');
    const data = network.encodeFunctionData('pinBatch', [uuids, `0x${hash}`, payloadRef, contexts]);
    await own.send(contracts.network.address, data);
  };
  return {
    async pin(messages) {
      const transactionId = randomUUID();
      const sealed = sealForged(messages, { node, key: own.address, transactionId });
      const payloadRef = await putInStore(storeUrl, Buffer.from(sealed.batch.payload));
      const contexts = sealed.batch.contexts.map((context) => `0x${context}`);
      await pinPayload([transactionId, sealed.batch.id], sealed.batch.hash, payloadRef, contexts);
      return sealed.ids;
    },
    async pinBytes(bytes, reference) {
      const payloadRef = reference ?? (await putInStore(storeUrl, bytes));
      await pinPayload([randomUUID(), randomUUID()], sha256(bytes), payloadRef, [`0x${sha256('hostile')}`]);
    },
    deploy: (code) => own.deploy(code),
    call: (to, data) => own.send(to, data),
    exchange,
    peers,
    close: () => exchange.close(),
  };
}

type Artifact = Parameters<typeof createSigner>[2];

interface Transaction {
  readonly to?: string;
  readonly data: string;
  readonly value?: bigint;
}

/** Sends transactions of one key, one after the other, waiting until each is mined. */
function createSender(http: HttpClient, chainUrl: string, signer: ReturnType<typeof createSigner>) {
  const nonceNow = async () => Number(await http.rpc(chainUrl, 'eth_getTransactionCount', [signer.address, 'pending']));
  async function submit(transaction: Transaction): Promise<string> {
    const { raw, hash } = signer.sign({ ...transaction, nonce: await nonceNow(), gas: gasLimit });
    await http.rpc(chainUrl, 'eth_sendRawTransaction', [raw]);
    for (;;) {
      const receipt = await http.rpc(chainUrl, 'eth_getTransactionReceipt', [hash]);
      if (receipt !== null) {
        if ((receipt as { readonly status: string }).status !== '0x1') throw new Error('the transaction was reverted');
        return hash;
      }
      await pause(receiptPollMs);
    }
  }
  return {
    address: signer.address,
    addMember: signer.addMember.bind(signer),
    send: async (to: string, data: string, value?: bigint): Promise<void> => {
      await submit({ to, data, ...(value === undefined ? {} : { value }) });
    },
    async deploy(data: string): Promise<string> {
      const address = signer.createdAt(await nonceNow());
      await submit({ data });
      return address;
    },
  };
}

function sealForged(
  messages: readonly ForgedMessage[],
  { node, key, transactionId }: { readonly node: string; readonly key: string; readonly transactionId: string },
) {
  const author = organizationDid(organization);
  const created = new Date().toISOString();
  const data: PayloadData[] = [];
  const sealed = messages.map(({ header, items }) => {
    const own = items.map(({ value: text, datatype }): PayloadData => {
      const value = compact(text);
      const described = { id: randomUUID(), validator: 'json' as const, hash: hashOfItem({ value }), created, value };
      return { ...described, ...(datatype !== undefined && { datatype }) };
    });
    data.push(...own);
    const full: UnsealedHeader = {
      id: randomUUID(),
      type: 'broadcast',
      txtype: 'batch_pin',
      author,
      key,
      created,
      namespace: 'default',
      topics: ['hostile'],
      ...header,
    };
    return sealMessage(
      full,
      own.map(({ id, hash }) => ({ id, hash })),
    );
  });
  const namespace = sealed[0]?.header.namespace ?? 'default';
  const batch = sealBatch({
    id: randomUUID(),
    namespace,
    node: identityId(nodeDid(node)),
    author,
    key,
    transactionId,
    created,
    messages: sealed,
    data,
  });
  return { batch, ids: sealed.map(({ header }) => header.id) };
}

/** Adds bytes to the shared store as a node does; returns their name. */
async function putInStore(storeUrl: string, bytes: Uint8Array): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([Buffer.from(bytes)]), 'payload');
  const response = await fetch(`${storeUrl}/api/v0/add`, { method: 'POST', body: form });
  if (!response.ok) throw new Error(`the store answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { readonly Hash: string }).Hash;
}

async function readPeers(http: HttpClient, url: string): Promise<Peer[]> {
  const text = (await http.get(`${url}/api/v1/network/nodes`)).toString('utf8');
  const nodes = JSON.parse(text) as readonly { readonly profile?: NodeProfile }[];
  return nodes.flatMap(({ profile }) =>
    profile === undefined ? [] : [{ endpoint: profile.endpoint, publicKeyHash: profile.id }],
  );
}

interface NodeProfile {
  /** Hash of the public key in the node's certificate. */
  readonly id: string;
  readonly endpoint: string;
}
