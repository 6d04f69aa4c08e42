import type { BalanceFacts, PartyRecord, TransferFacts } from '../recording.js';
import type { Rule } from './rules.js';

/**
 * I11: every party has the same transfers, each once, with the sender and recipient that its type requires; at each
 * party, a key's balance is the sum of its transfers and not negative; balances of the contracts, if read, are equal.
 */
export const sameTokens: Rule = ({ parties, contractBalances = [] }, _order, evidence) => {
  const fault = (sentence: string) => void evidence.faults.push(sentence);
  const [first, ...others] = parties.filter(({ tokens }) => tokens !== undefined);
  if (first?.tokens === undefined) return;
  for (const party of [first, ...others]) {
    evidence.count += party.tokens?.transfers.length ?? 0;
    for (const sentence of faultsOfSums(party)) fault(sentence);
  }
  for (const other of others) {
    for (const sentence of differences(transfersOf(first), transfersOf(other))) {
      fault(`${first.name} and ${other.name}: transfer ${sentence}`);
    }
  }
  const held = balancesOf(first);
  for (const { pool, tokenIndex = '', key, balance } of contractBalances) {
    evidence.count++;
    const recorded = held.get(`${pool}/${tokenIndex}/${key}`) ?? '0';
    if (recorded !== balance) {
      fault(`${key} has ${balance} of ${pool} in the contract, and ${recorded} at ${first.name}`);
    }
  }
};

function transfersOf({ tokens }: PartyRecord): ReadonlyMap<string, string> {
  const text = ({ type, from, to, amount, tokenIndex, message }: TransferFacts) =>
    [type, from, to, amount, tokenIndex, message].map((member) => member ?? '').join(' ');
  return new Map(tokens?.transfers.map((each) => [`${each.pool}/${each.protocolId}`, text(each)]));
}

function balanceKey({ pool, tokenIndex = '', key }: BalanceFacts): string {
  return `${pool}/${tokenIndex}/${key}`;
}

/** Non-zero balances. */
function balancesOf({ tokens }: PartyRecord): ReadonlyMap<string, string> {
  const held = tokens?.balances.filter(({ balance }) => balance !== '0') ?? [];
  return new Map(held.map((each) => [balanceKey(each), each.balance]));
}

/** Checks one party's records: each transfer is there once, and balances are the sums of transfers. */
function faultsOfSums(party: PartyRecord): string[] {
  const transfers = party.tokens?.transfers ?? [];
  const faults: string[] = [];
  const seen = new Set<string>();
  const sums = new Map<string, bigint>();
  const add = (each: TransferFacts, key: string | undefined, amount: bigint) => {
    if (key === undefined) return;
    const balance = balanceKey({ ...each, key, balance: '' });
    sums.set(balance, (sums.get(balance) ?? 0n) + amount);
  };
  for (const each of transfers) {
    const id = `${each.pool}/${each.protocolId}`;
    if (seen.has(id)) faults.push(`${party.name} has the transfer ${id} twice`);
    seen.add(id);
    if (!hasSides(each))
      faults.push(`${party.name}: the ${each.type} ${id} has the sender or recipient of another type`);
    add(each, each.from, -BigInt(each.amount));
    add(each, each.to, BigInt(each.amount));
  }
  const expected = new Map([...sums].filter(([, sum]) => sum !== 0n).map(([key, sum]) => [key, String(sum)]));
  const negative = [...sums].find(([, sum]) => sum < 0n);
  if (negative !== undefined) faults.push(`${party.name}: the balance ${negative[0]} is negative`);
  faults.push(...differences(expected, balancesOf(party)).map((sentence) => `${party.name}: balance ${sentence}`));
  return faults;
}

/** A mint has no sender, a burn no recipient, a transfer has both. */
function hasSides({ type, from, to }: TransferFacts): boolean {
  return (from === undefined) === (type === 'mint') && (to === undefined) === (type === 'burn');
}

function differences(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  const keys = new Set([...one.keys(), ...other.keys()]);
  return [...keys].flatMap((key) => {
    const [left, right] = [one.get(key) ?? 'missing', other.get(key) ?? 'missing'];
    return left === right ? [] : [`${key} is ${left} and ${right}`];
  });
}
